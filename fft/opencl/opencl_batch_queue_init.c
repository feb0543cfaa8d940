/* opencl_batch_queue_init.c - builds the kernels and allocates the memory of a batch queue before
 * its first batch. */
#include <errno.h>
#include <stdlib.h>

#include "fft/opencl/opencl_batch_queue.h"

/* ---- plan and kernels ------------------------------------------------------------------- */

static int build(struct opencl_batch_queue *q)
{
    const struct opencl_spectrum *s = &q->spectrum;
    const size_t length = opencl_spectrum_source(s, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return -ENOMEM;
    opencl_spectrum_source(s, text, length + 1);
    const struct opencl_kernels_source source = {text, s->options, s->kernels, s->kernel_count};
    return opencl_kernels_init(&q->kernels, q->device, &source, q->why);
}

/* The launches of a full batch. */
static bool launches(const void *plan, uint32_t index, struct opencl_launch *out)
{
    const struct opencl_spectrum *s = plan;
    return opencl_spectrum_launch(s, 0, s->spec.max_frames, index, out);
}

static int plan_once(struct opencl_batch_queue *q, const struct fft_spectrum_config *plan,
                     const struct opencl_choice *choice)
{
    const struct opencl_profile *profile = &q->device->profile;
    const int err = opencl_spectrum_plan(&q->spectrum, profile, plan, choice);
    if (err < 0) {
        fft_reason_set(q->why, "no such plan for %s", profile->name);
        return err;
    }
    return build(q);
}

/* Plans with more local memory than the driver reports, where that is known to work. If the build
 * fails, plans again with the reported size. */
static int plan_largest(struct opencl_batch_queue *q, const struct fft_spectrum_config *plan,
                        const struct opencl_choice *choice)
{
    struct opencl_profile *const profile = &q->device->profile;
    const int err = plan_once(q, plan, choice);
    if (err == 0 || err == -ENOTSUP || profile->local_reported == 0)
        return err;
    opencl_kernels_finish(&q->kernels);
    profile->local_bytes = profile->local_reported;
    profile->local_reported = 0;
    return plan_once(q, plan, choice);
}

/*
 * The register use of a kernel, and with it the largest group, is known only after the build. If
 * kernels allow less than the plan uses, this plans again with smaller groups. A group that is
 * still too large is launched anyway, since some drivers report their preferred size instead of the
 * limit.
 */
static int plan_kernels(struct opencl_batch_queue *q, const struct fft_spectrum_config *plan,
                        const struct opencl_choice *choice)
{
    struct opencl_choice smaller = *choice;
    int err = plan_largest(q, plan, choice);
    smaller.group = err == 0 ? opencl_kernels_limit(&q->kernels, launches, &q->spectrum) : 0;
    if (!smaller.group)
        return err;
    opencl_kernels_finish(&q->kernels);
    return plan_once(q, plan, &smaller);
}

/* ---- memory ----------------------------------------------------------------------------- */

static int allocate(struct opencl_batch_queue *q, uint64_t flags, size_t bytes,
                    struct _cl_mem **out, const char *what)
{
    return opencl_memory_allocate(q->device, flags, bytes, out, what, q->why);
}

/* Allocates host memory and maps it. */
static int allocate_mapped(struct opencl_batch_queue *q, struct opencl_memory *m, uint64_t flags,
                           size_t bytes, const char *what)
{
    const int err = allocate(q, OPENCL_MEM_ALLOC_HOST, bytes, &m->object, what);
    return err < 0 ? err : opencl_memory_map_now(q->device, q->queue, m, flags, bytes, q->why);
}

static int allocate_samples(struct opencl_batch_queue *q, struct opencl_memory *m)
{
    const size_t bytes = q->spectrum.samples_bytes;
    if (q->unified)
        return allocate_mapped(q, m, OPENCL_MAP_WRITE_WHOLE, bytes, "memory for samples");
    return allocate(q, 0, bytes, &m->object, "memory for samples");
}

static int allocate_entry(struct opencl_batch_queue *q, struct opencl_batch_entry *entry)
{
    const size_t bytes = q->spectrum.result.bytes;
    int err = allocate(q, q->unified ? OPENCL_MEM_ALLOC_HOST : 0, bytes, &entry->result.object,
                       "memory for results");
    if (err == 0 && !q->unified)
        err = allocate_mapped(q, &entry->readback, OPENCL_MAP_READ, bytes, "memory for results");
    if (err == 0 && !q->unified && !q->pinned)
        err = allocate_mapped(q, &entry->staging, OPENCL_MAP_WRITE_WHOLE, q->spectrum.samples_bytes,
                              "memory for samples");
    return err;
}

static int upload_tables(struct opencl_batch_queue *q)
{
    const size_t bytes = q->spectrum.tables_bytes;
    void *tables = malloc(bytes + 1);
    if (!tables)
        return -ENOMEM;
    opencl_spectrum_tables(&q->spectrum, tables);
    const int err = opencl_tables_upload(q->device, q->queue, tables, bytes, &q->tables, q->why);
    free(tables);
    return err;
}

static int allocate_memory(struct opencl_batch_queue *q)
{
    int err = upload_tables(q);
    if (err == 0 && q->spectrum.scratch_bytes)
        err = allocate(q, 0, q->spectrum.scratch_bytes, &q->scratch, "memory between kernels");
    for (uint32_t i = 0; err == 0 && i < q->depth + 1; i++)
        err = allocate_samples(q, &q->samples[i]);
    for (uint32_t i = 0; err == 0 && i < q->depth; i++)
        err = allocate_entry(q, &q->entries[i]);
    return err;
}

/* ---- init and finish -------------------------------------------------------------------- */

int opencl_batch_queue_init(struct opencl_batch_queue *q, struct opencl_device *device,
                            const struct fft_spectrum_config *plan,
                            const struct opencl_choice *choice, struct fft_reason why)
{
    *q = (struct opencl_batch_queue){
        .device = device, .depth = plan->depth, .unified = device->profile.unified, .why = why};
    int err = plan_kernels(q, plan, choice);
    if (err == 0)
        err = opencl_queue_create(device, &q->queue, why);
    if (err == 0 && !q->unified)
        err = opencl_queue_create(device, &q->copies, why);
    if (err == 0 && !q->unified && plan->memory)
        q->pinned = opencl_pinned_acquire(device, q->queue, plan->memory, plan->memory_bytes);
    return err < 0 ? err : allocate_memory(q);
}

static void release_memory(struct opencl_batch_queue *q, struct opencl_memory *m)
{
    const struct opencl_driver *d = q->device->driver;
    if (m->at)
        d->unmap(q->queue, m->object, m->at, 0, NULL, NULL);
    if (m->object)
        d->buffer_release(m->object);
}

/* On a lost device every call here fails, and the memory is gone anyway. */
void opencl_batch_queue_finish(struct opencl_batch_queue *q)
{
    if (!q->device)
        return;
    const struct opencl_driver *d = q->device->driver;
    if (q->queue)
        d->finish(q->queue);
    if (q->pinned) {
        d->finish(q->copies);
        opencl_pinned_release(q->device, q->queue, q->pinned);
    }
    for (uint32_t i = 0; i < OPENCL_SAMPLE_BUFFERS; i++)
        release_memory(q, &q->samples[i]);
    for (uint32_t i = 0; i < q->depth; i++) {
        struct opencl_batch_entry *entry = &q->entries[i];
        release_memory(q, &entry->result);
        release_memory(q, &entry->readback);
        release_memory(q, &entry->staging);
        if (entry->done)
            d->event_release(entry->done);
    }
    if (q->tables)
        d->buffer_release(q->tables);
    if (q->scratch)
        d->buffer_release(q->scratch);
    opencl_queue_destroy(q->device, q->copies);
    opencl_queue_destroy(q->device, q->queue);
    opencl_kernels_finish(&q->kernels);
    *q = (struct opencl_batch_queue){0};
}
