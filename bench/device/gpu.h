/*
 * gpu.h - the first NVIDIA device for the bench: memory, a stream, times; and cuFFT, loaded at run
 * time and never linked: $FFT_BENCH_CUFFT, else libcufft.so.12 or .11.
 *
 * Available in builds with the cuda engine; in others gpu_open returns -ENOTSUP.
 */
#ifndef FFTD_BENCH_DEVICE_GPU_H
#define FFTD_BENCH_DEVICE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"

struct gpu;

/* 0; -ENODEV, -ENOTSUP or -ENOMEM, with the reason in `why`. */
int gpu_open(struct gpu **out, char *why, size_t size);
void gpu_close(struct gpu *g); /* may be NULL; free all memory before */
const char *gpu_name(const struct gpu *g);

/* The functions below return 0, or -errno after one line on standard error. */
int gpu_alloc(struct gpu *g, uint64_t *address, size_t bytes);
void gpu_free(struct gpu *g, uint64_t address);
int gpu_write(struct gpu *g, uint64_t to, const void *from, size_t bytes);
int gpu_read(struct gpu *g, void *to, uint64_t from, size_t bytes);
int gpu_copy(struct gpu *g, uint64_t to, uint64_t from, size_t bytes); /* enqueues it */
/* Fills `bytes` with repetitions of a pattern. */
int gpu_fill(struct gpu *g, uint64_t to, size_t bytes, const void *pattern, size_t pattern_bytes);
int gpu_wait(struct gpu *g);

/* The device address of a buffer of the cuda engine. */
uint64_t gpu_address(const struct fft_buffer *b);

/*
 * Measures the seconds of enqueue(user), which only enqueues work, followed by finish(user), which
 * waits for it: the median of several runs of many calls each.
 */
int gpu_seconds(int (*enqueue)(void *user), int (*finish)(void *user), void *user, bool quick,
                double *seconds);

/*
 * The same of several contestants, whose runs alternate: a device at its limit of power lowers its
 * clock, and for the first of two longest.
 */
struct gpu_contestant {
    int (*enqueue)(void *user), (*finish)(void *user);
    double seconds; /* the result */
};
enum { GPU_CONTESTANTS = 3 }; /* at most */
int gpu_contest(struct gpu_contestant *all, int count, void *user, bool quick);

/* ---- cuFFT ------------------------------------------------------------------------------- */

struct cufft;

int cufft_open(struct cufft **out, struct gpu *g, char *why, size_t size);
void cufft_close(struct cufft *c); /* may be NULL */
const char *cufft_name(const struct cufft *c);

/* Measures forward transforms of n complex points, out of place, in arrays of its own. */
int cufft_measure(struct cufft *c, struct gpu *g, uint32_t n, uint32_t batch, bool quick,
                  double *seconds);

/* Plans the transform that the library's own plan describes; packed layouts only. */
int cufft_plan(struct cufft *c, const struct fft_transform_config *plan);
int cufft_run(struct cufft *c, uint64_t from, uint64_t to); /* enqueues it */

#endif
