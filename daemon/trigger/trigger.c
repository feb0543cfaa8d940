/* trigger.c - makes events of the frames that meet a condition. */
#include "daemon/trigger/trigger.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/log.h"
#include "daemon/base/unix_time.h"
#include "daemon/trigger/refiner.h"

enum { MAX = 1, MIN = 2 }; /* detectors */

void trigger_init(struct trigger *t, struct trigger_setup *setup, trigger_emit *emit, void *user)
{
    *t = (struct trigger){.setup = setup, .emit = emit, .user = user};
}

bool trigger_is_done(const struct trigger *t)
{
    return t->setup->count > 0 && t->events >= t->setup->count;
}

/* ---- events ------------------------------------------------------------------------------ */

static uint64_t samples_of(const struct trigger *t, double seconds)
{
    return (uint64_t)llround(fmin(seconds * t->rate_hz, 1e18));
}

static uint64_t position_of(const struct line *line, uint64_t number)
{
    return line->position == UINT64_MAX ? UINT64_MAX
                                        : number - (line->first_sample - line->position);
}

static struct event new_event(const struct trigger *t, const struct line *line, uint64_t number)
{
    const double after_s =
        ((double)number - (double)line->first_sample) / line_sample_rate_hz(line);
    struct event e = {.type = t->setup->ops->name,
                      .exact = true,
                      .epoch = line->epoch,
                      .start = position_of(line, number),
                      .end = position_of(line, number),
                      .first_sample = number,
                      .time_ns = unix_time_after(line->time_ns, after_s),
                      .hardware_time = line->hardware_time,
                      .low_hz = NAN,
                      .high_hz = NAN,
                      .peak_dbfs = NAN,
                      .peak_hz = NAN,
                      .center_hz = line->tuning.center_hz,
                      .rate_hz = line_sample_rate_hz(line),
                      .records = t->setup->record,
                      .line = line->number};
    snprintf(e.trigger, sizeof e.trigger, "%s", t->setup->text.name);
    return e;
}

static void set_end(const struct trigger *t, struct event *e, uint64_t end)
{
    const uint64_t samples = end - e->first_sample;
    if (e->start != UINT64_MAX)
        e->end = e->start + samples;
    e->duration_s = (double)samples / t->rate_hz;
}

/* Of the frames that met the condition. */
static void add_hit(struct event *e, const struct line *line, const struct condition_hit *hit)
{
    const double zero_hz = line_low_hz(line), bin_hz = line_bin_hz(line);
    const double peak_dbfs = level_dbfs((float)hit->peak);
    e->low_hz = fmin(e->low_hz, zero_hz + hit->first * bin_hz);
    e->high_hz = fmax(e->high_hz, zero_hz + hit->last * bin_hz);
    if (isnan(hit->peak) || peak_dbfs <= e->peak_dbfs)
        return;
    e->peak_dbfs = peak_dbfs;
    e->peak_hz = zero_hz + hit->peak_bin * bin_hz;
}

static void send(struct trigger *t, struct event *e)
{
    const bool had = e->recording > 0;
    t->emit(t->user, t->setup, e);
    t->recordings += !had && e->recording > 0;
}

static void emit(struct trigger *t, bool open)
{
    t->event.exact = t->exact;
    t->event.open = open;
    send(t, &t->event);
}

/* last: the start of the last frame of the event, from which the holdoff counts. */
static void hold_off(struct trigger *t, uint64_t last)
{
    t->not_before = last + samples_of(t, t->setup->holdoff_s);
}

static void count_event(struct trigger *t, uint64_t last)
{
    t->events++;
    hold_off(t, last);
}

static bool lasts(const struct trigger *t)
{
    return t->setup->when == WHEN_INSIDE || t->setup->when == WHEN_OUTSIDE;
}

static void on_begin(struct trigger *t)
{
    t->wanted = !trigger_is_done(t) && t->match.start >= t->not_before;
    if (!t->wanted)
        return;
    if (lasts(t)) {
        t->events++;
        set_end(t, &t->event, match_end(&t->match));
        emit(t, true);
    } else if (t->setup->when == WHEN_ENTER) {
        set_end(t, &t->event, t->match.start + t->match.n);
        count_event(t, t->match.start);
        emit(t, false);
    }
}

/* The match has ended, and `leave` is the first frame after it; 0: there is none. */
static void on_end(struct trigger *t, const struct line *line, uint64_t leave)
{
    const uint64_t end = match_end(&t->match);
    if (!t->wanted)
        return;
    if (lasts(t)) {
        set_end(t, &t->event, end);
        hold_off(t, t->match.last);
        emit(t, false);
    } else if (t->setup->when == WHEN_BURST) {
        set_end(t, &t->event, end);
        count_event(t, t->match.last);
        emit(t, false);
    } else if (t->setup->when == WHEN_LEAVE && leave > 0) {
        const struct event match = t->event;
        t->event = new_event(t, line, leave);
        t->event.uncertainty_s = match.uncertainty_s;
        t->event.low_hz = match.low_hz;
        t->event.high_hz = match.high_hz;
        t->event.peak_dbfs = match.peak_dbfs;
        t->event.peak_hz = match.peak_hz;
        set_end(t, &t->event, leave + t->match.n);
        count_event(t, leave);
        emit(t, false);
    }
    t->wanted = false;
}

static void end_match(struct trigger *t, const struct line *line)
{
    if (match_break(&t->match) == MATCH_ENDS)
        on_end(t, line, 0);
}

void trigger_end(struct trigger *t)
{
    end_match(t, NULL);
}

void trigger_finish(struct trigger *t)
{
    if (!t->setup)
        return;
    trigger_end(t);
    trigger_setup_unref(t->setup);
    *t = (struct trigger){0};
}

/* ---- frames ------------------------------------------------------------------------------ */

static void add_frames(struct trigger *t, const struct line *line, const struct match_frames *f,
                       const struct condition_hit *hit, bool exact)
{
    const bool was_active = t->match.active;
    const uint64_t leave = t->match.last + t->match.hop;
    if (f->met && !was_active) {
        t->event = new_event(t, line, f->position);
        t->event.uncertainty_s = (double)f->n / t->rate_hz;
        t->exact = true;
        t->wanted = false;
    }
    if (f->met && hit)
        add_hit(&t->event, line, hit);
    t->exact = t->exact && (exact || !f->met);
    const enum match_change change = match_add(&t->match, f);
    if (change == MATCH_BEGINS)
        on_begin(t);
    else if (change == MATCH_ENDS)
        on_end(t, line, leave);
}

void trigger_add(struct trigger *t, const struct line *line, const struct trigger_frames *frames)
{
    const bool outside = t->setup->when == WHEN_OUTSIDE;
    const struct match_frames f = {.position = line->first_sample + frames->first * line->hop,
                                   .count = frames->count,
                                   .n = line_fft_size(line),
                                   .hop = line->hop,
                                   .met = frames->met != outside};
    add_frames(t, line, &f, outside ? NULL : frames->hit, true);
}

/* The line as one frame. */
static void add_whole(struct trigger *t, const struct line *line, bool met,
                      const struct condition_hit *hit)
{
    const struct match_frames f = {.position = line->first_sample,
                                   .count = 1,
                                   .n = line->sample_count,
                                   .hop = line->sample_count,
                                   .met = met};
    add_frames(t, line, &f, hit, false);
}

void trigger_add_line(struct trigger *t, const struct line *line)
{
    struct condition_hit hit = {0};
    const bool outside = t->setup->when == WHEN_OUTSIDE;
    const bool known = !outside && t->setup->ops->meets(t->setup->state, line->detector[MAX],
                                                        line->detector[MIN], &hit);
    add_whole(t, line, true, known ? &hit : NULL);
}

/* What is decided for every frame of the line. */
static void add_all(struct trigger *t, const struct line *line, bool met,
                    const struct condition_hit *hit)
{
    const bool outside = t->setup->when == WHEN_OUTSIDE;
    if (refiner_finds_frames(line))
        trigger_add(t, line, &(struct trigger_frames){0, line->frames, met, hit});
    else
        add_whole(t, line, met != outside, outside ? NULL : hit);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Another stream or tuning: an event does not go on there. */
static void follow(struct trigger *t, const struct line *line)
{
    const double rate_hz = line_sample_rate_hz(line), center_hz = line->tuning.center_hz;
    const bool same = t->had_line && t->epoch == line->epoch && t->n == line->n &&
                      t->rate_hz - rate_hz == 0 && t->center_hz - center_hz == 0;
    if (t->had_line && !same)
        end_match(t, line);
    if (t->had_line && t->epoch != line->epoch)
        t->not_before = 0;
    if (same && line->number != t->line + 1)
        t->exact = false; /* lines were missed */
    t->had_line = true;
    t->epoch = line->epoch;
    t->n = line->n;
    t->rate_hz = rate_hz;
    t->center_hz = center_hz;
    t->line = line->number;
    t->match.least = samples_of(t, t->setup->for_s);
    t->match.gap = samples_of(t, t->setup->gap_s);
}

/* Every line is an event, as far as the holdoff allows. */
static void run_free(struct trigger *t, const struct line *line)
{
    if (trigger_is_done(t) || line->first_sample < t->not_before)
        return;
    t->event = new_event(t, line, line->first_sample);
    t->exact = refiner_finds_frames(line);
    set_end(t, &t->event, line->first_sample + line->sample_count);
    count_event(t, line->first_sample + (t->exact ? (line->frames - 1) * line->hop : 0));
    emit(t, false);
}

/* False: the condition cannot be decided for this line. */
static bool prepare(struct trigger *t, const struct line *line)
{
    t->why = (struct reason){0};
    if (t->setup->ops->meets && (!line->detector[MAX] || !line->detector[MIN])) {
        reason_set(&t->why, -ENODATA, "the lines have no maximum and minimum");
        return false;
    }
    const int err = t->setup->ops->prepare(t->setup->state, line, &t->why);
    if (err == -ERANGE && !t->warned)
        log_warn("trigger %s cannot fire: %s", t->setup->text.name, t->why.sentence);
    t->warned = t->warned || err == -ERANGE; /* once: the radio may be retuned often */
    if (err < 0 && !t->why.sentence[0])
        reason_set(&t->why, -ENODATA, "%s", strerror(-err));
    return err == 0;
}

static bool decide(struct trigger *t, const struct line *line)
{
    const struct condition_ops *ops = t->setup->ops;
    const float *max = line->detector[MAX], *min = line->detector[MIN];
    struct condition_hit hit = {0};
    if (!ops->meets(t->setup->state, max, min, NULL)) {
        add_all(t, line, false, NULL);
        return false;
    }
    if (ops->meets(t->setup->state, min, max, NULL)) {
        ops->meets(t->setup->state, max, min, &hit);
        add_all(t, line, true, &hit);
        return false;
    }
    return true;
}

/* Without spectra. */
static void decide_frames(struct trigger *t, const struct line *line)
{
    const struct condition_ops *ops = t->setup->ops;
    const bool outside = t->setup->when == WHEN_OUTSIDE;
    const bool whole = ops->by_line || !refiner_finds_frames(line);
    for (uint64_t first = 0; first < line->frames;) {
        struct condition_hit hit = {0};
        bool met = false;
        const uint64_t count = ops->decide(t->setup->state, line, first, &met, &hit);
        if (whole) {
            add_whole(t, line, met != outside, met && !outside ? &hit : NULL);
            break;
        }
        trigger_add(t, line, &(struct trigger_frames){first, count, met, met ? &hit : NULL});
        first += count;
    }
}

uint64_t trigger_oldest(const struct trigger *t)
{
    const bool later = t->setup->when == WHEN_BURST || (t->event.open && !t->event.outlasts);
    const bool waits = t->match.active && (!t->match.begun || (t->wanted && later));
    return waits ? t->event.start : UINT64_MAX;
}

void trigger_outlast(struct trigger *t, uint64_t before)
{
    if (!t->event.open || t->event.outlasts || t->event.start >= before)
        return;
    t->event.outlasts = true;
    send(t, &t->event);
}

void trigger_add_result(struct trigger *t, const struct line *line,
                        const struct measure_snapshot *result)
{
    bool met;
    follow(t, line);
    if (t->setup->mode == MODE_FREE) {
        run_free(t, line);
        return;
    }
    t->why = (struct reason){0};
    if (t->setup->ops->judge(t->setup->state, result, &met, &t->why) == 0)
        add_whole(t, line, met != (t->setup->when == WHEN_OUTSIDE), NULL);
    else
        end_match(t, line);
}

bool trigger_begin_line(struct trigger *t, const struct line *line)
{
    if (t->setup->ops->judge)
        return false; /* trigger_add_result */
    follow(t, line);
    if (condition_is_command(t->setup->ops))
        return false;
    if (t->setup->mode == MODE_FREE) {
        run_free(t, line);
        return false;
    }
    const bool can_fire = prepare(t, line);
    if (can_fire && t->setup->ops->meets)
        return (!trigger_is_done(t) || t->wanted) && decide(t, line);
    if (can_fire)
        decide_frames(t, line);
    else
        end_match(t, line);
    return false;
}

void trigger_fire(struct trigger *t, const struct line *line, uint64_t number)
{
    if (!t->had_line || t->epoch != line->epoch)
        follow(t, line);
    if (trigger_is_done(t) || number < t->not_before)
        return;
    struct event e = new_event(t, line, number);
    set_end(t, &e, number + 1);
    count_event(t, number);
    send(t, &e);
}
