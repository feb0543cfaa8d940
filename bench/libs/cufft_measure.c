/* cufft_measure.c - times cuFFT on arrays of its own; implements gpu.h. */
#include <math.h>

#include "bench/device/gpu.h"
#include "bench/noise.h"

struct work {
    struct gpu *gpu;
    struct cufft *cufft;
    uint64_t from, to;
};

static int enqueue(void *user)
{
    const struct work *w = user;
    return cufft_run(w->cufft, w->from, w->to);
}

static int finish(void *user)
{
    return gpu_wait(((const struct work *)user)->gpu);
}

int cufft_measure(struct cufft *c, struct gpu *g, uint32_t n, uint32_t batch, bool quick,
                  double *seconds)
{
    enum { PATTERN = 65521 };
    static struct fft_iq noise[PATTERN];
    const struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = batch};
    const size_t bytes = (size_t)n * batch * sizeof(struct fft_iq);
    struct work w = {g, c, 0, 0};
    noise_fill(noise, PATTERN);
    int err = gpu_alloc(g, &w.from, bytes);
    if (err == 0)
        err = gpu_alloc(g, &w.to, bytes);
    if (err == 0)
        err = gpu_fill(g, w.from, bytes, noise, sizeof noise < bytes ? sizeof noise : bytes);
    if (err == 0)
        err = cufft_plan(c, &plan);
    if (err == 0)
        err = gpu_seconds(enqueue, finish, &w, quick, seconds);
    gpu_free(g, w.to);
    gpu_free(g, w.from);
    return err;
}
