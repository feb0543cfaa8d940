/*
 * ocl.h - one OpenCL device for fft-study and --vs clfft, vkfft: programs, launches, memory, times.
 * The opencl engine's own code (fft/opencl/) finds and opens the device; its planner is not used
 * here.
 *
 * Programs consist of files of kernels/opencl/study/ and of the engine's kernels/opencl/. Call from
 * one thread at a time; launches run in order.
 */
#ifndef FFTD_BENCH_DEVICE_OCL_H
#define FFTD_BENCH_DEVICE_OCL_H

#include <stdbool.h>

#include "fft/opencl/opencl_device.h"

struct ocl;

/*
 * engine: "opencl", or "opencl:PLATFORM/DEVICE" as in --engine; "auto" is "opencl". options: the
 * engine's own, of which only cache=FOLDER is used here; may be NULL. -EINVAL, -ENODEV or -ENOMEM,
 * with the reason in `why`.
 */
int ocl_open(struct ocl **out, const char *engine, const char *options, char *why, size_t size);
void ocl_close(struct ocl *o);             /* may be NULL; free memory and kernels before */
const char *ocl_name(const struct ocl *o); /* the device's name */
const struct opencl_profile *ocl_profile(const struct ocl *o);

/* The functions below return 0, or -errno after one line on standard error. */

/* ---- memory ------------------------------------------------------------------------------ */

int ocl_alloc(struct ocl *o, struct _cl_mem **out, size_t bytes); /* NULL on failure */
void ocl_free(struct ocl *o, struct _cl_mem *m);                  /* may be NULL */
int ocl_write(struct ocl *o, struct _cl_mem *to, const void *from, size_t bytes); /* waits */
int ocl_read(struct ocl *o, void *to, struct _cl_mem *from, size_t bytes);        /* waits */
int ocl_copy(struct ocl *o, struct _cl_mem *to, struct _cl_mem *from,
             size_t bytes); /* enqueues it */
/* Fills `bytes` with repetitions of a pattern. */
int ocl_fill(struct ocl *o, struct _cl_mem *to, size_t bytes, const void *pattern,
             size_t pattern_bytes);
int ocl_finish(struct ocl *o);

/* ---- kernels ----------------------------------------------------------------------------- */

/* Returns the text of kernels/opencl/study/STEM.cl; NULL: no such file. */
const char *ocl_source(const char *stem);

/*
 * Builds a program once for the device; it is freed with the device.
 *
 * stems: its files in order, ended by NULL, each from kernels/opencl/study/ or else from
 * kernels/opencl/. defines: text before the files. options: the compiler's; they must outlive the
 * device, so use a literal.
 */
int ocl_build(struct ocl *o, struct opencl_program **out, const char *const *stems,
              const char *defines, const char *options);
/* Builds a whole text, malloc'ed. The device owns the text, also after a failure. */
int ocl_build_text(struct ocl *o, struct opencl_program **out, char *text, const char *options);
/* Returns the text that ocl_build would build, malloc'ed; NULL: no memory or no such file. */
char *ocl_text(const char *const *stems, const char *defines);

struct ocl_kernel {
    struct _cl_kernel *handle;
    size_t group; /* the largest work-group of this kernel here */
    /* Bytes of a work-item and of a work-group, from the driver; PoCL 3.1 reports 1024 and 0 for
     * all kernels. */
    uint64_t private_bytes, local_bytes;
};

int ocl_kernel(struct ocl *o, struct ocl_kernel *k, struct opencl_program *p, const char *name);
void ocl_kernel_free(struct ocl *o, struct ocl_kernel *k); /* may be zeroed */

struct ocl_arg {
    size_t bytes;
    union {
        struct _cl_mem *memory;
        uint32_t word;
        float real;
    } u;
    bool is_local; /* `bytes` of local memory */
};

#define OCL_MEMORY(m)    ((struct ocl_arg){sizeof(struct _cl_mem *), {.memory = (m)}, false})
#define OCL_WORD(x)      ((struct ocl_arg){sizeof(uint32_t), {.word = (x)}, false})
#define OCL_REAL(x)      ((struct ocl_arg){sizeof(float), {.real = (x)}, false})
#define OCL_LOCAL(bytes) ((struct ocl_arg){(bytes), {0}, true})

enum { OCL_ARGS = 16, OCL_DIMS = 3 };

struct ocl_launch {
    const struct ocl_kernel *kernel;
    size_t global[OCL_DIMS]; /* 0: this dimension and those after it are not used */
    size_t local[OCL_DIMS];  /* local[0] 0: the driver's choice */
    uint32_t arg_count;
    struct ocl_arg args[OCL_ARGS];
};

int ocl_launch(struct ocl *o, const struct ocl_launch *l); /* enqueues it */

/* ---- times ------------------------------------------------------------------------------- */

enum { OCL_WORKS = 16 }; /* at most, in one call */

struct ocl_work {
    int (*enqueue)(void *user); /* enqueues work without waiting; 0 or -errno */
    void *user;
    double seconds;            /* result: seconds a call */
    int (*finish)(void *user); /* (optional) waits for work outside this device's queue */
};

/*
 * Measures wall time of many enqueue calls, then finish and clFinish; it includes launching where
 * that takes longer. The works run alternately, so that other load on the machine slows all of them
 * alike; each gets the median of its runs. quick: one call each.
 */
int ocl_seconds(struct ocl *o, struct ocl_work *all, uint32_t count, bool quick);

/*
 * Profiles a call: the sum of the times of its kernels, at most 64, by the device's clock, without
 * launching and what is between kernels. The least of five calls, of one if quick. The kernels must
 * have run before, because a driver may build them at their first launch.
 */
int ocl_profiled_seconds(struct ocl *o, const struct ocl_work *work, bool quick, double *seconds);

#endif
