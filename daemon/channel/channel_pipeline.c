/* channel_pipeline.c - segments of the ring's samples as blocks of the bank, and their outputs. */
#include "daemon/channel/channel_pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/system/memory_block.h"

enum { ROOM_MS = 100 };

static double known(double center_hz)
{
    return isfinite(center_hz) ? center_hz : 0;
}

int channel_pipeline_init(struct channel_pipeline *p, struct epoch *e, bool lossless,
                          uint64_t past_most, struct reason *why)
{
    bool final;
    *p = (struct channel_pipeline){
        .epoch = e, .stream_center_hz = known(e->stream.tuning.center_hz), .past_most = past_most};
    channel_grid_init(&p->grid, e->stream.tuning.rate_hz);
    const size_t bytes = p->grid.n * fft_iq_bytes(e->stream.format);
    p->buffer = block_take(bytes, bytes);
    const int err = p->buffer ? channel_bank_create(&p->bank, &p->grid, e->stream.format,
                                                    e->stream.full_scale, why)
                              : reason_set(why, -ENOMEM, "channels: no memory");
    if (err < 0) {
        free(p->buffer);
        epoch_unref(e);
        return err;
    }
    const uint64_t now = iq_ring_follow(e->ring, &e->reader, 0, 0, &final);
    iq_feed_join(&p->feed, e, lossless ? 0 : now, lossless);
    return 0;
}

void channel_pipeline_finish(struct channel_pipeline *p)
{
    iq_feed_leave(&p->feed);
    channel_bank_destroy(p->bank);
    free(p->buffer);
    epoch_unref(p->epoch);
}

static double block_s(const struct channel_pipeline *p)
{
    return p->grid.hop / p->grid.rate_hz;
}

/* The time of a sample of the segment, also between two. */
static int64_t time_of(const struct channel_pipeline *p, double since_start)
{
    const struct stream *s = &p->epoch->stream;
    const struct iq_mark *m = &p->feed.mark;
    const int64_t from_ns = m->has_time                           ? m->time_ns
                            : s->anchor.set && s->anchor.has_time ? s->anchor.time_ns
                                                                  : s->start_ns;
    const double from =
        m->has_time ? (double)(int64_t)(p->number - m->time_number) : (double)p->number;
    return unix_time_after(from_ns, (from + since_start) / s->tuning.rate_hz);
}

static bool is_dated(const struct channel_pipeline *p)
{
    const struct stream *s = &p->epoch->stream;
    const struct iq_mark *m = &p->feed.mark;
    return m->has_time ? !m->undated : !s->anchor.set || s->anchor.has_time;
}

/* ---- transmissions ----------------------------------------------------------------------- */

/* It began in the first of the blocks that the squelch decided by. */
static void begin_transmission(struct channel_pipeline *p, struct channel *x)
{
    const uint64_t now = channel_bank_sample(p->bank) - p->number;
    const uint64_t before = channel_squelch_reach(&x->squelch) * (uint64_t)p->grid.hop;
    const uint64_t start = now > before ? now - before : 0;
    x->transmits = true;
    x->transmission++;
    x->facts = (struct channel_transmission){.number = x->transmission,
                                             .epoch = p->epoch->number,
                                             .start = p->start + start,
                                             .end = p->start + now,
                                             .first_sample = p->number + start,
                                             .time_ns = time_of(p, (double)start),
                                             .block_s = block_s(p),
                                             .center_hz = x->center_hz,
                                             .pass_hz = x->shape.pass_hz,
                                             .level_dbfs = x->level_dbfs,
                                             .noise_dbfs = x->noise_dbfs,
                                             .stream_center_hz = p->stream_center_hz,
                                             .stream_rate_hz = p->grid.rate_hz};
    memcpy(x->facts.name, x->info.name, sizeof x->facts.name);
    if (x->info.name[0] && p->transmission)
        p->transmission(p->user, &x->facts);
}

/* Of the newest block, which still belongs to it. */
static void extend_transmission(const struct channel_pipeline *p, struct channel *x)
{
    struct channel_transmission *t = &x->facts;
    if (!isnan(x->level_dbfs) && x->level_dbfs > t->level_dbfs) {
        t->level_dbfs = x->level_dbfs;
        t->noise_dbfs = x->noise_dbfs;
    }
    if (x->squelch.below_s > 0)
        return;
    t->end = p->start + (channel_bank_sample(p->bank) - p->number) + p->grid.hop;
    t->duration_s = (double)(t->end - t->start) / p->grid.rate_hz;
}

static void end_transmission(struct channel_pipeline *p, struct channel *x)
{
    const bool named = x->transmits && x->info.name[0];
    x->transmits = x->resampling = false;
    x->facts.ended = true;
    if (named && p->transmission)
        p->transmission(p->user, &x->facts);
}

/* ---- channels --------------------------------------------------------------------------- */

static enum channel_state state_of(const struct channel *x)
{
    return x->filter.outside          ? CHANNEL_OUTSIDE
           : x->past && !x->transmits ? CHANNEL_ARMED
                                      : CHANNEL_OPEN;
}

/* What it kept is of another place, or of before a gap. */
static void tune(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock)
{
    channel_past_clear(x->past);
    uv_mutex_lock(lock);
    x->center_hz = x->info.request.center_hz;
    channel_bank_tune(p->bank, &x->filter, x->center_hz - p->stream_center_hz);
    *p->version += x->info.state != state_of(x);
    x->info.state = state_of(x);
    x->info.cut = x->filter.cut;
    uv_mutex_unlock(lock);
}

/* Blocks for `pre`, those that the squelch decides by, and one in which the carrier begins. */
static int make_past(struct channel_pipeline *p, struct channel *x, struct reason *why)
{
    const struct channel_request *q = &x->info.request;
    const double pre = ceil(q->pre_s / block_s(p));
    const uint32_t blocks = (uint32_t)fmin(pre, 1e6) + channel_squelch_reach(&x->squelch) + 1;
    const uint64_t bytes = channel_past_bytes(blocks, x->shape.m);
    if (bytes > p->past_most - p->past_bytes)
        return reason_key(
            why, -ENOMEM, "pre",
            "pre: %g s before each transmission take %.3g MB, and max-pre-memory (%.3g "
            "MB) has %.3g MB left: ask for less, or allow more",
            q->pre_s, (double)bytes / 1e6, (double)p->past_most / 1e6,
            (double)(p->past_most - p->past_bytes) / 1e6);
    const int err = channel_past_create(&x->past, blocks, x->shape.m);
    if (err < 0)
        return err;
    x->past_bytes = bytes;
    p->past_bytes += bytes;
    return 0;
}

static int join(struct channel_pipeline *p, struct channel *x, struct reason *why)
{
    const struct channel_request *q = &x->info.request;
    int err = channel_shape_plan(&x->shape, &p->grid, q->rate_hz, q->width_hz, why);
    if (err == 0 && x->shape.resampled)
        err = channel_resampler_create(&x->resampler, channel_shape_bank_rate(&x->shape, &p->grid),
                                       q->rate_hz, x->shape.m);
    if (err == 0)
        err = channel_bank_join(p->bank, &x->filter, &x->shape, why);
    if (err < 0)
        return err;
    channel_squelch_init(&x->squelch, &q->squelch, channel_bank_independent(&x->filter));
    return q->armed ? make_past(p, x, why) : 0;
}

static void leave(struct channel_pipeline *p, struct channel *x)
{
    if (x->transmits)
        end_transmission(p, x);
    channel_bank_leave(p->bank, &x->filter);
    channel_resampler_destroy(x->resampler);
    x->resampler = NULL;
    channel_past_destroy(x->past);
    x->past = NULL;
    p->past_bytes -= x->past_bytes;
    x->past_bytes = 0;
}

void channel_pipeline_add(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock)
{
    struct reason why = {0};
    x->tried = true;
    x->resampling = false;
    const int err = join(p, x, &why);
    if (err < 0)
        leave(p, x);
    uv_mutex_lock(lock);
    x->info.message[0] = '\0';
    *p->version += 1;
    if (err < 0) {
        x->info.state = CHANNEL_REFUSED;
        snprintf(x->info.message, sizeof x->info.message, "%.255s",
                 why.sentence[0] ? why.sentence : strerror(-err));
    }
    x->info.pass_hz = err < 0 ? 0 : x->shape.pass_hz;
    x->info.stop_hz = err < 0 ? 0 : x->shape.stop_hz;
    uv_mutex_unlock(lock);
    if (err < 0)
        return;
    x->level_dbfs = -INFINITY;
    x->noise_dbfs = NAN;
    tune(p, x, lock);
}

void channel_pipeline_remove(struct channel_pipeline *p, struct channel *x)
{
    leave(p, x);
    x->tried = false;
}

/* ---- outputs ---------------------------------------------------------------------------- */

/* Once for all channels of a block: each call may wake a thread. */
static void notify_ready(struct channel_pipeline *p)
{
    if (p->delivered && p->ready)
        p->ready(p->user);
    p->delivered = false;
}

static bool is_closed(const struct channel *x, uv_mutex_t *lock)
{
    uv_mutex_lock(lock);
    const bool closed = x->closed;
    uv_mutex_unlock(lock);
    return closed;
}

/* What is said with the samples of a block. */
struct remarks {
    bool open, last;
    double heard_s;
    double level_dbfs, noise_dbfs;
};

/* first: number of the first one in the segment. */
static void deliver(struct channel_pipeline *p, struct channel *x, uint64_t first,
                    const struct fft_iq *samples, size_t count, const struct remarks *remarks,
                    uv_mutex_t *lock)
{
    const double rate_hz = x->shape.rate_hz, stream_hz = p->grid.rate_hz;
    const double since_start = (double)first * stream_hz / rate_hz;
    struct channel_block *b = count > 0 ? channel_block_create(samples, count) : NULL;
    if (!b)
        return;
    b->index = (uint64_t)llround((double)p->number * rate_hz / stream_hz) + first;
    b->number = p->number + (uint64_t)since_start;
    b->time_ns = time_of(p, since_start);
    b->center_hz = x->center_hz;
    b->silent = x->filter.outside;
    b->open = remarks->open && !b->silent;
    b->last = remarks->last;
    b->dated = is_dated(p);
    b->heard_s = remarks->heard_s;
    b->transmission = x->past ? x->transmission : 0;
    b->level_dbfs = (float)remarks->level_dbfs;
    b->noise_dbfs = (float)remarks->noise_dbfs;
    while (!channel_output_has_room(x->output, 0) && !is_closed(x, lock)) {
        notify_ready(p); /* the reader may wait for it */
        channel_output_has_room(x->output, ROOM_MS);
    }
    x->delivered += count;
    channel_output_add(x->output, b);
    p->delivered = true;
}

static struct remarks remarks_of(const struct channel *x)
{
    return (struct remarks){.open = x->squelch_open,
                            .heard_s = x->transmits ? x->facts.duration_s : 0,
                            .level_dbfs = x->level_dbfs,
                            .noise_dbfs = x->noise_dbfs};
}

static void resample(struct channel_pipeline *p, struct channel *x, uint64_t first,
                     const struct fft_iq *samples, size_t count, const struct remarks *remarks,
                     uv_mutex_t *lock)
{
    const struct fft_iq *out;
    uint64_t at;
    if (!x->resampling)
        channel_resampler_begin(x->resampler, first);
    x->resampling = true;
    const size_t made = channel_resampler_push(x->resampler, samples, count, &at, &out);
    x->made = first + count;
    deliver(p, x, at, out, made, remarks, lock);
}

/* The last outputs of the segment: those before its end. */
static void end_resampling(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock)
{
    const struct fft_iq *out;
    uint64_t at;
    if (!x->resampling)
        return;
    x->resampling = false;
    const size_t made = channel_resampler_push(x->resampler, NULL, CHANNEL_TAPS, &at, &out);
    const uint64_t end = channel_resampler_before(x->resampler, x->made);
    const size_t count = end > at ? (size_t)(end - at) : 0;
    const struct remarks remarks = remarks_of(x);
    deliver(p, x, at, out, count < made ? count : made, &remarks, lock);
}

/* A block at an end of a segment keeps the powers of the one before. */
static void measure(struct channel_pipeline *p, struct channel *x)
{
    struct channel_levels l;
    channel_bank_levels(p->bank, &x->filter, &l);
    channel_squelch_add(&x->squelch, l.level, l.noise, block_s(p));
    if (!isnan(l.level))
        x->level_dbfs = 10 * log10(l.level);
    else if (x->filter.outside)
        x->level_dbfs = -INFINITY;
    x->noise_dbfs = 10 * log10(l.noise);
    x->squelch_open = x->squelch.open && !x->filter.outside;
}

static void give(struct channel_pipeline *p, struct channel *x, uint64_t first,
                 const struct fft_iq *samples, size_t count, const struct remarks *remarks,
                 uv_mutex_t *lock)
{
    p->transformed++;
    if (x->resampler)
        resample(p, x, first, samples, count, remarks, lock);
    else
        deliver(p, x, first, samples, count, remarks, lock);
}

static void run_open(struct channel_pipeline *p, struct channel *x, bool last, uv_mutex_t *lock)
{
    const struct fft_iq *out;
    uint64_t at;
    struct remarks remarks = remarks_of(x);
    const size_t count = channel_bank_run(p->bank, &x->filter, &at, &out);
    remarks.last = last;
    give(p, x, at, out, count, &remarks, lock);
}

/* A transmission has begun: what was kept comes first. */
static void run_past(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock)
{
    const uint32_t count = channel_past_count(x->past);
    const uint32_t reach = channel_squelch_reach(&x->squelch);
    for (uint32_t i = 0; i < count; i++) {
        const struct channel_kept *k = channel_past_at(x->past, i);
        const struct remarks remarks = {
            .open = i + reach >= count, .level_dbfs = k->level_dbfs, .noise_dbfs = k->noise_dbfs};
        const struct fft_iq *out = channel_bank_transform(p->bank, &x->filter, &k->place, k->bins);
        give(p, x, k->place.first, out, k->place.count, &remarks, lock);
    }
    channel_past_clear(x->past);
}

static void keep(struct channel_pipeline *p, struct channel *x)
{
    struct channel_kept *k = channel_past_push(x->past);
    channel_bank_take(p->bank, &x->filter, &k->place, k->bins);
    k->level_dbfs = x->level_dbfs;
    k->noise_dbfs = x->noise_dbfs;
}

/* The last block of a transmission is the one in which the squelch shuts. */
static void run_armed(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock)
{
    if (x->squelch_open && !x->transmits) {
        begin_transmission(p, x);
        run_past(p, x, lock);
    }
    if (x->transmits) {
        extend_transmission(p, x);
        run_open(p, x, !x->squelch_open, lock);
    } else if (!x->filter.outside) {
        keep(p, x);
    }
    if (x->transmits && !x->squelch_open)
        end_transmission(p, x);
}

static void publish(struct channel_pipeline *p, struct channel *first, uv_mutex_t *lock)
{
    uv_mutex_lock(lock);
    for (struct channel *x = first; x; x = x->active) {
        if (x->active)
            __builtin_prefetch(&x->active->info.samples, 1);
        if (!x->filter.kind)
            continue;
        *p->version += x->info.state != state_of(x) || x->info.transmissions != x->transmission;
        x->info.state = state_of(x);
        x->info.level_dbfs = x->level_dbfs;
        x->info.noise_dbfs = x->noise_dbfs;
        x->info.squelch_open = x->squelch_open;
        x->info.samples = x->delivered;
        x->info.transmissions = x->transmission;
    }
    uv_mutex_unlock(lock);
}

/*
 * What a channel needs has left the caches since the last block if there are many. It comes back
 * while the channels before it are computed: the channel first, then what it points to.
 */
static void prefetch_next(const struct channel *x)
{
    enum { LINE = 64 };
    const struct channel *one = x->active, *two = one ? one->active : NULL;
    const struct channel *three = two ? two->active : NULL;
    if (one && one->past)
        channel_past_prefetch(one->past);
    if (two && two->past)
        __builtin_prefetch(two->past, 1);
    for (size_t at = offsetof(struct channel, active);
         three && at < offsetof(struct channel, facts); at += LINE)
        __builtin_prefetch((const char *)three + at, 1);
}

static void run_channels(struct channel_pipeline *p, struct channel *first, uv_mutex_t *lock)
{
    for (struct channel *x = first; x; x = x->active) {
        prefetch_next(x);
        if (!x->filter.kind)
            continue;
        measure(p, x);
        if (x->past)
            run_armed(p, x, lock);
        else
            run_open(p, x, false, lock);
    }
    publish(p, first, lock);
    notify_ready(p);
}

/* ---- segments --------------------------------------------------------------------------- */

static void end_segment(struct channel_pipeline *p, struct channel *first, uv_mutex_t *lock)
{
    while (p->begun && channel_bank_flush(p->bank))
        run_channels(p, first, lock);
    for (struct channel *x = first; x && p->begun; x = x->active)
        end_resampling(p, x, lock);
    notify_ready(p);
    p->begun = false;
}

/* The newest mark at or before the position that does not continue: there the segment began. */
static void find_segment(struct channel_pipeline *p, uint64_t position)
{
    uint64_t since;
    struct iq_mark mark;
    uint64_t number = iq_ring_find_mark(p->feed.ring, position, &mark, &since);
    while (number > 1 && mark.continues) {
        uint64_t before = --number - 1;
        if (!iq_ring_read_mark(p->feed.ring, &before, &mark) || before != number - 1)
            break;
    }
    /* else the first one, or older ones are forgotten: that of the epoch's start */
    p->start = mark.continues ? 0 : mark.position;
    p->number = mark.continues ? 0 : mark.sample_number;
    const double before_hz = p->stream_center_hz;
    p->stream_center_hz =
        known(mark.tuning_changed ? mark.tuning.center_hz : p->epoch->stream.tuning.center_hz);
    if (fabs(p->stream_center_hz - before_hz) > 0)
        channel_bank_forget_noise(p->bank);
}

/* Prepares the bank for the first whole block from the position on. Returns where its samples
 * begin. */
static uint64_t locate(struct channel_pipeline *p, uint64_t position)
{
    find_segment(p, position);
    const uint64_t block = channel_bank_block_from(&p->grid, position - p->start);
    return p->start + channel_bank_begin(p->bank, p->number, block);
}

static void begin_segment(struct channel_pipeline *p, struct channel *first, uv_mutex_t *lock)
{
    for (struct channel *x = first; x; x = x->active)
        if (x->filter.kind)
            tune(p, x, lock);
    p->begun = p->fresh = true;
    p->resumes = false;
}

static void retune_moved(struct channel_pipeline *p, struct channel *first, uv_mutex_t *lock)
{
    uv_mutex_lock(lock);
    for (struct channel *x = first; x; x = x->active)
        x->moved = fabs(x->info.request.center_hz - x->center_hz) > 0;
    uv_mutex_unlock(lock);
    for (struct channel *x = first; x; x = x->active)
        if (x->filter.kind && x->moved)
            tune(p, x, lock);
}

/* Samples up to `end`, or to the next mark. */
static void take_samples(struct channel_pipeline *p, struct channel *first, uint64_t end,
                         uv_mutex_t *lock)
{
    void *samples;
    uint64_t at;
    const uint64_t from = p->feed.position;
    const uint64_t count = iq_feed_read(&p->feed, end, p->buffer, end - from, &samples, &at);
    const bool breaks = at > from || (p->feed.anew && !p->fresh);
    p->feed.anew = p->feed.fresh = p->fresh = false;
    p->missed += at - from;
    if (breaks) {
        end_segment(p, first, lock);
        p->resumes = true;
        if (count == 0 || locate(p, at) != at) { /* the next step goes to where a block begins */
            p->missed += count;
            return;
        }
        begin_segment(p, first, lock);
        p->fresh = false;
    }
    retune_moved(p, first, lock);
    if (count > 0 && channel_bank_push(p->bank, samples, (size_t)count))
        run_channels(p, first, lock);
}

/* To where a block begins. What follows samples that the channels had is missing for them. */
static void skip(struct channel_pipeline *p, uint64_t to)
{
    const uint64_t from = p->feed.position;
    iq_feed_skip(&p->feed, to);
    if (p->resumes)
        p->missed += p->feed.position - from;
}

/* What was written before the analysis ended: the source may write on. */
static uint64_t limit(struct channel_pipeline *p, uint64_t reached, bool ends)
{
    if (ends && !p->ends) {
        p->ends = true;
        p->end = reached;
    }
    return p->ends && p->end < reached ? p->end : reached;
}

bool channel_pipeline_step(struct channel_pipeline *p, struct channel *first, bool ends,
                           uv_mutex_t *lock, int timeout_ms)
{
    struct iq_feed *f = &p->feed;
    bool final;
    uint64_t target = f->position;
    if (!p->begun && (target = locate(p, f->position)) == f->position)
        begin_segment(p, first, lock);
    const uint64_t wanted = p->begun ? f->position + channel_bank_needs(p->bank) : target;
    const uint64_t reached =
        limit(p, iq_ring_follow(f->ring, &p->epoch->reader, wanted, timeout_ms, &final), ends);
    const uint64_t end = reached < wanted ? reached : wanted;
    if (end > f->position && p->begun)
        take_samples(p, first, end, lock);
    else if (end > f->position)
        skip(p, end);
    const bool over = (final || p->ends) && f->position >= reached;
    if (over)
        end_segment(p, first, lock);
    return over;
}
