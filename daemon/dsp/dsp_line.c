/*
 * dsp_line.c - says which frames a line has, and turns their fold into a published line.
 */
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/dsp/dsp.h"

void dsp_begin_line(struct dsp *d)
{
    d->line_frames = plan_line_frames(&d->runner.active.plan, d->lines_begun++);
    d->frames_left = d->line_frames;
}

void dsp_restart_lines(struct dsp *d)
{
    d->lines_begun = 0;
    dsp_begin_line(d);
}

struct line *dsp_acquire_line(struct dsp *d, bool wait)
{
    struct line *line = line_ring_acquire(d->config->lines, 0);
    while (!line && wait && !atomic_load(d->stop)) {
        atomic_store(d->beat_ns, clock_now_ns());
        line = line_ring_acquire(d->config->lines, 100);
    }
    return line;
}

void dsp_describe_line(const struct dsp *d, struct line *line)
{
    const struct plan *plan = &d->runner.active.plan;
    line->dwells = 0;
    line->number = d->ledger.lines;
    line->first_sample = d->line_first;
    line->sample_count = d->line_end - d->line_first;
    line->position = d->line_position;
    line->time_ns = d->line_time_ns;
    line->anchor = d->line_anchor;
    line->hardware_time = d->epoch->stream.hardware_time;
    line->gap_before = d->gap;
    line->simulated = d->epoch->stream.simulated;
    line->rate_assumed = d->epoch->stream.rate_assumed;
    line->dc_spur =
        settings_dc_spur(&d->requested, d->config->radio && !d->epoch->stream.simulated);
    line->epoch = d->epoch->number;
    line->tuning = d->tuning;
    line->gain_db = d->gain_db;
    line->usable_percent = d->requested.usable_percent;
    memcpy(line->serial, d->epoch->stream.serial, sizeof line->serial);
    line->corrected = plan->spectrum.corrected;
    line->correction = dsp_line_correction(d);
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

void dsp_publish_line(struct dsp *d, struct line *line)
{
    d->ledger.lines++;
    line->ledger = d->ledger;
    d->gap = false;
    line_ring_publish(d->config->lines, line);
    if (d->config->max_lines && d->ledger.lines >= d->config->max_lines)
        d->over = true;
}

void dsp_end_line(struct dsp *d, bool must)
{
    if (d->runner.active.plan.panorama) {
        dsp_end_dwell(d, must);
        return;
    }
    if (!d->line_open)
        return;
    struct line *line = dsp_acquire_line(d, must || d->config->lossless);
    if (!line) {
        d->ledger.folded++;
        return;
    }
    dsp_describe_line(d, line);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (line->detector[t])
            fft_fold_detector(d->runner.active.fold, 1U << t, line->detector[t]);
    }
    copy_hits(d, line);
    engine_runner_end_line(&d->runner);
    d->line_open = false;
    dsp_publish_line(d, line);
}
