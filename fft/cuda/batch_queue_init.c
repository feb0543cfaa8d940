/* batch_queue_init.c - everything a lane needs is taken here, before the first batch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/batch_queue.h"

enum {
    ALIGN = 256,
    DONE_BYTES = 4,         /* the word behind a result: batch_queue.c */
    SHORT_BYTES = 32 << 10, /* up to here the bus is quicker read by kernels than by a copy */
};

static int check(const struct lane *l, int result, const char *what)
{
    return cuda_check(l->device->driver, result, what, l->why);
}

static size_t align(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int find_kernels(struct lane *l)
{
    const char *module, *name;
    uint32_t shared;
    int err = 0;
    for (uint32_t i = 0; err == 0 && cuda_spectrum_kernel(&l->spectrum, i, &module, &name, &shared);
         i++)
        err = kernels_add(&l->kernels, l->device, module, name, shared, l->why);
    return err;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool is_direct(const struct lane *l)
{
    return l->is_short; /* the kernels write into the host's memory */
}

/* The device's memory is one piece; with l->memory still 0 this tells its size. */
static size_t lay_out(struct lane *l)
{
    size_t at = 0;
    l->tables = l->memory + at;
    at += align(l->spectrum.tables_bytes);
    for (uint32_t i = 0; i < LANE_STREAMS; i++) {
        l->scratch[i] = l->memory + at;
        at += align(l->spectrum.scratch_bytes);
    }
    l->samples = l->memory + at;
    at += l->is_short ? 0 : align(l->arena.bytes);
    for (uint32_t i = 0; i < l->depth; i++) {
        l->slots[i].device_result = is_direct(l) ? l->slots[i].result.address : l->memory + at;
        at += is_direct(l) ? 0 : align(l->spectrum.result.bytes);
    }
    return at;
}

static int take_slot(struct lane *l, struct lane_slot *slot)
{
    const struct cuda_driver *d = l->device->driver;
    const bool staged = l->is_short || !l->region;
    int err = check(l, d->event_create(&slot->copied, CUDA_EVENT_NO_TIMING), "an event");
    if (err == 0)
        err = check(l, d->event_create(&slot->done, CUDA_EVENT_NO_TIMING), "an event");
    if (err == 0)
        err = pinned_take(&slot->result, d, l->spectrum.result.bytes + DONE_BYTES, l->why);
    if (err == 0 && staged)
        err = pinned_take(&slot->staging, d, l->spectrum.samples_bytes, l->why);
    return err;
}

static int take_streams(struct lane *l)
{
    const struct cuda_driver *d = l->device->driver;
    int err = check(l, d->stream_create(&l->copy, CUDA_STREAM_NON_BLOCKING), "a stream");
    for (uint32_t i = 0; err == 0 && i < LANE_STREAMS; i++)
        err = check(l, d->stream_create(&l->compute[i], CUDA_STREAM_NON_BLOCKING), "a stream");
    return err;
}

/* In smaller chunks of frames, as long as the device has too little memory, down to a frame each.
 */
static int take_memory(struct lane *l)
{
    cuda_address memory = 0;
    char what[80];
    size_t bytes;
    int result;
    do {
        bytes = lay_out(l);
        result = l->device->driver->memory_take(&memory, bytes);
    } while (result == CUDA_OUT_OF_MEMORY && !l->is_short && cuda_spectrum_shrink(&l->spectrum));
    snprintf(what, sizeof what, "%zu KiB of device memory for spectra of %u points",
             (bytes + 1023) >> 10, l->spectrum.job.n);
    if (result != CUDA_OK)
        return check(l, result, what);
    l->memory = memory;
    lay_out(l);
    return 0;
}

/* When the wait fails nobody knows whether the copy is over: lane_finish, which waits again, frees
 * it. */
static int upload_tables(struct lane *l)
{
    const struct cuda_driver *d = l->device->driver;
    l->upload = malloc(l->spectrum.tables_bytes + 1);
    if (!l->upload)
        return -ENOMEM;
    cuda_spectrum_tables(&l->spectrum, l->upload);
    int result = d->copy_in(l->tables, l->upload, l->spectrum.tables_bytes, l->copy);
    if (result == CUDA_OK)
        result = d->stream_finish(l->copy);
    if (result != CUDA_OK)
        return check(l, result, "copying tables to the device");
    free(l->upload);
    l->upload = NULL;
    return 0;
}

/* ---- init and finish -------------------------------------------------------------------- */

static int init_here(struct lane *l)
{
    int err = find_kernels(l);
    if (err == 0)
        err = take_streams(l);
    for (uint32_t i = 0; err == 0 && i < l->depth; i++)
        err = take_slot(l, &l->slots[i]);
    if (err == 0)
        err = take_memory(l);
    return err < 0 ? err : upload_tables(l);
}

int lane_init(struct lane *l, struct cuda_device *device, const struct fft_spectrum_plan *plan,
              uint32_t depth, const struct pinned_region *region, struct reason why)
{
    *l = (struct lane){.device = device, .depth = depth, .region = region, .why = why};
    int err = cuda_spectrum_plan(&l->spectrum, &device->facts, plan);
    if (err < 0) {
        fft_reason_set(why, "n = %u does not fit into %s", plan->n, device->name);
        return err;
    }
    l->is_short = l->spectrum.result.once && l->spectrum.samples_bytes <= SHORT_BYTES &&
                  l->spectrum.result.bytes <= SHORT_BYTES;
    l->arena = (struct arena){.bytes = arena_bytes(l->spectrum.samples_bytes, depth),
                              .sample_bytes = fft_iq_bytes(plan->format)};
    cuda_device_enter(device);
    err = init_here(l);
    cuda_device_leave(device);
    return err;
}

static void free_slot(struct lane_slot *slot, const struct cuda_driver *d)
{
    if (slot->graph)
        d->graph_free(slot->graph);
    if (slot->recorded)
        d->graph_destroy(slot->recorded);
    if (slot->copied)
        d->event_destroy(slot->copied);
    if (slot->done)
        d->event_destroy(slot->done);
    pinned_free(&slot->staging, d);
    pinned_free(&slot->result, d);
}

static void end_stream(struct CUstream_st *stream, const struct cuda_driver *d)
{
    if (!stream)
        return;
    d->stream_finish(stream);
    d->stream_destroy(stream);
}

/* On a device that was lost all of this fails, and what it should have freed is gone anyway. */
void lane_finish(struct lane *l)
{
    if (!l->device)
        return;
    const struct cuda_driver *d = l->device->driver;
    cuda_device_enter(l->device);
    end_stream(l->copy, d);
    free(l->upload);
    for (uint32_t i = 0; i < LANE_STREAMS; i++)
        end_stream(l->compute[i], d);
    for (uint32_t i = 0; i < l->depth; i++)
        free_slot(&l->slots[i], d);
    if (l->memory)
        d->memory_free(l->memory);
    cuda_device_leave(l->device);
    *l = (struct lane){0};
}
