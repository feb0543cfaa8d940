/*
 * line.c - turns a fold into a published line.
 */
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/dsp/dsp.h"

static struct line *acquire(struct dsp *d, bool wait)
{
    struct line *line = line_ring_acquire(d->config->lines, 0);
    while (!line && wait && !atomic_load(d->stop)) {
        atomic_store(d->beat_ns, clock_now_ns());
        line = line_ring_acquire(d->config->lines, 100);
    }
    return line;
}

static void describe(const struct dsp *d, struct line *line)
{
    const struct plan *plan = &d->runner.active.plan;
    line->number = d->ledger.lines;
    line->first_sample = d->line_first;
    line->sample_count = d->line_end - d->line_first;
    line->position = d->line_position;
    line->time_ns = d->line_time_ns;
    line->hardware_time = d->epoch->stream.hardware_time;
    line->gap_before = d->gap;
    line->simulated = d->epoch->stream.simulated;
    line->rate_assumed = d->epoch->stream.rate_assumed;
    line->epoch = d->epoch->number;
    line->tuning = d->tuning;
    line->gain_db = d->gain_db;
    line->hop = plan->spectrum.hop;
    line->frames = fft_fold_frames(d->runner.active.fold);
    line->enbw_bins = plan->enbw_bins;
    line->width_3db_bins = plan->width_3db_bins;
    line->engine = fft_engine_name(d->runner.engine);
    memcpy(line->window, plan->window_text, sizeof line->window);
}

static void copy_hits(const struct dsp *d, struct line *line)
{
    const uint64_t *hits = fft_fold_hits(d->runner.active.fold);
    const size_t cells = density_cells(&line->density);
    for (size_t i = 0; hits && i < cells; i++)
        line->hits[i] = (uint32_t)hits[i];
}

void dsp_end_line(struct dsp *d, bool must)
{
    if (!d->line_open)
        return;
    struct line *line = acquire(d, must || d->config->lossless);
    if (!line) {
        d->ledger.folded++;
        return;
    }
    describe(d, line);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (line->detector[t])
            fft_fold_detector(d->runner.active.fold, 1U << t, line->detector[t]);
    }
    line_build_pyramid(line);
    copy_hits(d, line);
    d->ledger.lines++;
    line->ledger = d->ledger;
    fft_fold_reset(d->runner.active.fold);
    d->line_open = false;
    d->gap = false;
    line_ring_publish(d->config->lines, line);
    if (d->config->max_lines && d->ledger.lines >= d->config->max_lines)
        d->over = true;
}
