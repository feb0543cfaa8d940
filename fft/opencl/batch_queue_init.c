/* batch_queue_init.c - everything a lane needs is taken here, before the first batch. */
#include <errno.h>
#include <stdlib.h>

#include "fft/opencl/batch_queue.h"

/* ---- plan and kernels ------------------------------------------------------------------- */

static int build(struct lane *l)
{
    const struct opencl_spectrum *s = &l->spectrum;
    const size_t length = opencl_spectrum_source(s, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return -ENOMEM;
    opencl_spectrum_source(s, text, length + 1);
    return opencl_kernels_init(&l->kernels, l->device, text, s->options, s->kernels,
                               s->kernel_count, l->why);
}

/* Of a full batch. */
static bool launches(const void *plan, uint32_t index, struct opencl_launch *out)
{
    const struct opencl_spectrum *s = plan;
    return opencl_spectrum_launch(s, 0, s->job.max_frames, index, out);
}

static int plan_once(struct lane *l, const struct fft_spectrum_plan *plan,
                     const struct opencl_choice *choice)
{
    const struct opencl_profile *profile = &l->device->profile;
    const int err = opencl_spectrum_plan(&l->spectrum, profile, plan, choice);
    if (err < 0) {
        fft_reason_set(l->why, "no such plan for %s", profile->name);
        return err;
    }
    return build(l);
}

/* With more local memory than the driver tells of, where that is known to work; it may not. */
static int plan_largest(struct lane *l, const struct fft_spectrum_plan *plan,
                        const struct opencl_choice *choice)
{
    struct opencl_profile *const profile = &l->device->profile;
    const int err = plan_once(l, plan, choice);
    if (err == 0 || err == -ENOTSUP || profile->local_told == 0)
        return err;
    opencl_kernels_finish(&l->kernels, l->device);
    profile->local_bytes = profile->local_told;
    profile->local_told = 0;
    return plan_once(l, plan, choice);
}

/*
 * Only the built kernels tell how many registers they need, and with that how large a group may be.
 * What is still too large is tried all the same, since some drivers tell their favourite size
 * instead.
 */
static int plan_kernels(struct lane *l, const struct fft_spectrum_plan *plan,
                        const struct opencl_choice *choice)
{
    struct opencl_choice smaller = *choice;
    int err = plan_largest(l, plan, choice);
    smaller.group = err == 0 ? opencl_kernels_limit(&l->kernels, launches, &l->spectrum) : 0;
    if (!smaller.group)
        return err;
    opencl_kernels_finish(&l->kernels, l->device);
    return plan_once(l, plan, &smaller);
}

/* ---- memory ----------------------------------------------------------------------------- */

static int take(struct lane *l, uint64_t flags, size_t bytes, struct _cl_mem **out,
                const char *what)
{
    return opencl_memory_take(l->device, flags, bytes, out, what, l->why);
}

static int map(struct lane *l, struct lane_memory *m, uint64_t flags, size_t bytes)
{
    int32_t result = OPENCL_OK;
    m->at = l->device->driver->map(l->queue, m->object, 1, flags, 0, bytes, 0, NULL, NULL, &result);
    if (result != OPENCL_OK)
        m->at = NULL;
    return opencl_check(result, "mapping memory", l->why);
}

/* Memory of the host's, mapped at once. */
static int take_mapped(struct lane *l, struct lane_memory *m, uint64_t flags, size_t bytes,
                       const char *what)
{
    const int err = take(l, OPENCL_MEM_ALLOC_HOST, bytes, &m->object, what);
    return err < 0 ? err : map(l, m, flags, bytes);
}

static int take_samples(struct lane *l, struct lane_memory *m)
{
    const size_t bytes = l->spectrum.samples_bytes;
    if (l->unified)
        return take_mapped(l, m, OPENCL_MAP_WRITE_WHOLE, bytes, "memory for samples");
    return take(l, 0, bytes, &m->object, "memory for samples");
}

static int take_slot(struct lane *l, struct lane_slot *slot)
{
    const size_t bytes = l->spectrum.result.bytes;
    int err = take(l, l->unified ? OPENCL_MEM_ALLOC_HOST : 0, bytes, &slot->result.object,
                   "memory for results");
    if (err == 0 && !l->unified)
        err = take_mapped(l, &slot->landing, OPENCL_MAP_READ, bytes, "memory for results");
    if (err == 0 && !l->unified)
        err = take_mapped(l, &slot->staging, OPENCL_MAP_WRITE_WHOLE, l->spectrum.samples_bytes,
                          "memory for samples");
    return err;
}

static int take_tables(struct lane *l)
{
    const size_t bytes = l->spectrum.tables_bytes;
    void *tables = malloc(bytes + 1);
    if (!tables)
        return -ENOMEM;
    opencl_spectrum_tables(&l->spectrum, tables);
    const int err = opencl_tables_take(l->device, l->queue, tables, bytes, &l->tables,
                                       "memory for tables", l->why);
    free(tables);
    return err;
}

static int take_memory(struct lane *l)
{
    int err = take_tables(l);
    if (err == 0 && l->spectrum.scratch_bytes)
        err = take(l, 0, l->spectrum.scratch_bytes, &l->scratch, "memory between kernels");
    for (uint32_t i = 0; err == 0 && i < l->depth + 1; i++)
        err = take_samples(l, &l->samples[i]);
    for (uint32_t i = 0; err == 0 && i < l->depth; i++)
        err = take_slot(l, &l->slots[i]);
    return err;
}

/* ---- init and finish -------------------------------------------------------------------- */

int opencl_lane_init(struct lane *l, struct opencl_device *device,
                     const struct fft_spectrum_plan *plan, const struct opencl_choice *choice,
                     struct reason why)
{
    *l = (struct lane){
        .device = device, .depth = plan->depth, .unified = device->profile.unified, .why = why};
    int err = plan_kernels(l, plan, choice);
    if (err == 0)
        err = opencl_queue_create(device, &l->queue, why);
    if (err == 0 && !l->unified)
        err = opencl_queue_create(device, &l->copies, why);
    return err < 0 ? err : take_memory(l);
}

static void give_back(struct lane *l, struct lane_memory *m)
{
    const struct opencl_driver *d = l->device->driver;
    if (m->at)
        d->unmap(l->queue, m->object, m->at, 0, NULL, NULL);
    if (m->object)
        d->buffer_release(m->object);
}

/* On a device that was lost all of this fails, and what it should have freed is gone anyway. */
void opencl_lane_finish(struct lane *l)
{
    if (!l->device)
        return;
    const struct opencl_driver *d = l->device->driver;
    if (l->queue)
        d->finish(l->queue);
    for (uint32_t i = 0; i < LANE_SAMPLES; i++)
        give_back(l, &l->samples[i]);
    for (uint32_t i = 0; i < l->depth; i++) {
        struct lane_slot *slot = &l->slots[i];
        give_back(l, &slot->result);
        give_back(l, &slot->landing);
        give_back(l, &slot->staging);
        if (slot->done)
            d->event_release(slot->done);
    }
    if (l->tables)
        d->buffer_release(l->tables);
    if (l->scratch)
        d->buffer_release(l->scratch);
    opencl_queue_destroy(l->device, l->copies);
    opencl_queue_destroy(l->device, l->queue);
    opencl_kernels_finish(&l->kernels, l->device);
    *l = (struct lane){0};
}
