/* dwell.c - adds the folds of dwells to the panorama, and publishes lines of the whole span. */
#include <string.h>

#include "daemon/dsp/dsp.h"

static struct panorama *panorama_of(const struct dsp *d)
{
    return d->runner.active.plan.panorama;
}

void dsp_restart_sweep(struct dsp *d)
{
    d->sweep = (struct sweep_state){.before = UINT64_MAX, .incomplete = d->sweep.incomplete};
}

/* Forgets the open sweep. The next line follows after a gap. */
static void drop_sweep(struct dsp *d)
{
    panorama_clear(panorama_of(d));
    d->sweep.incomplete++;
    d->sweep.open = d->sweep.kept = false;
    d->sweep.before = UINT64_MAX;
    d->gap = d->ledger.lines > 0;
}

/* Adds the open line to its dwell. Folds at other centres, from before a change, are left out. */
static void add_fold(struct dsp *d)
{
    struct panorama *p = panorama_of(d);
    struct sweep_state *s = &d->sweep;
    struct fft_fold *fold = d->runner.active.fold;
    const uint64_t frames = fft_fold_frames(fold);
    const uint32_t dwell = sweep_find_dwell(&p->plan, d->tuning.center_hz);
    if (s->open && dwell < s->dwell && !s->kept)
        drop_sweep(d); /* it starts again, without its last dwells */
    const bool is_rest = !s->open && dwell == p->plan.dwells - 1; /* of a sweep that has its line */
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (p->fold[t])
            fft_fold_detector(fold, 1U << t, p->fold[t]);
    }
    engine_runner_end_line(&d->runner);
    d->line_open = false;
    if (is_rest || panorama_add(p, d->tuning.center_hz, frames) == p->plan.dwells)
        return;
    if (!s->open) {
        s->first = d->line_first;
        s->time_ns = d->line_time_ns;
    }
    s->stay_frames = (s->open && s->dwell == dwell ? s->stay_frames : 0) + frames;
    s->open = true;
    s->dwell = dwell;
    s->end = d->line_end;
}

static void describe(const struct dsp *d, struct line *line)
{
    const struct panorama *p = panorama_of(d);
    dsp_describe_line(d, line);
    line->first_sample = d->sweep.first;
    line->sample_count = d->sweep.end - d->sweep.first;
    line->position = UINT64_MAX; /* samples of different centres */
    line->usable_percent = 0; /* the planner has left the edges out, and the bins at the centres */
    line->dc_spur = false;
    line->time_ns = d->sweep.time_ns;
    line->sample_rate_hz = d->tuning.rate_hz;
    line->tuning.center_hz = sweep_span_center_hz(&p->plan);
    line->tuning.rate_hz = sweep_span_hz(&p->plan);
    line->dwells = p->plan.dwells;
    line->fft_size = p->plan.n;
    line->frames = panorama_frames(p);
}

static void publish(struct dsp *d)
{
    struct panorama *p = panorama_of(d);
    struct sweep_state *s = &d->sweep;
    struct line *line = dsp_acquire_line(d, d->config->lossless);
    if (!line) {
        d->ledger.folded++;
        s->kept = true;
        return;
    }
    describe(d, line);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (line->detector[t])
            memcpy(line->detector[t], p->power[t], line->n * sizeof(float));
    }
    s->samples = s->before == UINT64_MAX || s->kept ? line->sample_count : s->first - s->before;
    s->before = s->first;
    s->open = s->kept = false;
    panorama_clear(p);
    dsp_publish_line(d, line);
}

/* The last dwell is over when it has all of its frames, or when the radio leaves it. */
static bool is_over(const struct dsp *d, bool must)
{
    const struct sweep_state *s = &d->sweep;
    return s->open && s->dwell == panorama_of(d)->plan.dwells - 1 && s->stay_frames > 0 &&
           (must || (double)s->stay_frames >= d->runner.active.plan.frames_per_line);
}

void dsp_end_dwell(struct dsp *d, bool must)
{
    if (d->line_open)
        add_fold(d);
    if (!is_over(d, must))
        return;
    d->sweep.stay_frames = 0;
    if (panorama_is_complete(panorama_of(d)))
        publish(d);
    else
        drop_sweep(d);
}
