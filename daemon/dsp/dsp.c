/* dsp.c - cuts samples into batches, lines and segments, and keeps the ledger. */
#include "daemon/dsp/dsp.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

#include "daemon/base/unix_time.h"

enum { WAIT_MS = 100, STEP_CAPACITY = 3 /* a batch, its line's end, a segment's end */ };

void dsp_init(struct dsp *d, const struct dsp_thread_config *config, const atomic_bool *stop,
              _Atomic uint64_t *beat_ns)
{
    *d = (struct dsp){.config = config,
                      .stop = stop,
                      .beat_ns = beat_ns,
                      .last_figures = front_end_no_figures,
                      .last_headroom_db = NAN};
    engine_runner_init(&d->runner, config->engine, config->threads);
    exchange_requested(config->exchange, &d->request_version, &d->requested);
}

void dsp_finish(struct dsp *d)
{
    engine_runner_finish(&d->runner);
    if (d->epoch)
        iq_reader_leave(&d->epoch->reader, d->epoch->ring);
    epoch_unref(d->epoch);
    d->epoch = NULL;
}

static bool in_flight(const struct dsp *d)
{
    return d->steps_in != d->steps_out;
}

static void push(struct dsp *d, const struct step *step)
{
    assert(d->steps_in - d->steps_out < DSP_STEPS);
    d->steps[d->steps_in++ % DSP_STEPS] = *step;
}

/* Ends the daemon, which logs the reason. */
static bool fail(struct dsp *d, int err, const char *what)
{
    d->error = err;
    d->failed = what;
    d->over = true;
    return false;
}

/* ---- the ledger ------------------------------------------------------------------------- */

static void account(struct dsp *d)
{
    d->ledger.produced = d->ledger.seen;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        d->ledger.produced += d->ledger.lost[cause];
}

/* Counts the samples before `end` that are in a frame for the first time. */
static void cover(struct dsp *d, uint64_t end)
{
    if (end <= d->covered)
        return;
    d->ledger.seen += end - d->covered;
    d->covered = end;
    account(d);
}

static void lose_tail(struct dsp *d, uint64_t end)
{
    if (end > d->covered) {
        d->ledger.lost[LOSS_TAIL] += end - d->covered;
        d->ledger.events[LOSS_TAIL]++;
    }
    d->covered = end;
}

static void set_time(struct dsp *d, const struct iq_mark *m)
{
    d->clock_ns = m->has_time ? m->time_ns : d->clock_ns;
    d->clock_number = m->has_time ? m->time_number : d->clock_number;
}

/* A recording is anchored at the sample of this number. */
static void set_anchor(struct dsp *d, const struct replay_anchor *anchor, uint64_t number)
{
    if (anchor->set)
        d->anchor = (struct line_anchor){d->anchor.id + 1, number, *anchor};
}

/* A sweep retunes without end: between its lines, only other losses are gaps. */
static bool is_gap(const struct dsp *d, const struct iq_mark *m)
{
    const bool sweeps = d->runner.active.plan.panorama;
    bool gap =
        (m->tuning_changed && !sweeps) || (m->anchor.set && m->anchor.jump != REPLAY_FOLLOWS);
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        gap = gap || (m->events[cause] && !(sweeps && cause == LOSS_RETUNE));
    return gap;
}

static void apply_mark(struct dsp *d, const struct iq_mark *m)
{
    for (int cause = 0; cause < LOSS_CAUSES; cause++) {
        d->ledger.lost[cause] += m->lost[cause];
        d->ledger.events[cause] += m->events[cause];
    }
    d->number_offset = m->sample_number - m->position;
    if (m->tuning_changed) {
        d->tuning = m->tuning;
        d->gain_db = m->gain_db;
    }
    set_time(d, m);
    set_anchor(d, &m->anchor, m->sample_number);
    d->gap = d->gap || (is_gap(d, m) && d->ledger.lines > 0);
}

/* ---- epochs ----------------------------------------------------------------------------- */

/* Position in this epoch at which --duration ends. */
static uint64_t stop_position(const struct dsp *d)
{
    const double left = d->config->max_seconds - d->seconds_before;
    const double samples = left * d->tuning.rate_hz;
    if (!(d->config->max_seconds > 0) || samples > 1e18)
        return UINT64_MAX;
    return samples > 0 ? (uint64_t)llround(samples) : 0;
}

static int begin_epoch(struct dsp *d, struct epoch *e)
{
    d->epoch = e;
    iq_tap_begin(d->config->tap, e);
    d->next_frame = d->checked = d->covered = d->number_offset = 0;
    d->tuning = e->stream.tuning;
    d->gain_db = e->stream.gain_db;
    d->clock_ns = e->stream.start_ns;
    d->clock_number = 0;
    set_anchor(d, &e->stream.anchor, 0);
    d->gap = d->ledger.lines > 0;
    d->closing = false;
    d->base = d->ledger;
    d->stop_position = stop_position(d);
    dsp_restart_correction(d, d->tuning.rate_hz);
    const int err = dsp_apply_request(d, true);
    exchange_set_planned(d->config->exchange);
    return err;
}

/* Accounts for all of the epoch, including losses after its last sample. */
static void end_epoch(struct dsp *d)
{
    struct iq_mark mark;
    while (iq_ring_pop_mark(d->epoch->ring, &mark))
        apply_mark(d, &mark);
    account(d);
    d->seconds_before += (double)d->covered / d->epoch->stream.tuning.rate_hz;
    d->covered = 0;
    engine_runner_stop(&d->runner); /* first: the engine may have pinned the ring */
    d->last_figures = dsp_front_end_figures(d);
    d->last_headroom_db = dsp_headroom_db(d);
    iq_tap_end(d->config->tap);
    iq_reader_leave(&d->epoch->reader, d->epoch->ring);
    epoch_unref(d->epoch);
    d->epoch = NULL;
}

/* Counts the marks and samples in flight and in the ring, without analysing them. */
static void count_rest(struct dsp *d)
{
    struct iq_ring_state ring;
    for (; d->steps_out != d->steps_in; d->steps_out++) {
        const struct step *step = &d->steps[d->steps_out % DSP_STEPS];
        if (step->has_mark)
            apply_mark(d, &step->mark);
    }
    iq_ring_close(d->epoch->ring);
    iq_ring_wait(d->epoch->ring, 0, 0, &ring);
    lose_tail(d, ring.head);
    end_epoch(d);
}

void dsp_abort(struct dsp *d)
{
    bool ended = false;
    if (d->over)
        return;
    if (d->epoch)
        dsp_end_line(d, false);
    engine_runner_stop(&d->runner); /* from here on, nothing reads the ring */
    while (d->epoch || (d->epoch = exchange_take_epoch(d->config->exchange, 0, &ended)))
        count_rest(d);
}

static bool next_epoch(struct dsp *d)
{
    bool ended = false;
    struct epoch *e = exchange_take_epoch(d->config->exchange, WAIT_MS, &ended);
    if (!e)
        return !ended;
    exchange_requested(d->config->exchange, &d->request_version, &d->requested);
    exchange_set_prepared(d->config->exchange, d->request_version);
    d->awaits_ring = false;
    d->requested.n = settings_fft_size(&d->requested, e->stream.tuning.rate_hz);
    while (!epoch_serves(e, d->requested.n))
        d->requested.n /= 2; /* until the epoch for the requested n arrives */
    const int err = begin_epoch(d, e);
    return err == 0 || fail(d, err, "plan");
}

/* ---- cutting ---------------------------------------------------------------------------- */

/* Whole frames from next_frame on that end at or before `end`. */
static uint64_t frames_before(const struct dsp *d, uint64_t end)
{
    const struct fft_spectrum_config *s = &d->runner.active.plan.spectrum;
    return end < d->next_frame + s->n ? 0 : (end - d->next_frame - s->n) / s->hop + 1;
}

static void push_line_end(struct dsp *d, bool must)
{
    push(d, &(struct step){.kind = STEP_LINE_END, .must = must});
}

/* Ends the segment at `end`. Its last line has the frames so far. */
static void end_segment(struct dsp *d, uint64_t end, bool has_mark)
{
    struct step step = {.kind = STEP_SEGMENT_END, .end = end};
    if (has_mark)
        step.has_mark = iq_ring_pop_mark(d->epoch->ring, &step.mark);
    const bool must = !step.has_mark || step.mark.tuning_changed;
    if (step.has_mark && step.mark.tuning_changed)
        dsp_restart_correction(d, step.mark.tuning.rate_hz);
    if (must || d->frames_left < d->line_frames)
        push_line_end(d, must);
    push(d, &step);
    dsp_restart_lines(d);
    d->next_frame = d->checked = end;
    d->closing = !has_mark;
}

static bool submit_batch(struct dsp *d, uint64_t frames)
{
    const struct fft_spectrum_config *s = &d->runner.active.plan.spectrum;
    const struct batch batch = {.span = iq_ring_at(d->epoch->ring, d->next_frame),
                                .position = d->next_frame,
                                .frames = (uint32_t)frames,
                                .is_line = frames == d->line_frames,
                                .fresh = (size_t)(d->checked - d->next_frame)};
    if (!engine_runner_accepts(&d->runner))
        return false;
    const struct step step = dsp_check_samples(d, d->next_frame + (frames - 1) * s->hop + s->n);
    dsp_correct_samples(d, &step);
    const int err = engine_runner_submit(&d->runner, &batch);
    if (err < 0)
        return fail(d, err, "engine");
    push(d, &step);
    d->next_frame += frames * s->hop;
    d->frames_left -= frames;
    if (d->frames_left == 0) {
        push_line_end(d, false);
        dsp_begin_line(d);
    }
    return true;
}

/* Marks that only carry a time are applied at once. They count for the lines that begin from now
 * on. */
static void wait_for_samples(struct dsp *d, uint64_t position, int wait_ms,
                             struct iq_ring_state *ring)
{
    struct iq_mark mark;
    iq_ring_wait(d->epoch->ring, position, wait_ms, ring);
    while (ring->has_mark && ring->mark_continues && iq_ring_pop_mark(d->epoch->ring, &mark)) {
        set_time(d, &mark);
        iq_ring_wait(d->epoch->ring, position, 0, ring);
    }
}

/*
 * Cuts the next batch, line end or segment end, if the ring has enough samples. The cuts depend on
 * positions alone: late samples never make a batch shorter.
 */
static bool cut(struct dsp *d, int wait_ms)
{
    const struct fft_spectrum_config *s = &d->runner.active.plan.spectrum;
    const uint64_t largest = s->max_frames < d->frames_left ? s->max_frames : d->frames_left;
    const uint64_t need = d->next_frame + (largest - 1) * s->hop + s->n;
    struct iq_ring_state ring;
    wait_for_samples(d, need, wait_ms, &ring);

    uint64_t end = UINT64_MAX;
    if (ring.has_mark)
        end = ring.mark_position;
    else if (ring.closed)
        end = ring.head;
    const bool limited = d->stop_position <= end;
    if (limited)
        end = d->stop_position;
    const uint64_t fit = frames_before(d, end), frames = fit < largest ? fit : largest;
    if (frames > 0 && d->next_frame + (frames - 1) * s->hop + s->n > ring.head)
        return false;
    if (frames > 0)
        return submit_batch(d, frames);
    if (end > ring.head)
        return false;
    end_segment(d, end, ring.has_mark && !limited);
    return true;
}

/* ---- finishing -------------------------------------------------------------------------- */

static int64_t time_of(const struct dsp *d, uint64_t number)
{
    const double samples = (double)number - (double)d->clock_number;
    return unix_time_after(d->clock_ns, samples / d->tuning.rate_hz);
}

static void finish_batch(struct dsp *d, const struct batch *b)
{
    const struct fft_spectrum_config *s = &d->runner.active.plan.spectrum;
    const uint64_t end = b->position + (uint64_t)(b->frames - 1) * s->hop + s->n;
    if (!d->line_open) {
        d->line_open = true;
        d->line_first = b->position + d->number_offset;
        d->line_position = b->position;
        d->line_time_ns = time_of(d, d->line_first);
        d->line_anchor = d->anchor;
        d->line_correction = b->correction;
    }
    if (d->line_first - d->line_position != d->number_offset)
        d->line_position = UINT64_MAX;
    d->line_end = end + d->number_offset;
    d->ledger.frames += b->frames;
    cover(d, end);
    /* Frees the samples before the next batch, whose first frame may overlap this one. */
    iq_reader_advance(&d->epoch->reader, d->epoch->ring,
                      b->position + (uint64_t)b->frames * s->hop);
}

static void finish_segment(struct dsp *d, const struct step *step)
{
    lose_tail(d, step->end);
    if (step->has_mark)
        apply_mark(d, &step->mark);
    account(d);
    iq_reader_advance(&d->epoch->reader, d->epoch->ring, step->end);
    if (step->end == d->stop_position)
        d->over = true;
    else if (!step->has_mark)
        end_epoch(d);
}

/* Finishes the oldest step. False: its batch was not done within timeout_ms. */
static bool complete(struct dsp *d, int timeout_ms)
{
    struct step step = d->steps[d->steps_out % DSP_STEPS];
    if (step.kind == STEP_BATCH) {
        struct batch done;
        const int got = engine_runner_poll(&d->runner, &done, timeout_ms);
        if (got <= 0)
            return got < 0 ? fail(d, got, "engine") : false;
        d->steps_out++;
        step.levels.clipped += done.clipped;
        dsp_count_levels(d, &step);
        finish_batch(d, &done);
        return true;
    }
    d->steps_out++;
    if (step.kind == STEP_LINE_END)
        dsp_end_line(d, step.must);
    else
        finish_segment(d, &step);
    return true;
}

/* Ends the open line with the frames so far. The grid restarts at the next frame. */
static bool change_plan(struct dsp *d)
{
    dsp_end_line(d, true);
    if (d->line_open)
        return true; /* stopped while waiting for a block */
    const int err = dsp_apply_request(d, false);
    return err == 0 || fail(d, err, "plan");
}

bool dsp_step(struct dsp *d)
{
    if (d->over)
        return false;
    if (!d->epoch)
        return next_epoch(d);
    dsp_check_request(d);
    const bool changes = d->replan && d->prepared;
    if (changes && !in_flight(d) && !d->closing)
        return change_plan(d);
    const bool fits = DSP_STEPS - (d->steps_in - d->steps_out) >= STEP_CAPACITY;
    const bool more = fits && !changes && !d->closing && cut(d, in_flight(d) ? 0 : WAIT_MS);
    if (!more && in_flight(d))
        complete(d, WAIT_MS);
    return !d->over;
}
