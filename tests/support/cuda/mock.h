/*
 * mock.h - a CUDA driver without a GPU, for tests: libmockcuda.so exports the calls that the engine
 * makes, on host memory, and this struct, with which a test sets faults and reads what the driver
 * did.
 *
 * Work is queued on streams as on a device. It runs in the order that the test chose, within the
 * limits of streams and events. LATE runs nothing until a query or a wait needs it. COPIES_FIRST
 * lets copies run as far ahead of kernels as possible. INTERLEAVED mixes the streams. A missing
 * wait or memory that is reused too early gives wrong bytes in one of them. New memory is full of
 * NaN.
 *
 * Kernels do not run: the launch that completes a batch computes its spectra from the arguments in
 * double precision (mock_kernel.c).
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_MOCK_H
#define FFTD_TESTS_SUPPORT_CUDA_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many clusters run at a time, unless a test says otherwise. */
enum { MOCK_CLUSTERS = 2 };

enum mock_order { MOCK_EAGER, MOCK_LATE, MOCK_COPIES_FIRST, MOCK_INTERLEAVED, MOCK_ORDERS };

/* Counts of what the driver did; a test resets them before the part that it measures. */
struct mock_counts {
    uint64_t calls, launches, clusters, graphs, retargeted, copies_in, bytes_in, bytes_within,
        bytes_out;
    uint64_t by_device[8]; /* launches */
    uint64_t widest;       /* clusters of a launch */
    uint64_t together;     /* launches whose blocks all run at the same time */
    uint64_t pinned;       /* regions registered */
    uint64_t abandoned;    /* operations not done when their stream was destroyed */
};

struct mock_cuda {
    /* the machine */
    int version, devices, major, minor, processors, clusters;
    size_t memory; /* bytes per device; more is refused */

    /* faults: the fail_after-th call of `fail` from now on (1: the next) returns fail_code */
    const char *fail;
    int fail_after, fail_code;
    bool fatal;    /* that call loses the device: */
    bool lost;     /* every call fails from now on */
    bool stalled;  /* no queued work runs */
    bool unpinned; /* refuses to register memory */
    enum mock_order order;

    size_t host;   /* bytes of pinned memory allocated */
    int64_t alive; /* things created and not destroyed: memory, streams, events, contexts ... */
    int64_t registered; /* host regions pinned by the engine */
    struct mock_counts did;
};

/* Exported by the library; a test finds it with dlsym("mock_cuda"). */
extern struct mock_cuda mock_cuda;

#endif
