/*
 * mock.h - OpenCL without a device, for tests. libmockopencl.so exports the calls that the engine
 * makes, on host memory, and this struct, which controls the mock and counts its work.
 *
 * Platform 0 has no device, platform 1 a GPU and a processor, platform 2 another GPU. Work is
 * queued and runs in the order that the test sets: EAGER runs it at once, LATE only when something
 * waits for it, COPIES_FIRST runs the newest queue (that of the copies) as far ahead as events
 * allow. Device memory is full of NaN at first, and loses its contents when it is mapped to be
 * written whole. A kernel or a copy that uses mapped memory aborts, since a real device may do
 * anything then.
 *
 * Kernels are not executed. The mock computes those of the stand-in planner (stand_in_plan.c) in
 * double precision (mock_kernel.c).
 */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MOCK_H
#define FFTD_TESTS_SUPPORT_OPENCL_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mock_order { MOCK_EAGER, MOCK_LATE, MOCK_COPIES_FIRST, MOCK_ORDERS };

/* Counts of the work done. A test clears them where it begins to count. */
struct mock_counts {
    uint64_t calls, launches, bytes_in, bytes_within, bytes_out, maps;
    uint64_t compiled, loaded; /* programs: from text, from a binary */
    uint64_t blocking;         /* calls that waited for work */
    uint64_t bytes_pinned;     /* of bytes_in: from the caller's memory that the driver maps */
};

struct mock_opencl {
    uint32_t platforms;         /* 0 to 3 */
    bool unified;               /* host and device share their memory */
    bool no_local;              /* local memory is main memory */
    size_t memory;              /* most bytes of all buffers together */
    size_t group;               /* most work-items of a group, for any kernel */
    const char *limited_kernel; /* the kernel with the limit limited_group; NULL: none */
    size_t limited_group;

    /* Failures. The fail_after-th call named `fail` from now on (1: the next) returns fail_code. */
    const char *fail;
    int fail_after, fail_code;
    bool fatal;               /* that call loses the device */
    bool lost;                /* every call fails, and no work runs */
    bool stalled;             /* no work runs */
    bool build_fails;         /* no program compiles */
    bool binaries_rejected;   /* no binary is accepted */
    bool borrows_nothing;     /* no memory of the caller is accepted */
    const char *vendor;       /* of the devices; NULL: "mock" */
    const char *gpu_name;     /* of the device 1/1; NULL: "Mock GPU" */
    const char *wrong_device; /* the device of this name computes wrong results */
    enum mock_order order;

    size_t host;      /* bytes of the host's memory in buffers; with `unified`, of all buffers */
    int64_t borrowed; /* blocks of the caller's memory that the driver has */
    int64_t alive;    /* objects created and not released */
    struct mock_counts counts;
};

/* In the library. A test finds it with dlsym("mock_opencl"). */
extern struct mock_opencl mock_opencl;

#endif
