/* batch_queue.c - one batch on its way: where its samples go, what is launched, when it is done. */
#include "fft/opencl/batch_queue.h"

#include <string.h>
#include <time.h>

static int check(const struct lane *l, int32_t result, const char *what)
{
    return opencl_check(result, what, l->why);
}

/* ---- samples ---------------------------------------------------------------------------- */

/* Which samples of a batch come from where; all in samples. */
struct share {
    uint64_t all, known; /* the first `known` ones lie at `tail` of the batch before */
    size_t bytes;        /* of one sample */
};

static struct share share_of(struct lane *l, const struct batch *b)
{
    const struct fft_spectrum_plan *job = &l->spectrum.job;
    const uint64_t frames = b->partial.frames, position = b->partial.position;
    struct share s = {.all = (frames - 1) * job->hop + job->n, .bytes = fft_iq_bytes(job->format)};
    if (l->submitted > 0 && position == l->next)
        s.known = job->n - job->hop;
    return s;
}

static struct lane_memory *samples_of(struct lane *l, uint64_t batch)
{
    return &l->samples[batch % (l->depth + 1)];
}

static int move_known(struct lane *l, const struct share *s)
{
    if (s->known == 0)
        return 0;
    return check(l,
                 l->device->driver->copy(l->queue, samples_of(l, l->submitted - 1)->object,
                                         samples_of(l, l->submitted)->object, l->tail * s->bytes, 0,
                                         s->known * s->bytes, 0, NULL, NULL),
                 "moving samples on the device");
}

/* The span's fresh samples, one copy from where they lie to where they are mapped. */
static void copy_fresh(void *to, const struct batch *b, const struct share *s, size_t at)
{
    memcpy((char *)to + at, (const char *)b->span + s->known * s->bytes,
           (s->all - s->known) * s->bytes);
}

static int unmap(const struct lane *l, struct lane_memory *m)
{
    if (!m->at)
        return 0;
    const int err = check(l, l->device->driver->unmap(l->queue, m->object, m->at, 0, NULL, NULL),
                          "unmapping memory");
    m->at = NULL;
    return err;
}

/* Shared memory: what the host filled and read is the device's now. */
static int hand_over(struct lane *l, struct lane_slot *slot, const struct batch *b,
                     const struct share *s)
{
    struct lane_memory *samples = samples_of(l, l->submitted);
    copy_fresh(samples->at, b, s, s->known * s->bytes);
    int err = unmap(l, samples);
    if (err == 0)
        err = unmap(l, &slot->result);
    return err < 0 ? err : move_known(l, s);
}

/* Across the bus. *arrived: the caller releases it. */
static int send(struct lane *l, const struct lane_slot *slot, const struct batch *b,
                const struct share *s, struct _cl_event **arrived)
{
    const struct opencl_driver *d = l->device->driver;
    copy_fresh(slot->staging.at, b, s, 0);
    int err = check(l,
                    d->write(l->copies, samples_of(l, l->submitted)->object, 0, s->known * s->bytes,
                             (s->all - s->known) * s->bytes, slot->staging.at, 0, NULL, arrived),
                    "copying samples to the device");
    if (err == 0)
        err = check(l, d->flush(l->copies), "copying samples to the device");
    return err < 0 ? err : move_known(l, s);
}

/* ---- launches and results --------------------------------------------------------------- */

static int launch_all(struct lane *l, const struct lane_slot *slot, uint32_t frames,
                      struct _cl_event *arrived)
{
    const struct opencl_places places = {{[OPENCL_SAMPLES] = samples_of(l, l->submitted)->object,
                                          [OPENCL_TABLES] = l->tables,
                                          [OPENCL_SCRATCH] = l->scratch,
                                          [OPENCL_RESULT] = slot->result.object}};
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && opencl_spectrum_launch(&l->spectrum, 0, frames, i, &next); i++)
        err = opencl_kernels_launch(&l->kernels, l->device, l->queue, &next, &places,
                                    i == 0 ? arrived : NULL, l->why);
    return err;
}

static int map_later(struct lane *l, struct lane_memory *m, uint64_t flags, size_t bytes,
                     struct _cl_event **event)
{
    int32_t result = OPENCL_OK;
    m->at =
        l->device->driver->map(l->queue, m->object, 0, flags, 0, bytes, 0, NULL, event, &result);
    if (result != OPENCL_OK)
        m->at = NULL;
    return check(l, result, "mapping memory");
}

/* Everything that the host will touch once slot->done says so. */
static int take_back(struct lane *l, struct lane_slot *slot)
{
    const size_t samples = l->spectrum.samples_bytes, result = l->spectrum.result.bytes;
    int err = 0;
    if (!l->unified)
        return check(l,
                     l->device->driver->read(l->queue, slot->result.object, 0, 0, result,
                                             slot->landing.at, 0, NULL, &slot->done),
                     "copying a result from the device");
    if (l->submitted > 0)
        err = map_later(l, samples_of(l, l->submitted - 1), OPENCL_MAP_WRITE_WHOLE, samples, NULL);
    return err < 0 ? err : map_later(l, &slot->result, OPENCL_MAP_READ, result, &slot->done);
}

/* ---- submit and poll -------------------------------------------------------------------- */

int opencl_lane_submit(struct lane *l, const struct batch *b)
{
    struct lane_slot *slot = &l->slots[l->submitted % l->depth];
    const struct share share = share_of(l, b);
    struct _cl_event *arrived = NULL;
    int err = l->unified ? hand_over(l, slot, b, &share) : send(l, slot, b, &share, &arrived);
    if (err == 0)
        err = launch_all(l, slot, b->partial.frames, arrived);
    if (arrived)
        l->device->driver->event_release(arrived);
    if (err == 0)
        err = take_back(l, slot);
    if (err == 0)
        err = check(l, l->device->driver->flush(l->queue), "starting a batch");
    if (err < 0)
        return err;
    l->tail = (uint64_t)b->partial.frames * l->spectrum.job.hop;
    l->next = b->partial.position + l->tail;
    l->submitted++;
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 0: done; 1: not yet; else the driver's error. */
static int32_t look(const struct lane *l, struct _cl_event *event)
{
    int32_t status = OPENCL_COMPLETE;
    const int32_t result =
        l->device->driver->event_info(event, OPENCL_EVENT_STATUS, sizeof status, &status, NULL);
    if (result != OPENCL_OK)
        return result;
    return status > 0 ? 1 : status;
}

/* OpenCL has no wait with an end, so this looks: at first without pause, then every 100 us. */
static int32_t await(const struct lane *l, struct _cl_event *event, int timeout_ms)
{
    enum { HURRY_NS = 100000, PAUSE_NS = 100000 };
    const int64_t began = now_ns();
    for (;;) {
        const int32_t state = look(l, event);
        const int64_t waited = now_ns() - began;
        if (state != 1 || (timeout_ms >= 0 && waited >= (int64_t)timeout_ms * 1000000))
            return state;
        if (waited > HURRY_NS)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

static const void *part(const void *memory, size_t at)
{
    return at == OPENCL_ABSENT ? NULL : (const char *)memory + at;
}

static void publish(const struct lane *l, const struct lane_slot *slot, struct fft_partial *p)
{
    const struct opencl_result *r = &l->spectrum.result;
    const void *memory = l->unified ? slot->result.at : slot->landing.at;
    p->sum = part(memory, r->sum);
    p->max = part(memory, r->max);
    p->min = part(memory, r->min);
    p->last = part(memory, r->last);
    p->hits = part(memory, r->hits);
}

int opencl_lane_poll(struct lane *l, struct batch *b, int timeout_ms)
{
    struct lane_slot *slot = &l->slots[l->polled % l->depth];
    const int32_t state = await(l, slot->done, timeout_ms);
    if (state == 1)
        return 0;
    if (state != OPENCL_OK)
        return check(l, state, "the device was lost");
    l->device->driver->event_release(slot->done);
    slot->done = NULL;
    publish(l, slot, &b->partial);
    l->polled++;
    return 1;
}
