/* recording_begin.c - finds the samples of a request. */
#include "daemon/record/recorder/recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/record/record_meta.h"

/* The position after the newest sample that recordings may read. */
static uint64_t newest_sample(const struct epoch *e)
{
    bool final;
    return iq_ring_follow(e->ring, &e->reader, 0, 0, &final);
}

uint64_t recording_end_now(const struct recording *x)
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
static bool set_range(struct recording *x, const struct record_request *q)
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

void recording_free(struct recording *x)
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
        return reason_key(why, -EINVAL, "high", "high: %.10g Hz is not above low", q->band.high_hz);
    if (!record_band_lies_within(&q->band, center_hz, rate_hz))
        return reason_key(why, -EINVAL, "low", "low, high: the radio receives %.10g to %.10g Hz",
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

static bool lies_before(const struct epoch *newest, int64_t time_ns)
{
    struct iq_mark mark;
    uint64_t since;
    if (!newest)
        return true;
    iq_ring_find_mark(newest->ring, 0, &mark, &since);
    const struct record_moment m = record_moment_at(&newest->stream, &mark, 0);
    return m.has_time && time_ns < m.time_ns;
}

/*
 * Whether a time lies before the newest epoch (NULL: there is none), and the disk ring has it: then
 * *piece has the samples of that time, or the first ones after it.
 */
static bool find_past(struct disk_ring *disk, const struct epoch *newest, int64_t time_ns,
                      struct disk_piece *piece, uint64_t *position)
{
    if (!disk || !lies_before(newest, time_ns) || !disk_ring_find_time(disk, time_ns, piece))
        return false;
    const struct record_moment m = record_moment_at(&piece->stream, &piece->mark, piece->position);
    const double after = unix_time_seconds(m.time_ns, time_ns) * piece->stream.tuning.rate_hz;
    *position = piece->position + (uint64_t)llround(fmax(0, fmin(after, 9e18)));
    return disk_ring_find(disk, piece->run, piece->epoch, *position, piece);
}

/* In an epoch that is past. */
static double begin_past(struct recording *x, const struct record_request *q,
                         const struct disk_piece *piece, uint64_t position)
{
    epoch_unref(x->epoch);
    x->epoch = NULL;
    x->stream = piece->stream;
    x->run = piece->run;
    x->info.epoch = piece->epoch;
    x->from = x->info.from = position;
    x->info.to = end_of(x, q);
    return record_moment_at(&x->stream, &piece->mark, position).tuning.center_hz;
}

int recording_begin(struct recording *x, const struct record_request *q, struct reason *why)
{
    struct disk_piece piece;
    uint64_t position;
    double center_hz;
    if (copy_annotations(x, q) < 0)
        return -ENOMEM;
    if (q->timed && find_past(x->disk, x->epoch, q->from_ns, &piece, &position)) {
        center_hz = begin_past(x, q, &piece, position);
    } else {
        if (!x->epoch)
            return reason_set(why, -ENOENT, "there are no samples to record");
        x->stream = x->epoch->stream;
        x->info.epoch = x->epoch->number;
        if (!set_range(x, q))
            return reason_key(why, -EINVAL, "from", "from: the samples have no time");
        center_hz = moment_at(x->epoch, x->from).tuning.center_hz;
    }
    describe(x, q);
    const int err = describe_band(x, q, center_hz, why);
    if (err == 0 && x->info.to <= x->from)
        return reason_set(why, -EINVAL, "the end of the recording is not after its start");
    return err;
}
