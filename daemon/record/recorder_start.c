/* recorder_start.c - finds the samples of a request, and starts its recording. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_meta.h"
#include "daemon/record/recorder_private.h"

static struct epoch *find_epoch(struct recorder *r, uint32_t number)
{
    if (number == RECORD_NEWEST)
        return iq_tap_newest(r->tap);
    struct epoch *e = iq_tap_epoch_from(r->tap, number);
    if (e && e->number == number)
        return e;
    epoch_drop(e);
    return NULL;
}

/* The position after the newest sample that recordings may read. */
static uint64_t newest_sample(const struct epoch *e)
{
    bool final;
    return iq_ring_follow(e->ring, &e->reader, 0, 0, &final);
}

uint64_t recorder_end_now(const struct recording *x)
{
    return x->epoch ? newest_sample(x->epoch) : x->info.from;
}

static struct record_moment moment_at(const struct epoch *e, uint64_t position)
{
    struct iq_mark mark;
    uint64_t since;
    iq_ring_find_mark(e->ring, position, &mark, &since);
    return record_moment_at(&e->stream, &mark, position);
}

/* The position at a time, also before and after what the ring has. False: the time is not known. */
static bool find_time(const struct epoch *e, int64_t time_ns, uint64_t *position)
{
    enum { TRIES = 8 }; /* each passes a gap */
    int64_t at = (int64_t)newest_sample(e), step = 1;
    for (int i = 0; i < TRIES && step != 0; i++) {
        const struct record_moment m = moment_at(e, (uint64_t)at);
        if (!m.has_time)
            return false;
        const double samples = unix_time_seconds(m.time_ns, time_ns) * e->stream.tuning.rate_hz;
        step = llround(fmax(fmin(samples, 4e18), -4e18));
        step = step < -at ? -at : step;
        at += step;
    }
    *position = (uint64_t)at;
    return true;
}

/* Of a request with a time, after its start is set. */
static uint64_t end_of(const struct recording *x, const struct record_request *q)
{
    const double samples = q->duration_s * x->stream.tuning.rate_hz;
    if (!(samples > 0 && samples < 9e18))
        return RECORD_OPEN;
    const uint64_t count = (uint64_t)llround(samples);
    return count > RECORD_OPEN - x->from ? RECORD_OPEN : x->from + count;
}

/* False: the time is not known. */
static bool set_span(struct recording *x, const struct record_request *q)
{
    const uint64_t now = newest_sample(x->epoch);
    x->from = q->from;
    x->info.to = q->to;
    if (q->relative) {
        x->from = now - (q->from < now ? q->from : now);
        x->info.to = q->to > RECORD_OPEN - now ? RECORD_OPEN : now + q->to;
    }
    if (q->timed && !find_time(x->epoch, q->from_ns, &x->from))
        return false;
    if (q->timed)
        x->info.to = end_of(x, q);
    x->info.from = x->from;
    return true;
}

static int copy_annotations(struct recording *x, const struct record_request *q)
{
    x->annotations = calloc(q->annotation_count + 1, sizeof *x->annotations);
    if (!x->annotations)
        return -ENOMEM;
    if (q->annotation_count > 0)
        memcpy(x->annotations, q->annotations, q->annotation_count * sizeof *x->annotations);
    x->annotation_count = q->annotation_count;
    return 0;
}

void recorder_free_recording(struct recording *x)
{
    free(x->annotations);
    free(x);
}

static void describe(struct recording *x, const struct record_request *q)
{
    const struct stream *s = &x->stream;
    snprintf(x->info.label, sizeof x->info.label, "%s", q->label ? q->label : "");
    x->info.center_hz = s->tuning.center_hz;
    x->info.rate_hz = s->tuning.rate_hz;
    x->info.sample_bytes = (uint32_t)fft_iq_bytes(s->format);
}

/* What a recording of a band has in place of the stream's. */
static int describe_band(struct recording *x, const struct record_request *q, double center_hz,
                         struct reason *why)
{
    struct ddc_plan plan;
    const struct stream *s = &x->stream;
    const double rate_hz = s->tuning.rate_hz, width_hz = q->band.high_hz - q->band.low_hz;
    if (!record_band_is_set(&q->band))
        return 0;
    if (!(width_hz > 0))
        return reason_set(why, -EINVAL, "high: %.10g Hz is not above low", q->band.high_hz);
    if (!record_band_lies_within(&q->band, center_hz, rate_hz))
        return reason_set(why, -EINVAL, "low, high: the radio receives %.10g to %.10g Hz",
                          center_hz - rate_hz / 2, center_hz + rate_hz / 2);
    ddc_plan_band(&plan, rate_hz, width_hz);
    x->band = q->band;
    x->band.format = x->options->cut_cs16 ? FFT_IQ_CS16 : FFT_IQ_CF32;
    x->context = plan.reach;
    x->info.center_hz = record_band_center(&q->band);
    x->info.rate_hz = ddc_plan_rate(&plan);
    x->info.sample_bytes = (uint32_t)fft_iq_bytes(x->band.format);
    return 0;
}

/* Joins the ring at once: what it has now cannot be overwritten before the thread starts, except in
 * real time. */
static int start_thread(struct recorder *r, struct recording *x)
{
    const uint64_t from = x->from - (x->context < x->from ? x->context : x->from);
    if (x->epoch)
        iq_feed_join(&x->feed, x->epoch, from, r->config.lossless);
    uv_mutex_lock(&r->lock);
    x->info.id = r->ids + 1;
    const int err = uv_thread_create(&x->thread, recording_run, x);
    if (err == 0) {
        x->next = r->newest;
        r->newest = x;
        r->ids++;
        r->count++;
    }
    uv_mutex_unlock(&r->lock);
    if (err < 0 && x->epoch)
        iq_feed_leave(&x->feed);
    return err;
}

/* In an epoch that is past. */
static double begin_past(struct recording *x, const struct record_request *q,
                         const struct disk_piece *piece, uint64_t position)
{
    epoch_drop(x->epoch);
    x->epoch = NULL;
    x->stream = piece->stream;
    x->run = piece->run;
    x->info.epoch = piece->epoch;
    x->from = x->info.from = position;
    x->info.to = end_of(x, q);
    return record_moment_at(&x->stream, &piece->mark, position).tuning.center_hz;
}

/* Where it is, and what. Takes over x->epoch, which may be NULL. */
static int begin(struct recorder *r, struct recording *x, const struct record_request *q,
                 struct reason *why)
{
    struct disk_piece piece;
    uint64_t position;
    double center_hz;
    if (q->timed && recorder_find_past(r, x->epoch, q->from_ns, &piece, &position)) {
        center_hz = begin_past(x, q, &piece, position);
    } else {
        if (!x->epoch)
            return reason_set(why, -ENOENT, "there are no samples to record");
        x->stream = x->epoch->stream;
        x->info.epoch = x->epoch->number;
        if (!set_span(x, q))
            return reason_set(why, -EINVAL, "from: the samples have no time");
        center_hz = moment_at(x->epoch, x->from).tuning.center_hz;
    }
    describe(x, q);
    const int err = describe_band(x, q, center_hz, why);
    if (err == 0 && x->info.to <= x->from)
        return reason_set(why, -EINVAL, "the end of the recording is not after its start");
    return err;
}

int recorder_start_in(struct recorder *r, struct epoch *e, const struct record_request *q,
                      uint64_t *id, struct reason *why)
{
    struct recording *x = calloc(1, sizeof *x);
    int err = x ? copy_annotations(x, q) : -ENOMEM;
    if (err == 0) {
        x->options = r->config.options;
        x->clock = r->clock;
        x->calibrator = r->config.calibrator;
        x->changed = r->config.changed;
        x->user = r->config.user;
        x->lock = &r->lock;
        x->lossless = r->config.lossless;
        x->disk = r->disk;
        x->run = r->disk ? disk_ring_run(r->disk) : 0;
        x->epoch = e;
        err = begin(r, x, q, why);
        e = x->epoch;
        if (err == 0)
            err = start_thread(r, x);
    }
    if (err == 0) {
        *id = x->info.id;
        return 0;
    }
    if (err != -EINVAL && err != -ENOENT)
        reason_set(why, err, "the recording cannot start: %s", strerror(-err));
    epoch_drop(e);
    if (x)
        recorder_free_recording(x);
    return err;
}

static unsigned count_running(struct recorder *r)
{
    unsigned running = 0;
    uv_mutex_lock(&r->lock);
    for (const struct recording *x = r->newest; x; x = x->next)
        running += !x->ended;
    uv_mutex_unlock(&r->lock);
    return running;
}

int recorder_start(struct recorder *r, const struct record_request *request, uint64_t *id,
                   struct reason *why)
{
    const struct record_options *o = r->config.options;
    const uint64_t free_bytes = record_free_bytes(o->folder);
    if (free_bytes < o->min_free)
        return reason_set(why, -ENOSPC, "%s: %llu bytes are free, less than record-min-free",
                          o->folder, (unsigned long long)free_bytes);
    if (count_running(r) >= RECORDINGS_AT_ONCE)
        return reason_set(why, -EMFILE,
                          "%d recordings run already: stop one, or wait until one ends",
                          RECORDINGS_AT_ONCE);
    struct epoch *e = find_epoch(r, request->epoch);
    return recorder_start_in(r, e, request, id, why);
}
