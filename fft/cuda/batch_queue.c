/* batch_queue.c - one batch on its way: where its samples go, what is launched, when it is done. */
#include "fft/cuda/batch_queue.h"

#include <string.h>
#include <time.h>

static int check(const struct lane *l, int result, const char *what)
{
    return cuda_check(l->device->driver, result, what, l->why);
}

/* ---- launches --------------------------------------------------------------------------- */

/* Where a short batch says that it is done: behind its result. */
static size_t done_at(const struct lane *l)
{
    return l->spectrum.result.bytes;
}

static struct cuda_spectrum_places places_of(const struct lane *l, uint32_t turn,
                                             cuda_address samples, cuda_address result)
{
    return (struct cuda_spectrum_places){.samples = samples,
                                         .tables = l->tables,
                                         .scratch = l->scratch[turn],
                                         .result = result,
                                         .done = l->is_short ? result + done_at(l) : 0};
}

static int launch_all(const struct lane *l, struct CUstream_st *stream, uint32_t turn,
                      cuda_address samples, cuda_address result, uint32_t frames)
{
    const struct cuda_spectrum_places places = places_of(l, turn, samples, result);
    struct cuda_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && cuda_spectrum_launch(&l->spectrum, &places, frames, i, &next);
         i++)
        err = kernels_launch(&l->kernels, l->device, stream, &next, l->why);
    return err;
}

/* ---- the way of a long batch ------------------------------------------------------------ */

static size_t sample_bytes(const struct lane *l)
{
    return l->arena.sample_bytes;
}

static uint64_t span_samples(const struct lane *l, uint32_t frames)
{
    const struct fft_spectrum_plan *plan = &l->spectrum.job;
    return (uint64_t)(frames - 1) * plan->hop + plan->n;
}

static int copy_in(const struct lane *l, cuda_address to, const void *from, size_t bytes)
{
    const int result = l->device->driver->copy_in(to, from, bytes, l->copy);
    return check(l, result, "copying samples to the device");
}

/* Straight from where they lie, in two pieces where the ring's first mapping ends. */
static int copy_pinned(const struct lane *l, cuda_address to, const char *from, size_t bytes)
{
    int err = 0;
    while (err == 0 && bytes > 0) {
        size_t piece = bytes;
        const void *at = pinned_piece(l->region, from, &piece);
        err = copy_in(l, to, at, piece);
        to += piece;
        from += piece;
        bytes -= piece;
    }
    return err;
}

static int copy_samples(const struct lane *l, const struct lane_slot *slot, cuda_address to,
                        const char *from, size_t bytes)
{
    if (bytes == 0)
        return 0;
    if (l->region && pinned_holds(l->region, from, bytes))
        return copy_pinned(l, to, from, bytes);
    memcpy(slot->staging.memory, from, bytes);
    return copy_in(l, to, slot->staging.memory, bytes);
}

/* Brings the span to the device; *at says where it lies. */
static int bring(struct lane *l, const struct lane_slot *slot, const struct batch *b,
                 cuda_address *at)
{
    const struct cuda_driver *d = l->device->driver;
    const uint64_t samples = span_samples(l, b->partial.frames);
    const uint64_t advance = (uint64_t)b->partial.frames * l->spectrum.job.hop;
    const struct arena_place place = arena_next(&l->arena, b->partial.position, samples, advance);
    int err = 0;

    *at = l->samples + place.at;
    if (place.known && place.from != place.at) {
        const int result = d->copy_within(*at, l->samples + place.from, place.known, l->copy);
        err = check(l, result, "moving samples on the device");
    }
    if (err == 0)
        err = copy_samples(l, slot, *at + place.known, (const char *)b->span + place.known,
                           samples * sample_bytes(l) - place.known);
    return err < 0 ? err : check(l, d->event_record(slot->copied, l->copy), "recording an event");
}

static int submit_long(struct lane *l, const struct lane_slot *slot, const struct batch *b,
                       uint32_t turn)
{
    const struct cuda_driver *d = l->device->driver;
    struct CUstream_st *stream = l->compute[turn];
    cuda_address samples;
    int err = bring(l, slot, b, &samples);
    if (err == 0)
        err = check(l, d->stream_wait(stream, slot->copied, 0), "waiting for an event");
    if (err == 0)
        err = launch_all(l, stream, turn, samples, slot->device_result, b->partial.frames);
    if (err == 0 && slot->device_result != slot->result.address)
        err = check(
            l,
            d->copy_out(slot->result.memory, slot->device_result, l->spectrum.result.bytes, stream),
            "copying a result from the device");
    return err;
}

/* ---- the way of a short batch ----------------------------------------------------------- */

/* The graph's one node; of several, none. */
static int find_node(const struct lane *l, struct lane_slot *slot)
{
    const struct cuda_driver *d = l->device->driver;
    size_t count = 0;
    int result = d->graph_nodes(slot->recorded, NULL, &count);
    if (result == CUDA_OK && count == 1)
        result = d->graph_nodes(slot->recorded, &slot->node, &count);
    return check(l, result, "reading a graph");
}

/* A full batch is always the same launches on the same memory: recorded once, then replayed. */
static int capture(struct lane *l, struct lane_slot *slot, uint32_t turn)
{
    const struct cuda_driver *d = l->device->driver;
    struct CUstream_st *stream = l->compute[turn];
    int err = check(l, d->capture_begin(stream, CUDA_CAPTURE_THREAD), "recording a graph");
    if (err < 0)
        return err;
    err = launch_all(l, stream, turn, slot->staging.address, slot->device_result,
                     l->spectrum.job.max_frames);
    const int ended = check(l, d->capture_end(stream, &slot->recorded), "recording a graph");
    if (err == 0)
        err = ended;
    if (err == 0)
        err = check(l, d->graph_ready(&slot->graph, slot->recorded, 0), "making a graph");
    slot->aimed = slot->staging.address;
    return err < 0 ? err : find_node(l, slot);
}

/* Lets the graph's one kernel read its samples there. */
static int aim(struct lane *l, struct lane_slot *slot, uint32_t turn, cuda_address samples)
{
    const struct cuda_spectrum_places places = places_of(l, turn, samples, slot->device_result);
    struct cuda_kernel_node node;
    struct cuda_launch only;
    void *arguments;
    if (samples == slot->aimed)
        return 0;
    cuda_spectrum_launch(&l->spectrum, &places, l->spectrum.job.max_frames, 0, &only);
    int err = kernels_node(&l->kernels, &only, &arguments, &node, l->why);
    if (err == 0)
        err = check(l, l->device->driver->graph_aim(slot->graph, slot->node, &node),
                    "aiming a graph");
    slot->aimed = err == 0 ? samples : 0;
    return err;
}

static volatile uint32_t *done_word(const struct lane *l, const struct lane_slot *slot)
{
    return (volatile uint32_t *)((char *)slot->result.memory + done_at(l));
}

/* Where the kernels find the span: in place if one kernel reads it once, else in the staging block.
 */
static cuda_address bring_short(const struct lane *l, const struct lane_slot *slot,
                                const struct batch *b)
{
    const size_t bytes = span_samples(l, b->partial.frames) * sample_bytes(l);
    const cuda_address at = l->region && slot->node ? pinned_address(l->region, b->span, bytes) : 0;
    if (!at)
        memcpy(slot->staging.memory, b->span, bytes);
    return at ? at : slot->staging.address;
}

static int submit_short(struct lane *l, struct lane_slot *slot, const struct batch *b,
                        uint32_t turn)
{
    const uint32_t frames = b->partial.frames;
    const bool full = frames == l->spectrum.job.max_frames;
    int err = 0;
    slot->tells = cuda_spectrum_tells(&l->spectrum, frames);
    *done_word(l, slot) = 0;
    if (full && !slot->graph)
        err = capture(l, slot, turn);
    if (err < 0)
        return err;
    const cuda_address samples = bring_short(l, slot, b);
    if (!full)
        return launch_all(l, l->compute[turn], turn, samples, slot->device_result, frames);
    err = aim(l, slot, turn, samples);
    return err < 0 ? err
                   : check(l, l->device->driver->graph_launch(slot->graph, l->compute[turn]),
                           "launching a graph");
}

/* ---- submit and poll -------------------------------------------------------------------- */

int lane_submit(struct lane *l, const struct batch *b)
{
    struct lane_slot *slot = &l->slots[l->submitted % l->depth];
    const uint32_t turn = (uint32_t)(l->submitted % l->depth % LANE_STREAMS);

    cuda_device_enter(l->device);
    slot->stream = l->compute[turn];
    slot->tells = false;
    int err = l->is_short ? submit_short(l, slot, b, turn) : submit_long(l, slot, b, turn);
    if (err == 0 && !slot->tells)
        err = check(l, l->device->driver->event_record(slot->done, slot->stream),
                    "recording an event");
    cuda_device_leave(l->device);
    l->submitted += err == 0;
    return err;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Has the batch told? Looks for about as long as asking the driver takes. */
static bool has_told(const struct lane *l, const struct lane_slot *slot)
{
    enum { LOOKS = 1000 };
    bool told = false;
    for (int i = 0; slot->tells && !told && i < LOOKS; i++)
        told = __atomic_load_n(done_word(l, slot), __ATOMIC_ACQUIRE) != 0;
    return told;
}

/*
 * What the driver says of the batch. One that tells has no event: its stream is asked, which behind
 * it may have other batches, but comes to tell of a device that was lost.
 */
static int ask(const struct lane *l, const struct lane_slot *slot)
{
    const struct cuda_driver *d = l->device->driver;
    return slot->tells ? d->stream_query(slot->stream) : d->event_query(slot->done);
}

/*
 * Events have no wait with an end, so this looks: without pause for the time of a short batch, then
 * every 50 us, which costs next to nothing.
 */
static int await(const struct lane *l, const struct lane_slot *slot, int timeout_ms)
{
    enum { HURRY_NS = 200000, PAUSE_NS = 50000 };
    const int64_t began = now_ns();
    for (;;) {
        if (has_told(l, slot))
            return CUDA_OK;
        const int result = ask(l, slot);
        if (result != CUDA_NOT_READY)
            return result;
        const int64_t waited = now_ns() - began;
        if (timeout_ms >= 0 && waited >= (int64_t)timeout_ms * 1000000)
            return result;
        if (waited > HURRY_NS)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

static const void *part(const struct lane_slot *slot, size_t at)
{
    return at == CUDA_ABSENT ? NULL : (const char *)slot->result.memory + at;
}

static void publish(const struct lane *l, const struct lane_slot *slot, struct fft_partial *p)
{
    const struct cuda_result *result = &l->spectrum.result;
    p->sum = part(slot, result->sum);
    p->max = part(slot, result->max);
    p->min = part(slot, result->min);
    p->last = part(slot, result->last);
    p->hits = part(slot, result->hits);
}

int lane_poll(struct lane *l, struct batch *b, int timeout_ms)
{
    const struct lane_slot *slot = &l->slots[l->polled % l->depth];
    cuda_device_enter(l->device);
    const int result = await(l, slot, timeout_ms);
    cuda_device_leave(l->device);
    if (result == CUDA_NOT_READY)
        return 0;
    if (result != CUDA_OK)
        return check(l, result, "the device was lost");
    publish(l, slot, &b->partial);
    l->polled++;
    return 1;
}
