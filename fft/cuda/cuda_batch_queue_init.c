/* cuda_batch_queue_init.c - allocates and frees all resources of a batch queue. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/cuda_batch_queue.h"

enum {
    ALIGN = 256,
    SHORT_BYTES = 32 << 10, /* up to this size, kernels read across the bus faster than a copy */
};

static int check(const struct cuda_batch_queue *q, int result, const char *what)
{
    return cuda_check(q->device->driver, result, what, q->why);
}

static size_t align(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int find_kernels(struct cuda_batch_queue *q)
{
    const char *module, *name;
    uint32_t shared;
    int err = 0;
    for (uint32_t i = 0; err == 0 && cuda_spectrum_kernel(&q->spectrum, i, &module, &name, &shared);
         i++)
        err = cuda_kernels_add(&q->kernels, q->device, module, name, shared, q->why);
    return err;
}

static int count_clusters(struct cuda_batch_queue *q)
{
    struct cuda_launch launch;
    uint32_t most;
    if (!cuda_spectrum_cluster(&q->spectrum, &launch))
        return 0;
    const int err = cuda_kernels_clusters(&q->kernels, q->device, &launch, &most, q->why);
    if (err == 0)
        cuda_spectrum_limit_clusters(&q->spectrum, most);
    return err;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool is_direct(const struct cuda_batch_queue *q)
{
    return q->is_short; /* the kernels write to host memory */
}

/* Divides the one device allocation. Returns its size; q->memory may still be 0. */
static size_t set_layout(struct cuda_batch_queue *q)
{
    size_t at = 0;
    q->tables = q->memory + at;
    at += align(q->spectrum.tables_bytes);
    for (uint32_t i = 0; i < BATCH_QUEUE_STREAMS; i++) {
        q->scratch[i] = q->memory + at;
        at += align(q->spectrum.scratch_bytes);
    }
    q->samples = q->memory + at;
    at += q->is_short ? 0 : align(q->window.bytes);
    for (uint32_t i = 0; i < q->depth; i++) {
        q->entries[i].device_result = is_direct(q) ? q->entries[i].result.address : q->memory + at;
        at += is_direct(q) ? 0 : align(q->spectrum.result.bytes);
    }
    return at;
}

static int create_entry(struct cuda_batch_queue *q, struct cuda_batch_entry *entry)
{
    const struct cuda_driver *d = q->device->driver;
    const bool staged = q->is_short || !q->region;
    int err = check(q, d->event_create(&entry->copied, CUDA_EVENT_NO_TIMING), "an event");
    if (err == 0)
        err = check(q, d->event_create(&entry->done, CUDA_EVENT_NO_TIMING), "an event");
    if (err == 0)
        err = cuda_pinned_alloc(&entry->result, d, q->spectrum.result.bytes + CUDA_DONE_BYTES,
                                q->why);
    if (err == 0 && staged)
        err = cuda_pinned_alloc(&entry->staging, d, q->spectrum.samples_bytes, q->why);
    return err;
}

static int create_streams(struct cuda_batch_queue *q)
{
    const struct cuda_driver *d = q->device->driver;
    int err = check(q, d->stream_create(&q->copy, CUDA_STREAM_NON_BLOCKING), "a stream");
    for (uint32_t i = 0; err == 0 && i < BATCH_QUEUE_STREAMS; i++)
        err = check(q, d->stream_create(&q->compute[i], CUDA_STREAM_NON_BLOCKING), "a stream");
    return err;
}

/* While the device has too little memory, plans smaller chunks of frames, down to one frame. */
static int allocate_memory(struct cuda_batch_queue *q)
{
    cuda_address memory = 0;
    char what[80];
    size_t bytes;
    int result;
    do {
        bytes = set_layout(q);
        result = q->device->driver->memory_alloc(&memory, bytes);
    } while (result == CUDA_OUT_OF_MEMORY && !q->is_short && cuda_spectrum_shrink(&q->spectrum));
    snprintf(what, sizeof what, "%zu KiB of device memory for spectra of %u points",
             (bytes + 1023) >> 10, q->spectrum.plan.n);
    if (result != CUDA_OK)
        return check(q, result, what);
    q->memory = memory;
    set_layout(q);
    return 0;
}

/*
 * If the wait fails, the copy may still be running: cuda_batch_queue_finish waits again and frees
 * the block.
 */
static int upload_tables(struct cuda_batch_queue *q)
{
    const struct cuda_driver *d = q->device->driver;
    q->upload = malloc(q->spectrum.tables_bytes + 1);
    if (!q->upload)
        return -ENOMEM;
    cuda_spectrum_tables(&q->spectrum, q->upload);
    int result = d->copy_in(q->tables, q->upload, q->spectrum.tables_bytes, q->copy);
    if (result == CUDA_OK)
        result = d->stream_finish(q->copy);
    if (result != CUDA_OK)
        return check(q, result, "copying tables to the device");
    free(q->upload);
    q->upload = NULL;
    return 0;
}

/* ---- init and finish -------------------------------------------------------------------- */

static int init_in_context(struct cuda_batch_queue *q)
{
    int err = find_kernels(q);
    if (err == 0)
        err = count_clusters(q);
    if (err == 0)
        err = create_streams(q);
    for (uint32_t i = 0; err == 0 && i < q->depth; i++)
        err = create_entry(q, &q->entries[i]);
    if (err == 0)
        err = allocate_memory(q);
    return err < 0 ? err : upload_tables(q);
}

int cuda_batch_queue_init(struct cuda_batch_queue *q, struct cuda_device *device,
                          const struct fft_spectrum_config *plan, uint32_t depth,
                          const struct cuda_pinned_region *region, struct fft_reason why)
{
    *q = (struct cuda_batch_queue){.device = device, .depth = depth, .region = region, .why = why};
    int err = cuda_spectrum_plan(&q->spectrum, &device->facts, plan);
    if (err < 0) {
        fft_reason_set(why, "n = %u does not fit into %s", plan->n, device->name);
        return err;
    }
    q->is_short = q->spectrum.result.write_once && q->spectrum.samples_bytes <= SHORT_BYTES &&
                  q->spectrum.result.bytes <= SHORT_BYTES;
    q->window =
        (struct cuda_span_window){.bytes = cuda_span_window_bytes(q->spectrum.samples_bytes, depth),
                                  .sample_bytes = fft_iq_bytes(plan->format)};
    cuda_device_enter(device);
    err = init_in_context(q);
    cuda_device_leave(device);
    return err;
}

static void free_entry(struct cuda_batch_entry *entry, const struct cuda_driver *d)
{
    if (entry->graph)
        d->graph_free(entry->graph);
    if (entry->recorded)
        d->graph_destroy(entry->recorded);
    if (entry->copied)
        d->event_destroy(entry->copied);
    if (entry->done)
        d->event_destroy(entry->done);
    cuda_pinned_free(&entry->staging, d);
    cuda_pinned_free(&entry->result, d);
}

static void finish_stream(struct CUstream_st *stream, const struct cuda_driver *d)
{
    if (!stream)
        return;
    d->stream_finish(stream);
    d->stream_destroy(stream);
}

/* On a lost device all these calls fail; its resources are gone anyway. */
void cuda_batch_queue_finish(struct cuda_batch_queue *q)
{
    if (!q->device)
        return;
    const struct cuda_driver *d = q->device->driver;
    cuda_device_enter(q->device);
    finish_stream(q->copy, d);
    free(q->upload);
    for (uint32_t i = 0; i < BATCH_QUEUE_STREAMS; i++)
        finish_stream(q->compute[i], d);
    for (uint32_t i = 0; i < q->depth; i++)
        free_entry(&q->entries[i], d);
    if (q->memory)
        d->memory_free(q->memory);
    cuda_device_leave(q->device);
    *q = (struct cuda_batch_queue){0};
}
