/*
 * gpu.c - opens an NVIDIA device, moves data and times work, with the cuda engine's driver table.
 */
#include "bench/device/gpu.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/contest.h"
#include "bench/device/gpu_internal.h"
#include "bench/message.h"
#include "fft/cuda/cuda_memory.h"

enum { RUNS = 7 };
static const double enough_s = 0.03, warm_s = 0.05;

int gpu_check(const struct gpu *g, int result, const char *what)
{
    char why[160] = "";
    const int err = cuda_check(&g->driver, result, what, (struct fft_reason){why, sizeof why});
    if (err < 0)
        bench_error("%s", why);
    return err;
}

int gpu_open(struct gpu **out, char *why, size_t size)
{
    const struct fft_reason reason = {why, size};
    struct gpu *g = *out = calloc(1, sizeof *g);
    if (!g)
        return -ENOMEM;
    int err = cuda_driver_load(&g->driver, reason);
    if (err == 0)
        err = cuda_device_open(&g->device, &g->driver, 0, reason);
    if (err == 0) {
        cuda_device_enter(&g->device);
        g->inside = true;
        err = cuda_check(&g->driver, g->driver.stream_create(&g->stream, CUDA_STREAM_NON_BLOCKING),
                         "a stream", reason);
    }
    if (err < 0) {
        gpu_close(g);
        *out = NULL;
    }
    return err;
}

void gpu_close(struct gpu *g)
{
    if (!g)
        return;
    if (g->stream)
        g->driver.stream_destroy(g->stream);
    if (g->inside)
        cuda_device_leave(&g->device);
    if (g->device.driver)
        cuda_device_close(&g->device);
    free(g);
}

const char *gpu_name(const struct gpu *g)
{
    return g->device.name;
}

int gpu_alloc(struct gpu *g, uint64_t *address, size_t bytes)
{
    cuda_address at = 0;
    const int err = gpu_check(g, g->driver.memory_alloc(&at, bytes), "device memory");
    *address = err == 0 ? at : 0;
    return err;
}

void gpu_free(struct gpu *g, uint64_t address)
{
    gpu_wait(g);
    if (address)
        g->driver.memory_free(address);
}

int gpu_write(struct gpu *g, uint64_t to, const void *from, size_t bytes)
{
    const int err = gpu_check(g, g->driver.copy_in(to, from, bytes, g->stream), "copying in");
    return err ? err : gpu_wait(g);
}

int gpu_read(struct gpu *g, void *to, uint64_t from, size_t bytes)
{
    const int err = gpu_check(g, g->driver.copy_out(to, from, bytes, g->stream), "copying out");
    return err ? err : gpu_wait(g);
}

int gpu_copy(struct gpu *g, uint64_t to, uint64_t from, size_t bytes)
{
    return gpu_check(g, g->driver.copy_within(to, from, bytes, g->stream), "copying");
}

int gpu_fill(struct gpu *g, uint64_t to, size_t bytes, const void *pattern, size_t pattern_bytes)
{
    size_t done = pattern_bytes < bytes ? pattern_bytes : bytes;
    int err = gpu_write(g, to, pattern, done);
    for (size_t more; err == 0 && done < bytes; done += more) {
        more = done < bytes - done ? done : bytes - done;
        err = gpu_copy(g, to + done, to, more);
    }
    return err ? err : gpu_wait(g);
}

int gpu_wait(struct gpu *g)
{
    return gpu_check(g, g->driver.stream_finish(g->stream), "waiting for the device");
}

uint64_t gpu_address(const struct fft_buffer *b)
{
    return ((const struct cuda_memory *)b->priv)->address;
}

static int timed(const struct gpu_contestant *c, void *user, double calls, double *seconds)
{
    const double start = contest_clock(true);
    int err = 0;
    for (double i = 0; err == 0 && i < calls; i++)
        err = c->enqueue(user);
    if (err == 0)
        err = c->finish(user);
    *seconds = (contest_clock(true) - start) / calls;
    return err;
}

/* A device lowers its clock while idle: this keeps it busy before the measurement. */
static int warm_up(struct gpu_contestant *c, void *user, bool quick)
{
    int err = timed(c, user, 1, &c->seconds);
    if (err == 0 && !quick)
        err = timed(c, user, ceil(warm_s / fmax(c->seconds, 1e-6)), &c->seconds);
    return err;
}

int gpu_contest(struct gpu_contestant *all, int count, void *user, bool quick)
{
    double times[GPU_CONTESTANTS][RUNS];
    int err = count > GPU_CONTESTANTS ? -EINVAL : 0;
    for (int i = 0; err == 0 && i < count; i++)
        err = warm_up(&all[i], user, quick);
    if (err < 0 || quick)
        return err;
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; err == 0 && i < count; i++) {
            const double calls = ceil(enough_s / fmax(all[i].seconds, 1e-7));
            err = timed(&all[i], user, calls, &times[i][run]);
        }
    }
    for (int i = 0; err == 0 && i < count; i++)
        all[i].seconds = contest_median(times[i], RUNS);
    return err;
}

int gpu_seconds(int (*enqueue)(void *user), int (*finish)(void *user), void *user, bool quick,
                double *seconds)
{
    struct gpu_contestant one = {enqueue, finish, 0};
    const int err = gpu_contest(&one, 1, user, quick);
    *seconds = one.seconds;
    return err;
}
