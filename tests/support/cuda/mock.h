/*
 * mock.h - a CUDA driver without a GPU, for tests: libmockcuda.so exports the calls that the engine
 * makes, on host memory, and this struct, through which a test bends it and looks at what it did.
 *
 * Work is queued on streams as on a device, and done in the order that the test chose, within what
 * streams and events allow. LATE does nothing before a query or a wait needs it; COPIES_FIRST lets
 * copies run as far ahead of kernels as they may, INTERLEAVED mixes the streams. A missing wait, or
 * memory used again too early, is wrong bytes in one of them. Fresh memory is full of NaN.
 *
 * Kernels are not executed: the launch that completes a batch computes its spectra from the
 * arguments, in double precision (mock_kernel.c).
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_MOCK_H
#define FFTD_TESTS_SUPPORT_CUDA_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mock_order { MOCK_EAGER, MOCK_LATE, MOCK_COPIES_FIRST, MOCK_INTERLEAVED, MOCK_ORDERS };

/* What was done; a test sets it to 0 where it begins to count. */
struct mock_counts {
    uint64_t calls, launches, clusters, graphs, retargeted, copies_in, bytes_in, bytes_within,
        bytes_out;
    uint64_t by_device[8]; /* launches */
    uint64_t pinned;       /* regions registered */
    uint64_t abandoned;    /* operations not done when their stream was destroyed */
};

struct mock_cuda {
    /* what the machine has */
    int version, devices, major, minor;
    size_t memory; /* bytes a device; more is refused */

    /* trouble: the fail_after-th call from now on of the name `fail` (1: the next) gives fail_code
     */
    const char *fail;
    int fail_after, fail_code;
    bool fatal;    /* that call loses the device: */
    bool lost;     /* every call fails from now on */
    bool stalled;  /* no work gets done */
    bool unpinned; /* refuses to register memory */
    enum mock_order order;

    int64_t alive;      /* things made and not destroyed: memory, streams, events, contexts ... */
    int64_t registered; /* host regions pinned by the engine */
    struct mock_counts did;
};

/* In the library; a test finds it with dlsym("mock_cuda"). */
extern struct mock_cuda mock_cuda;

#endif
