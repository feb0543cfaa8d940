/*
 * ocl.h - one OpenCL device as the bench's studies see it: programs, launches, memory, times. The
 * device is found and opened by the opencl engine's own code (fft/opencl/), without its planner.
 *
 * Programs are put together of files of kernels/opencl/study/ and of the engine's kernels/opencl/.
 * One thread at a time; launches run in order.
 */
#ifndef FFTD_BENCH_DEVICE_OCL_H
#define FFTD_BENCH_DEVICE_OCL_H

#include <stdbool.h>

#include "fft/opencl/device.h"

struct ocl;

/*
 * engine: "opencl", or "opencl:PLATFORM/DEVICE" as --engine has it; "auto": as "opencl". options:
 * the engine's own, of which cache=FOLDER matters here; NULL: none. -EINVAL, -ENODEV, -ENOMEM, with
 * the reason.
 */
int ocl_open(struct ocl **out, const char *engine, const char *options, char *why, size_t size);
void ocl_close(struct ocl *o);             /* NULL is fine; memory and kernels given back before */
const char *ocl_name(const struct ocl *o); /* the device's */
const struct opencl_profile *ocl_profile(const struct ocl *o);

/* All below: 0, or -errno, which has been told on standard error in one line. */

/* ---- memory ------------------------------------------------------------------------------ */

int ocl_alloc(struct ocl *o, struct _cl_mem **out, size_t bytes); /* NULL there if it fails */
void ocl_free(struct ocl *o, struct _cl_mem *m);                  /* NULL is fine */
int ocl_write(struct ocl *o, struct _cl_mem *to, const void *from, size_t bytes);    /* waits */
int ocl_read(struct ocl *o, void *to, struct _cl_mem *from, size_t bytes);           /* waits */
int ocl_copy(struct ocl *o, struct _cl_mem *to, struct _cl_mem *from, size_t bytes); /* begins it */
/* `bytes` of a pattern, again and again. */
int ocl_fill(struct ocl *o, struct _cl_mem *to, size_t bytes, const void *pattern,
             size_t pattern_bytes);
int ocl_finish(struct ocl *o);

/* ---- kernels ----------------------------------------------------------------------------- */

/* The file kernels/opencl/study/STEM.cl. NULL: there is none. */
const char *ocl_source(const char *stem);

/*
 * stems: the files of the program in their order, ended by NULL, each of kernels/opencl/study/ or,
 * where there is none of that name, of kernels/opencl/. defines: text before them. options: the
 * compiler's; they must outlive the device, so they are best a literal. A program stays until the
 * device is closed, and is built once: studies come back to it.
 */
int ocl_build(struct ocl *o, struct opencl_program **out, const char *const *stems,
              const char *defines, const char *options);
/* The same of a whole text, malloc'ed, which is the device's then, also on failure. */
int ocl_build_text(struct ocl *o, struct opencl_program **out, char *text, const char *options);
/* The text that ocl_build would build, malloc'ed; NULL: no memory, or no such file. */
char *ocl_text(const char *const *stems, const char *defines);

struct ocl_kernel {
    struct _cl_kernel *handle;
    size_t group; /* the largest work-group that it can have here */
    /* Of a work-item, and of a group, as the driver tells; PoCL 3.1 tells 1024 and 0 of any kernel.
     */
    uint64_t private_bytes, local_bytes;
};

int ocl_kernel(struct ocl *o, struct ocl_kernel *k, struct opencl_program *p, const char *name);
void ocl_kernel_free(struct ocl *o, struct ocl_kernel *k); /* zeroed is fine */

struct ocl_arg {
    size_t bytes;
    union {
        struct _cl_mem *memory;
        uint32_t word;
        float real;
    } u;
    bool is_local; /* bytes of local memory */
};

#define OCL_MEMORY(m)    ((struct ocl_arg){sizeof(struct _cl_mem *), {.memory = (m)}, false})
#define OCL_WORD(x)      ((struct ocl_arg){sizeof(uint32_t), {.word = (x)}, false})
#define OCL_REAL(x)      ((struct ocl_arg){sizeof(float), {.real = (x)}, false})
#define OCL_LOCAL(bytes) ((struct ocl_arg){(bytes), {0}, true})

enum { OCL_ARGS = 10, OCL_DIMS = 3 };

struct ocl_launch {
    const struct ocl_kernel *kernel;
    size_t global[OCL_DIMS]; /* 0: not a dimension; of those above 0, too */
    size_t local[OCL_DIMS];  /* local[0] 0: the driver's choice */
    uint32_t arg_count;
    struct ocl_arg args[OCL_ARGS];
};

int ocl_launch(struct ocl *o, const struct ocl_launch *l); /* begins it */

/* ---- times ------------------------------------------------------------------------------- */

enum { OCL_WORKS = 16 }; /* at a time */

struct ocl_work {
    int (*enqueue)(void *user); /* begins its work only; 0 or -errno */
    void *user;
    double seconds;            /* that it takes */
    int (*finish)(void *user); /* (optional) waits for it elsewhere than in this device's queue */
};

/*
 * Wall clock: many calls of enqueue, then finish and clFinish; launching is part of it where that
 * is the longer. The contestants take turns, so that whatever else the machine does hits all alike,
 * and each gets its median run. quick: one call each.
 */
int ocl_seconds(struct ocl *o, struct ocl_work *all, uint32_t count, bool quick);

#endif
