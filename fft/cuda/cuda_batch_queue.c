/* cuda_batch_queue.c - submits batches to one GPU and polls their results. */
#include "fft/cuda/cuda_batch_queue.h"

#include <string.h>
#include <time.h>

#include "fft/correction.h"
#include "fft/mirror.h"
#include "fft/monotonic.h"

static int check(const struct cuda_batch_queue *q, int result, const char *what)
{
    return cuda_check(q->device->driver, result, what, q->why);
}

/* ---- launches --------------------------------------------------------------------------- */

/* Offset of the completion word of a short batch: after its result. */
static size_t done_offset(const struct cuda_batch_queue *q)
{
    return q->spectrum.result.bytes;
}

static struct sample_correction correction_of(const struct cuda_batch_queue *q,
                                              const struct batch *b)
{
    const struct raw_correction c = fft_correction_raw(&b->correction, q->spectrum.plan.format);
    return (struct sample_correction){c.ii, c.qi, c.qq, c.re, c.im, b->corrected};
}

static struct cuda_spectrum_memory memory_of(const struct cuda_batch_queue *q, uint32_t index,
                                             cuda_address samples, cuda_address result)
{
    return (struct cuda_spectrum_memory){.samples = samples,
                                         .tables = q->tables,
                                         .scratch = q->scratch[index],
                                         .result = result,
                                         .done = q->is_short ? result + done_offset(q) : 0};
}

static int launch_all(const struct cuda_batch_queue *q, struct CUstream_st *stream, uint32_t index,
                      cuda_address samples, cuda_address result, const struct batch *b)
{
    struct cuda_spectrum_memory memory = memory_of(q, index, samples, result);
    struct cuda_launch next;
    int err = 0;
    memory.correction = correction_of(q, b);
    for (uint32_t i = 0;
         err == 0 && cuda_spectrum_launch(&q->spectrum, &memory, b->partial.frames, i, &next); i++)
        err = cuda_kernels_launch(&q->kernels, q->device, stream, &next, q->why);
    return err;
}

/* ---- long batches ------------------------------------------------------------------------- */

static size_t sample_bytes(const struct cuda_batch_queue *q)
{
    return q->window.sample_bytes;
}

static uint64_t span_samples(const struct cuda_batch_queue *q, uint32_t frames)
{
    const struct fft_spectrum_config *plan = &q->spectrum.plan;
    return (uint64_t)(frames - 1) * plan->hop + plan->n;
}

static int copy_in(const struct cuda_batch_queue *q, cuda_address to, const void *from,
                   size_t bytes)
{
    const int result = q->device->driver->copy_in(to, from, bytes, q->copy);
    return check(q, result, "copying samples to the device");
}

/* Copies directly from the ring, in two pieces where its first mapping ends. */
static int copy_pinned(const struct cuda_batch_queue *q, cuda_address to, const char *from,
                       size_t bytes)
{
    int err = 0;
    while (err == 0 && bytes > 0) {
        size_t piece = bytes;
        const void *at = fft_mirror_piece(q->region->memory, q->region->bytes, from, &piece);
        err = copy_in(q, to, at, piece);
        to += piece;
        from += piece;
        bytes -= piece;
    }
    return err;
}

static int copy_samples(const struct cuda_batch_queue *q, const struct cuda_batch_entry *entry,
                        cuda_address to, const char *from, size_t bytes)
{
    if (bytes == 0)
        return 0;
    if (q->region && cuda_pinned_contains(q->region, from, bytes))
        return copy_pinned(q, to, from, bytes);
    memcpy(entry->staging.memory, from, bytes);
    return copy_in(q, to, entry->staging.memory, bytes);
}

/* Copies the span to the device and sets *at to its address. */
static int copy_span(struct cuda_batch_queue *q, const struct cuda_batch_entry *entry,
                     const struct batch *b, cuda_address *at)
{
    const struct cuda_driver *d = q->device->driver;
    const uint64_t samples = span_samples(q, b->partial.frames);
    const uint64_t advance = (uint64_t)b->partial.frames * q->spectrum.plan.hop;
    const struct cuda_span to =
        cuda_span_window_next(&q->window, b->partial.position, samples, advance);
    int err = 0;

    *at = q->samples + to.at;
    if (to.known && to.from != to.at) {
        const int result = d->copy_within(*at, q->samples + to.from, to.known, q->copy);
        err = check(q, result, "moving samples on the device");
    }
    if (err == 0)
        err = copy_samples(q, entry, *at + to.known, (const char *)b->span + to.known,
                           samples * sample_bytes(q) - to.known);
    return err < 0 ? err : check(q, d->event_record(entry->copied, q->copy), "recording an event");
}

static int submit_long(struct cuda_batch_queue *q, const struct cuda_batch_entry *entry,
                       const struct batch *b, uint32_t index)
{
    const struct cuda_driver *d = q->device->driver;
    struct CUstream_st *stream = q->compute[index];
    cuda_address samples;
    int err = copy_span(q, entry, b, &samples);
    if (err == 0)
        err = check(q, d->stream_wait(stream, entry->copied, 0), "waiting for an event");
    if (err == 0)
        err = launch_all(q, stream, index, samples, entry->device_result, b);
    if (err == 0 && entry->device_result != entry->result.address)
        err = check(q,
                    d->copy_out(entry->result.memory, entry->device_result,
                                q->spectrum.result.bytes, stream),
                    "copying a result from the device");
    return err;
}

/* ---- short batches ------------------------------------------------------------------------ */

/* Sets entry->node if the graph has exactly one node. */
static int find_node(const struct cuda_batch_queue *q, struct cuda_batch_entry *entry)
{
    const struct cuda_driver *d = q->device->driver;
    size_t count = 0;
    int result = d->graph_nodes(entry->recorded, NULL, &count);
    if (result == CUDA_OK && count == 1)
        result = d->graph_nodes(entry->recorded, &entry->node, &count);
    return check(q, result, "reading a graph");
}

/*
 * A full batch makes the same launches on the same memory every time: they are recorded once and
 * replayed. A batch that may be corrected is not recorded: its correction is an argument.
 */
static int capture(struct cuda_batch_queue *q, struct cuda_batch_entry *entry,
                   const struct batch *b, uint32_t index)
{
    const struct cuda_driver *d = q->device->driver;
    struct CUstream_st *stream = q->compute[index];
    int err = check(q, d->capture_begin(stream, CUDA_CAPTURE_THREAD), "recording a graph");
    if (err < 0)
        return err;
    err = launch_all(q, stream, index, entry->staging.address, entry->device_result, b);
    const int ended = check(q, d->capture_end(stream, &entry->recorded), "recording a graph");
    if (err == 0)
        err = ended;
    if (err == 0)
        err = check(q, d->graph_ready(&entry->graph, entry->recorded, 0), "making a graph");
    entry->target = entry->staging.address;
    return err < 0 ? err : find_node(q, entry);
}

/* Makes the one kernel of the graph read its samples from `samples`. */
static int retarget(struct cuda_batch_queue *q, struct cuda_batch_entry *entry, uint32_t index,
                    cuda_address samples)
{
    const struct cuda_spectrum_memory memory = memory_of(q, index, samples, entry->device_result);
    struct cuda_kernel_node node;
    struct cuda_launch only;
    void *arguments;
    if (samples == entry->target)
        return 0;
    cuda_spectrum_launch(&q->spectrum, &memory, q->spectrum.plan.max_frames, 0, &only);
    int err = cuda_kernels_node(&q->kernels, &only, &arguments, &node, q->why);
    if (err == 0)
        err = check(q, q->device->driver->graph_retarget(entry->graph, entry->node, &node),
                    "aiming a graph");
    entry->target = err == 0 ? samples : 0;
    return err;
}

static volatile uint32_t *done_word(const struct cuda_batch_queue *q,
                                    const struct cuda_batch_entry *entry)
{
    return (volatile uint32_t *)((char *)entry->result.memory + done_offset(q));
}

/* Address of `bytes` at `span` in the ring; 0: no device reads them there. */
static cuda_address address_in_ring(const struct cuda_batch_queue *q, const char *span,
                                    size_t bytes)
{
    enum { COPIED_BYTES = 1024 }; /* to copy these takes less time than to retarget a graph */
    return q->region && bytes > COPIED_BYTES ? cuda_pinned_address(q->region, span, bytes) : 0;
}

static size_t span_bytes(const struct cuda_batch_queue *q, uint32_t frames)
{
    return span_samples(q, frames) * sample_bytes(q);
}

/*
 * Address of the span for the kernels: the ring itself if a single kernel reads it once, else the
 * staging block, which this fills.
 */
static cuda_address stage_span(const struct cuda_batch_queue *q,
                               const struct cuda_batch_entry *entry, const struct batch *b)
{
    const size_t bytes = span_bytes(q, b->partial.frames);
    const cuda_address at = entry->node ? address_in_ring(q, b->span, bytes) : 0;
    if (!at)
        memcpy(entry->staging.memory, b->span, bytes);
    return at ? at : entry->staging.address;
}

/*
 * If this batch followed the one before it, the next one probably follows this: retargets its graph
 * meanwhile. A failure shows at the launch.
 */
static void expect_next(struct cuda_batch_queue *q, const struct batch *b, cuda_address samples)
{
    const uint32_t frames = b->partial.frames;
    const char *next =
        (const char *)b->span + (size_t)frames * q->spectrum.plan.hop * sample_bytes(q);
    const uint64_t place = (q->submitted + 1) % q->depth;
    struct cuda_batch_entry *entry = &q->entries[place];
    const bool follows = samples == q->expected;
    q->expected = address_in_ring(q, next, span_bytes(q, frames));
    if (follows && q->expected && entry->node)
        retarget(q, entry, (uint32_t)(place % BATCH_QUEUE_STREAMS), q->expected);
}

static int submit_short(struct cuda_batch_queue *q, struct cuda_batch_entry *entry,
                        const struct batch *b, uint32_t index)
{
    const uint32_t frames = b->partial.frames;
    const bool recorded = frames == q->spectrum.plan.max_frames && !q->spectrum.plan.corrected;
    int err = 0;
    entry->signals_done = cuda_spectrum_signals_done(&q->spectrum, frames);
    *done_word(q, entry) = 0;
    if (recorded && !entry->graph)
        err = capture(q, entry, b, index);
    if (err < 0)
        return err;
    const cuda_address samples = stage_span(q, entry, b);
    if (!recorded)
        return launch_all(q, q->compute[index], index, samples, entry->device_result, b);
    err = retarget(q, entry, index, samples);
    if (err == 0)
        err = check(q, q->device->driver->graph_launch(entry->graph, q->compute[index]),
                    "launching a graph");
    if (err == 0)
        expect_next(q, b, samples);
    return err;
}

/* ---- submit and poll -------------------------------------------------------------------- */

int cuda_batch_queue_submit(struct cuda_batch_queue *q, const struct batch *b)
{
    struct cuda_batch_entry *entry = &q->entries[q->submitted % q->depth];
    const uint32_t index = (uint32_t)(q->submitted % q->depth % BATCH_QUEUE_STREAMS);

    cuda_device_enter(q->device);
    entry->stream = q->compute[index];
    entry->signals_done = false;
    int err = q->is_short ? submit_short(q, entry, b, index) : submit_long(q, entry, b, index);
    if (err == 0 && !entry->signals_done)
        err = check(q, q->device->driver->event_record(entry->done, entry->stream),
                    "recording an event");
    cuda_device_leave(q->device);
    q->submitted += err == 0;
    return err;
}

/* Did the kernel set the completion word? Checks for about as long as one driver call takes. */
static bool is_signalled(const struct cuda_batch_queue *q, const struct cuda_batch_entry *entry)
{
    enum { TRIES = 1000 };
    bool signalled = false;
    for (int i = 0; entry->signals_done && !signalled && i < TRIES; i++)
        signalled = __atomic_load_n(done_word(q, entry), __ATOMIC_ACQUIRE) != 0;
    return signalled;
}

/*
 * Asks the driver about the batch. A batch that signals completion itself has no event. Its stream
 * is queried instead: the stream may have later batches, but it reports a lost device.
 */
static int query(const struct cuda_batch_queue *q, const struct cuda_batch_entry *entry)
{
    const struct cuda_driver *d = q->device->driver;
    return entry->signals_done ? d->stream_query(entry->stream) : d->event_query(entry->done);
}

/*
 * The driver has no event wait with a time-out, so this polls: without pause for the duration of a
 * short batch, then every 50 us, which costs almost no CPU time. A word that is set during a query
 * is seen only after it, so queries begin when a frame that signals should be done.
 */
static int wait_for_batch(const struct cuda_batch_queue *q, const struct cuda_batch_entry *entry,
                          int timeout_ms)
{
    enum { HURRY_NS = 200000, PAUSE_NS = 50000, FRAME_NS = 20000 };
    const int64_t began = fft_now_ns();
    int64_t waited = 0;
    for (;;) {
        if (is_signalled(q, entry))
            return CUDA_OK;
        waited = fft_now_ns() - began;
        if (entry->signals_done && timeout_ms != 0 && waited < FRAME_NS)
            continue;
        const int result = query(q, entry);
        if (result != CUDA_NOT_READY)
            return result;
        if (timeout_ms >= 0 && waited >= (int64_t)timeout_ms * 1000000)
            return result;
        if (waited > HURRY_NS)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

static const void *part(const struct cuda_batch_entry *entry, size_t at)
{
    return at == CUDA_ABSENT ? NULL : (const char *)entry->result.memory + at;
}

static void publish(const struct cuda_batch_queue *q, const struct cuda_batch_entry *entry,
                    struct fft_partial *p)
{
    const struct cuda_result *result = &q->spectrum.result;
    p->sum = part(entry, result->sum);
    p->max = part(entry, result->max);
    p->min = part(entry, result->min);
    p->last = part(entry, result->last);
    p->hits = part(entry, result->hits);
}

int cuda_batch_queue_poll(struct cuda_batch_queue *q, struct batch *b, int timeout_ms)
{
    const struct cuda_batch_entry *entry = &q->entries[q->polled % q->depth];
    cuda_device_enter(q->device);
    const int result = wait_for_batch(q, entry, timeout_ms);
    cuda_device_leave(q->device);
    if (result == CUDA_NOT_READY)
        return 0;
    if (result != CUDA_OK)
        return check(q, result, "the device was lost");
    publish(q, entry, &b->partial);
    q->polled++;
    return 1;
}
