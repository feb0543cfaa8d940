/*
 * mock.h - OpenCL without a device, for tests: libmockopencl.so exports the calls that the engine
 * makes, on host memory, and this struct, through which a test bends it and looks at what it
 * counts.
 *
 * Platform 0 has no device, platform 1 a GPU and a processor, platform 2 another GPU. Work is
 * queued, and done when the test wants: EAGER at once, LATE not before something waits for it,
 * COPIES_FIRST the queue made last (that of the copies) as far ahead as events allow. Memory of a
 * device is full of NaN at first and is lost when it is mapped to be written whole; a kernel or a
 * copy that finds its memory mapped aborts, since a real device may do anything then.
 *
 * Kernels are not executed: those of the stand-in planner (stand_in_plan.c) are computed in double
 * precision (mock_kernel.c).
 */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MOCK_H
#define FFTD_TESTS_SUPPORT_OPENCL_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mock_order { MOCK_EAGER, MOCK_LATE, MOCK_COPIES_FIRST, MOCK_ORDERS };

/* What was done; a test sets it to 0 where it begins to count. */
struct mock_counts {
    uint64_t calls, launches, bytes_in, bytes_within, bytes_out, maps;
    uint64_t compiled, loaded; /* programs: from text, from a binary */
    uint64_t blocking;         /* calls that waited for work */
};

struct mock_opencl {
    uint32_t platforms;         /* of three */
    bool unified;               /* host and device share their memory */
    bool no_local;              /* local memory is main memory */
    size_t memory;              /* bytes of all buffers; more is refused */
    size_t group;               /* work-items that a group of any kernel may have, */
    const char *limited_kernel; /* but for the kernel of this name (NULL: none): */
    size_t limited_group;

    /* trouble: the fail_after-th call from now on of the name `fail` (1: the next) gives fail_code
     */
    const char *fail;
    int fail_after, fail_code;
    bool fatal;               /* that call loses the device: */
    bool lost;                /* every call fails from now on, and so does all work */
    bool stalled;             /* no work gets done */
    bool build_fails;         /* no program can be compiled */
    bool binaries_rejected;   /* binaries are not taken */
    const char *vendor;       /* of its devices; NULL: "mock" */
    const char *wrong_device; /* the device of this name computes wrong results */
    double native_error;      /* by how much native sine and cosine are off */
    enum mock_order order;

    int64_t alive; /* things made and not released */
    struct mock_counts counts;
};

/* In the library; a test finds it with dlsym("mock_opencl"). */
extern struct mock_opencl mock_opencl;

#endif
