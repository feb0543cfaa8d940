/*
 * gpu.h - the first NVIDIA device as the bench sees it: memory, a stream, times; and cuFFT, loaded
 * at run time if it is there and never linked: $FFT_BENCH_CUFFT, else libcufft.so.12 or .11.
 *
 * Built where the cuda engine is; elsewhere gpu_open says so.
 */
#ifndef FFTD_BENCH_DEVICE_GPU_H
#define FFTD_BENCH_DEVICE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"

struct gpu;

/* -ENODEV or -ENOTSUP with the reason. */
int gpu_open(struct gpu **out, char *why, size_t size);
void gpu_close(struct gpu *g); /* NULL is fine; all memory given back */
const char *gpu_name(const struct gpu *g);

/* 0, or -errno, which has been told on standard error. */
int gpu_alloc(struct gpu *g, uint64_t *address, size_t bytes);
void gpu_free(struct gpu *g, uint64_t address);
int gpu_write(struct gpu *g, uint64_t to, const void *from, size_t bytes);
int gpu_read(struct gpu *g, void *to, uint64_t from, size_t bytes);
int gpu_copy(struct gpu *g, uint64_t to, uint64_t from, size_t bytes); /* begins it */
/* `bytes` of a pattern, again and again. */
int gpu_fill(struct gpu *g, uint64_t to, size_t bytes, const void *pattern, size_t pattern_bytes);
int gpu_wait(struct gpu *g);

/* Where the cuda engine has a buffer. */
uint64_t gpu_address(const struct fft_buffer *b);

/*
 * Seconds that enqueue(user) takes, which only begins its work, until finish(user) says that it is
 * done: the median of several runs of many calls each.
 */
int gpu_seconds(int (*enqueue)(void *user), int (*finish)(void *user), void *user, bool quick,
                double *seconds);

/* ---- cuFFT ------------------------------------------------------------------------------- */

struct cufft;

int cufft_open(struct cufft **out, struct gpu *g, char *why, size_t size);
void cufft_close(struct cufft *c); /* NULL is fine */
const char *cufft_name(const struct cufft *c);

/* Seconds of forward transforms of n complex points, out of place, in arrays of its own. */
int cufft_measure(struct cufft *c, struct gpu *g, uint32_t n, uint32_t batch, bool quick,
                  double *seconds);

/* A plan like the library's own: packed layouts only. */
int cufft_plan(struct cufft *c, const struct fft_transform_plan *plan);
int cufft_run(struct cufft *c, uint64_t from, uint64_t to); /* begins it */

#endif
