/*
 * ocl.h - one OpenCL device and its memory, for --vs clfft, vkfft and for fft-study. The opencl
 * engine's own code (fft/opencl/) finds and opens the device; its planner is not used here. Call
 * from one thread at a time; what is enqueued runs in order.
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

#endif
