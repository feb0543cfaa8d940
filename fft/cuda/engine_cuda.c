/* engine_cuda.c - hooks of the engine: opens devices by name and distributes batches over them. */
#include "fft/cuda/engine_cuda.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/cuda_batch_queue.h"
#include "fft/cuda/cuda_memory.h"
#include "fft/cuda/cuda_pass.h"
#include "fft/cuda/cuda_state.h"

/* Batch i of a spectrum goes to queue i % count. */
struct cuda_work {
    struct cuda_pinned_region region; /* the memory of the caller, if it could be pinned */
    bool shares_ring;                 /* region is the engine's shared ring */
    struct cuda_batch_queue queues[CUDA_MAX_DEVICES];
    uint32_t count;
};

/* ---- opening ---------------------------------------------------------------------------- */

/* Parses the device name into the range [*first, *end). */
static int choose(const char *text, uint32_t count, uint32_t *first, uint32_t *end,
                  struct fft_reason why)
{
    char *rest;
    if (strcmp(text, "all") == 0) {
        *first = 0;
        *end = count < CUDA_MAX_DEVICES ? count : CUDA_MAX_DEVICES;
        return 0;
    }
    errno = 0;
    const unsigned long index = strtoul(text, &rest, 10);
    if (text[0] && (text[0] < '0' || text[0] > '9' || *rest || errno || index >= count)) {
        fft_reason_set(why, "no device \"%s\": there %s %u, counted from 0, and \"all\"", text,
                       count == 1 ? "is" : "are", count);
        return -EINVAL;
    }
    *first = (uint32_t)index;
    *end = *first + 1;
    return 0;
}

static void describe(struct fft_engine *e, const struct cuda_engine *cuda)
{
    const struct cuda_device *d = &cuda->devices[0];
    const int used = snprintf(e->about, sizeof e->about, "cuda: %s, %zu GiB", d->name,
                              (d->memory + ((size_t)1 << 29)) >> 30);
    if (cuda->count > 1 && used > 0 && (size_t)used < sizeof e->about)
        snprintf(e->about + used, sizeof e->about - (size_t)used, " and %u more", cuda->count - 1);
}

static int open_stream(struct cuda_engine *cuda, struct fft_reason why)
{
    cuda_device_enter(&cuda->devices[0]);
    const int result = cuda->driver.stream_create(&cuda->stream, CUDA_STREAM_NON_BLOCKING);
    cuda_device_leave(&cuda->devices[0]);
    if (result != CUDA_OK)
        cuda->stream = NULL;
    return cuda_check(&cuda->driver, result, "a stream", why);
}

static int cuda_open(struct fft_engine *e, struct fft_reason why)
{
    struct cuda_engine *cuda = e->priv;
    uint32_t first = 0, end = 0;
    int count = 0;
    pthread_mutex_init(&cuda->lock, NULL);
    int err = cuda_driver_load(&cuda->driver, why);
    if (err < 0)
        return err;
    const int result = cuda->driver.device_count(&count);
    if (result == CUDA_NO_DEVICE || (result == CUDA_OK && count < 1)) {
        fft_reason_set(why, "the NVIDIA driver finds no device");
        return -ENODEV;
    }
    err = cuda_check(&cuda->driver, result, "counting devices", why);
    if (err == 0)
        err = choose(e->device, (uint32_t)count, &first, &end, why);
    for (uint32_t i = first; err == 0 && i < end; i++)
        err = cuda_device_open(&cuda->devices[cuda->count++], &cuda->driver, i, why);
    if (err == 0)
        err = open_stream(cuda, why);
    if (err == 0)
        describe(e, cuda);
    return err;
}

static void cuda_close(struct fft_engine *e)
{
    struct cuda_engine *cuda = e->priv;
    if (cuda->stream) {
        cuda_device_enter(&cuda->devices[0]);
        cuda->driver.stream_destroy(cuda->stream);
        cuda_device_leave(&cuda->devices[0]);
    }
    for (uint32_t i = 0; i < cuda->count; i++)
        cuda_device_close(&cuda->devices[i]);
    pthread_mutex_destroy(&cuda->lock);
}

/* ---- spectra ---------------------------------------------------------------------------- */

static int cuda_can(const struct fft_engine *e, const struct fft_spectrum_config *plan,
                    struct fft_reason why)
{
    const struct cuda_engine *cuda = e->priv;
    struct cuda_spectrum spectrum;
    for (uint32_t i = 0; i < cuda->count; i++) {
        if (cuda_spectrum_plan(&spectrum, &cuda->devices[i].facts, plan) < 0) {
            fft_reason_set(why, "no kernels for n = %u on %s", plan->n, cuda->devices[i].name);
            return -ENOTSUP;
        }
    }
    return 0;
}

/* Of every device: staging, in case the ring cannot be pinned, results, and tables to upload. */
static size_t cuda_device_bytes(const struct fft_engine *e, const struct fft_spectrum_config *plan)
{
    const struct cuda_engine *cuda = e->priv;
    const uint32_t depth = (plan->depth + cuda->count - 1) / cuda->count;
    struct cuda_spectrum s;
    size_t bytes = 0;
    for (uint32_t i = 0; i < cuda->count; i++) {
        if (cuda_spectrum_plan(&s, &cuda->devices[i].facts, plan) < 0)
            return 0;
        bytes += depth * (s.samples_bytes + s.result.bytes + CUDA_DONE_BYTES) + s.tables_bytes;
    }
    return bytes;
}

static int pin_memory(struct cuda_work *work, struct cuda_engine *cuda,
                      const struct fft_spectrum_config *plan, struct fft_reason why)
{
    struct cuda_pinned_region *ring = &cuda->ring;
    int err = 0;
    work->shares_ring = cuda->ring_users == 0 ||
                        (ring->memory == plan->memory && ring->bytes == plan->memory_bytes);
    if (cuda->ring_users == 0 || !work->shares_ring)
        err = cuda_pinned_register(&work->region, &cuda->driver, plan->memory, plan->memory_bytes,
                                   why);
    else
        work->region = *ring;
    if (err == 0 && work->shares_ring) {
        *ring = work->region;
        cuda->ring_users++;
    }
    return err;
}

static void unpin_memory(struct cuda_work *work, struct cuda_engine *cuda)
{
    if (!work->region.bytes || (work->shares_ring && --cuda->ring_users > 0))
        return;
    cuda_pinned_unregister(&work->region, &cuda->driver);
}

/* If the memory of the caller cannot be pinned, samples are staged, which is slower. */
static void pin(struct fft_spectrum *s, struct cuda_work *work, struct cuda_engine *cuda)
{
    char text[96] = "";
    if (!s->config.memory)
        return;
    pthread_mutex_lock(&cuda->lock);
    cuda_device_enter(&cuda->devices[0]);
    const int err = pin_memory(work, cuda, &s->config, (struct fft_reason){text, sizeof text});
    cuda_device_leave(&cuda->devices[0]);
    pthread_mutex_unlock(&cuda->lock);
    if (err < 0)
        snprintf(s->note, sizeof s->note, "staging (%s)", text);
}

static int cuda_spectrum_init(struct fft_spectrum *s)
{
    struct cuda_engine *cuda = s->engine->priv;
    struct cuda_work *work = s->priv;
    const uint32_t depth = (s->config.depth + cuda->count - 1) / cuda->count;
    int err = 0;

    pin(s, work, cuda);
    while (err == 0 && work->count < cuda->count) {
        const uint32_t i = work->count++;
        err = cuda_batch_queue_init(&work->queues[i], &cuda->devices[i], &s->config, depth,
                                    work->region.bytes ? &work->region : NULL,
                                    fft_spectrum_reason(s));
    }
    return err;
}

static void cuda_spectrum_finish(struct fft_spectrum *s)
{
    struct cuda_engine *cuda = s->engine->priv;
    struct cuda_work *work = s->priv;
    for (uint32_t i = 0; i < work->count; i++)
        cuda_batch_queue_finish(&work->queues[i]);
    pthread_mutex_lock(&cuda->lock);
    cuda_device_enter(&cuda->devices[0]);
    unpin_memory(work, cuda);
    cuda_device_leave(&cuda->devices[0]);
    pthread_mutex_unlock(&cuda->lock);
}

static int cuda_submit(struct fft_spectrum *s, struct batch *b)
{
    struct cuda_work *work = s->priv;
    return cuda_batch_queue_submit(&work->queues[s->submitted % work->count], b);
}

static int cuda_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    struct cuda_work *work = s->priv;
    return cuda_batch_queue_poll(&work->queues[s->polled % work->count], b, timeout_ms);
}

const struct engine_ops cuda_engine_ops = {
    .name = "cuda",
    .about = "NVIDIA GPUs, through their driver",
    .corrects = true,
    .plans_concurrently = true,
    .pins_memory = true,
    .priv_size = sizeof(struct cuda_engine),
    .spectrum_size = sizeof(struct cuda_work),
    .open = cuda_open,
    .can = cuda_can,
    .device_bytes = cuda_device_bytes,
    .spectrum_init = cuda_spectrum_init,
    .spectrum_finish = cuda_spectrum_finish,
    .submit = cuda_submit,
    .poll = cuda_poll,
    .close = cuda_close,
    .real_passes = true,
    .pass_size = sizeof(struct cuda_pass_state),
    .pass_init = cuda_pass_init,
    .pass_finish = cuda_pass_finish,
    .pass_run = cuda_pass_run,
    .pass_joins = cuda_pass_joins_axes,
    .buffer_size = sizeof(struct cuda_memory),
    .buffer_create = cuda_memory_create,
    .buffer_map = cuda_memory_map,
    .buffer_unmap = cuda_memory_unmap,
    .buffer_destroy = cuda_memory_destroy,
    .wait = cuda_memory_wait,
};
