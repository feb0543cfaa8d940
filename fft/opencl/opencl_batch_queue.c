/* opencl_batch_queue.c - submits and polls batches: uploads samples, launches kernels, reads
 * results back. */
#include "fft/opencl/opencl_batch_queue.h"

#include <string.h>
#include <time.h>

#include "fft/correction.h"
#include "fft/mirror.h"
#include "fft/monotonic.h"

static int check(const struct opencl_batch_queue *q, int32_t result, const char *what)
{
    return opencl_check(result, what, q->why);
}

/* ---- samples ---------------------------------------------------------------------------- */

/* The samples of a batch that need no upload. Counts are in samples. */
struct sample_reuse {
    size_t all, reused; /* the first `reused` ones are at `tail` of the previous batch */
    size_t bytes;       /* of one sample */
};

static struct sample_reuse find_reuse(struct opencl_batch_queue *q, const struct batch *b)
{
    const struct fft_spectrum_config *spec = &q->spectrum.spec;
    const size_t frames = b->partial.frames;
    struct sample_reuse s = {.all = (frames - 1) * spec->hop + spec->n,
                             .bytes = fft_iq_bytes(spec->format)};
    if (q->submitted > 0 && b->partial.position == q->next)
        s.reused = spec->n - spec->hop;
    return s;
}

static struct opencl_memory *samples_of(struct opencl_batch_queue *q, uint64_t batch)
{
    return &q->samples[batch % (q->depth + 1)];
}

static int copy_reused(struct opencl_batch_queue *q, const struct sample_reuse *s)
{
    if (s->reused == 0)
        return 0;
    return check(q,
                 q->device->driver->copy(q->queue, samples_of(q, q->submitted - 1)->object,
                                         samples_of(q, q->submitted)->object, q->tail * s->bytes, 0,
                                         s->reused * s->bytes, 0, NULL, NULL),
                 "moving samples on the device");
}

/* Copies the new samples of the span once, into mapped memory. */
static void copy_new(void *to, const struct batch *b, const struct sample_reuse *s, size_t at)
{
    memcpy((char *)to + at, (const char *)b->span + s->reused * s->bytes,
           (s->all - s->reused) * s->bytes);
}

static int unmap(const struct opencl_batch_queue *q, struct opencl_memory *m)
{
    if (!m->at)
        return 0;
    const int err = check(q, q->device->driver->unmap(q->queue, m->object, m->at, 0, NULL, NULL),
                          "unmapping memory");
    m->at = NULL;
    return err;
}

/* Shared memory: fills the mapped buffer and gives it, and the result, to the device. */
static int upload_mapped(struct opencl_batch_queue *q, struct opencl_batch_entry *entry,
                         const struct batch *b, const struct sample_reuse *s)
{
    struct opencl_memory *samples = samples_of(q, q->submitted);
    copy_new(samples->at, b, s, s->reused * s->bytes);
    int err = unmap(q, samples);
    if (err == 0)
        err = unmap(q, &entry->result);
    return err < 0 ? err : copy_reused(q, s);
}

/* The copies of a batch happen in order: the caller gets the event of the last one. */
static int32_t write_piece(struct opencl_batch_queue *q, size_t at, const void *from, size_t bytes,
                           struct _cl_event **last)
{
    if (*last)
        q->device->driver->event_release(*last);
    *last = NULL;
    return q->device->driver->write(q->copies, samples_of(q, q->submitted)->object, 0, at, bytes,
                                    from, 0, NULL, last);
}

/* From the caller's block: two pieces where the span goes over its end. */
static int32_t write_pinned(struct opencl_batch_queue *q, const struct batch *b,
                            const struct sample_reuse *s, struct _cl_event **last)
{
    int32_t result = OPENCL_OK;
    size_t at = s->reused * s->bytes, piece;
    for (const size_t end = s->all * s->bytes; result == OPENCL_OK && at < end; at += piece) {
        piece = end - at;
        const void *from = fft_mirror_piece(q->pinned->block, q->pinned->bytes,
                                            (const char *)b->span + at, &piece);
        result = write_piece(q, at, from, piece, last);
    }
    return result;
}

static int32_t write_staged(struct opencl_batch_queue *q, const struct opencl_batch_entry *entry,
                            const struct batch *b, const struct sample_reuse *s,
                            struct _cl_event **last)
{
    copy_new(entry->staging.at, b, s, 0);
    return write_piece(q, s->reused * s->bytes, entry->staging.at, (s->all - s->reused) * s->bytes,
                       last);
}

/* Across a bus. The caller releases *uploaded. */
static int upload_across_bus(struct opencl_batch_queue *q, const struct opencl_batch_entry *entry,
                             const struct batch *b, const struct sample_reuse *s,
                             struct _cl_event **uploaded)
{
    int32_t result =
        q->pinned ? write_pinned(q, b, s, uploaded) : write_staged(q, entry, b, s, uploaded);
    if (result == OPENCL_OK)
        result = q->device->driver->flush(q->copies);
    const int err = check(q, result, "copying samples to the device");
    return err < 0 ? err : copy_reused(q, s);
}

/* ---- launches and results --------------------------------------------------------------- */

static int launch_all(struct opencl_batch_queue *q, const struct opencl_batch_entry *entry,
                      const struct batch *b, struct _cl_event *uploaded)
{
    const struct raw_correction c = fft_correction_raw(&b->correction, q->spectrum.spec.format);
    const struct opencl_buffers buffers = {
        .by_role = {[OPENCL_SAMPLES] = samples_of(q, q->submitted)->object,
                    [OPENCL_TABLES] = q->tables,
                    [OPENCL_SCRATCH] = q->scratch,
                    [OPENCL_RESULT] = entry->result.object},
        .correction = {c.ii, c.qi, c.qq, c.re, c.im}};
    const uint32_t frames = b->partial.frames;
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && opencl_spectrum_launch(&q->spectrum, 0, frames, i, &next); i++)
        err = opencl_kernels_launch(&q->kernels, q->queue, &next, &buffers,
                                    i == 0 ? uploaded : NULL, q->why);
    return err;
}

static int enqueue_map(struct opencl_batch_queue *q, struct opencl_memory *m, uint64_t flags,
                       size_t bytes, struct _cl_event **event)
{
    int32_t result = OPENCL_OK;
    m->at =
        q->device->driver->map(q->queue, m->object, 0, flags, 0, bytes, 0, NULL, event, &result);
    if (result != OPENCL_OK)
        m->at = NULL;
    return check(q, result, "mapping memory");
}

/* Queues the return of everything that the host accesses after entry->done. */
static int enqueue_readback(struct opencl_batch_queue *q, struct opencl_batch_entry *entry)
{
    const size_t samples = q->spectrum.samples_bytes, result = q->spectrum.result.bytes;
    int err = 0;
    if (!q->unified)
        return check(q,
                     q->device->driver->read(q->queue, entry->result.object, 0, 0, result,
                                             entry->readback.at, 0, NULL, &entry->done),
                     "copying a result from the device");
    if (q->submitted > 0)
        err =
            enqueue_map(q, samples_of(q, q->submitted - 1), OPENCL_MAP_WRITE_WHOLE, samples, NULL);
    return err < 0 ? err : enqueue_map(q, &entry->result, OPENCL_MAP_READ, result, &entry->done);
}

/* ---- submit and poll -------------------------------------------------------------------- */

int opencl_batch_queue_submit(struct opencl_batch_queue *q, const struct batch *b)
{
    struct opencl_batch_entry *entry = &q->entries[q->submitted % q->depth];
    const struct sample_reuse reuse = find_reuse(q, b);
    struct _cl_event *uploaded = NULL;
    int err = q->unified ? upload_mapped(q, entry, b, &reuse)
                         : upload_across_bus(q, entry, b, &reuse, &uploaded);
    if (err == 0)
        err = launch_all(q, entry, b, uploaded);
    if (uploaded)
        q->device->driver->event_release(uploaded);
    if (err == 0)
        err = enqueue_readback(q, entry);
    if (err == 0)
        err = check(q, q->device->driver->flush(q->queue), "starting a batch");
    if (err < 0)
        return err;
    q->tail = (size_t)b->partial.frames * q->spectrum.spec.hop;
    q->next = b->partial.position + q->tail;
    q->submitted++;
    return 0;
}

/* Returns 0 if done, 1 if not yet, or the error of the driver. */
static int32_t query_event(const struct opencl_batch_queue *q, struct _cl_event *event)
{
    int32_t status = OPENCL_COMPLETE;
    const int32_t result =
        q->device->driver->event_info(event, OPENCL_EVENT_STATUS, sizeof status, &status, NULL);
    if (result != OPENCL_OK)
        return result;
    return status > 0 ? 1 : status;
}

/* OpenCL has no wait with a time limit, so this polls: first without a pause, then every 100 us. */
static int32_t wait_for_event(const struct opencl_batch_queue *q, struct _cl_event *event,
                              int timeout_ms)
{
    enum { SPIN_NS = 100000, SLEEP_NS = 100000 };
    const int64_t began = fft_now_ns();
    for (;;) {
        const int32_t state = query_event(q, event);
        const int64_t waited = fft_now_ns() - began;
        if (state != 1 || (timeout_ms >= 0 && waited >= (int64_t)timeout_ms * 1000000))
            return state;
        if (waited > SPIN_NS)
            nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
}

static const void *part(const void *memory, size_t at)
{
    return at == OPENCL_ABSENT ? NULL : (const char *)memory + at;
}

static void set_partial(const struct opencl_batch_queue *q, const struct opencl_batch_entry *entry,
                        struct fft_partial *p)
{
    const struct opencl_result *r = &q->spectrum.result;
    const void *memory = q->unified ? entry->result.at : entry->readback.at;
    p->sum = part(memory, r->sum);
    p->max = part(memory, r->max);
    p->min = part(memory, r->min);
    p->last = part(memory, r->last);
    p->hits = part(memory, r->hits);
}

int opencl_batch_queue_poll(struct opencl_batch_queue *q, struct batch *b, int timeout_ms)
{
    struct opencl_batch_entry *entry = &q->entries[q->polled % q->depth];
    const int32_t state = wait_for_event(q, entry->done, timeout_ms);
    if (state == 1)
        return 0;
    if (state != OPENCL_OK)
        return check(q, state, "the device was lost");
    q->device->driver->event_release(entry->done);
    entry->done = NULL;
    set_partial(q, entry, &b->partial);
    q->polled++;
    return 1;
}
