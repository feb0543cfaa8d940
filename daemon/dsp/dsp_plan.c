/* dsp_plan.c - hop, batch, frames per line and window of a plan. */
#include "daemon/dsp/dsp_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/stream/epoch/epoch.h"

enum { DEPTH = 3 };

void plan_sweep(struct sweep_plan *out, const struct settings *w, const struct stream *stream)
{
    const struct sweep_radio radio = {w->n, stream->tuning.rate_hz, sweep_usable_share(w)};
    sweep_plan_init(out, w, &radio, NULL);
}

static double frames_per_line(const struct settings *w, double rate_hz, uint32_t hop,
                              const struct sweep_plan *sweep)
{
    return sweep->dwells ? (double)sweep->frames : settings_line_frames(w, rate_hz, hop);
}

static uint32_t batch_frames(const struct fft_spectrum_config *s, double rate_hz,
                             double line_frames)
{
    double frames = rate_hz / BATCHES_PER_SECOND / s->hop;
    if (frames < BATCH_FRAMES)
        frames = BATCH_FRAMES;
    const uint64_t fit = (epoch_span(s->n, rate_hz) - s->n) / s->hop + 1;
    return (uint32_t)fmin(frames, fmin((double)fit, ceil(line_frames)));
}

void plan_describe(struct fft_spectrum_config *out, const struct settings *w,
                   const struct stream *stream, unsigned detectors)
{
    const double rate_hz = stream->tuning.rate_hz;
    struct sweep_plan sweep;
    plan_sweep(&sweep, w, stream);
    *out = (struct fft_spectrum_config){.n = w->n,
                                        .hop = settings_hop(w->n, w->overlap),
                                        .depth = DEPTH,
                                        .format = stream->format,
                                        .detectors = settings_detectors(w, detectors),
                                        .density = settings_density(w),
                                        .full_scale = stream->full_scale,
                                        .corrected = w->dc_removal || w->iq_correction};
    out->max_frames = batch_frames(out, rate_hz, frames_per_line(w, rate_hz, out->hop, &sweep));
}

struct line_shape plan_line_shape(const struct fft_spectrum_config *spectrum,
                                  const struct settings *w, double rate_hz,
                                  const struct sweep_plan *sweep)
{
    const double frames = frames_per_line(w, rate_hz, spectrum->hop, sweep);
    const double samples =
        sweep->dwells ? (double)sweep->dwell_samples * sweep->dwells : spectrum->hop * frames;
    return (struct line_shape){.n = sweep->dwells ? sweep->bins : spectrum->n,
                               .detectors = spectrum->detectors,
                               .density = spectrum->density,
                               .rate_hz = rate_hz / samples};
}

/* The lines, and how many of them there are in a second. */
static int plan_lines(struct plan *p, const struct settings *w, const struct stream *stream)
{
    struct sweep_plan sweep;
    const double rate_hz = stream->tuning.rate_hz;
    plan_sweep(&sweep, w, stream);
    p->lines = plan_line_shape(&p->spectrum, w, rate_hz, &sweep);
    p->frames_per_line = frames_per_line(w, rate_hz, p->spectrum.hop, &sweep);
    p->line_rate_hz = p->lines.rate_hz;
    if (!sweep.dwells)
        return 0;
    return panorama_create(&p->panorama, &sweep, p->spectrum.detectors);
}

bool plan_is_same(const struct settings *a, const struct settings *b)
{
    return a->n == b->n && a->overlap - b->overlap == 0 && a->average == b->average &&
           a->vbw_hz - b->vbw_hz == 0 && a->line_rate_hz - b->line_rate_hz == 0 &&
           a->window.kind == b->window.kind && a->window.parameter - b->window.parameter == 0 &&
           settings_same_density(a, b) && a->detectors_unread == b->detectors_unread &&
           a->dc_removal == b->dc_removal && a->iq_correction == b->iq_correction &&
           settings_same_sweep(a, b);
}

int plan_init(struct plan *p, const struct settings *w, const struct stream *stream,
              unsigned detectors)
{
    *p = (struct plan){0};
    p->window = calloc(w->n, sizeof *p->window);
    if (!p->window)
        return -ENOMEM;
    struct fft_window_figures figures;
    fft_window_fill(&w->window, p->window, w->n,
                    fft_iq_full_scale(stream->format) / stream->full_scale, &figures);
    fft_window_format(&w->window, p->window_text, sizeof p->window_text);
    p->enbw_bins = figures.enbw_bins;
    p->width_3db_bins = fft_window_width_bins(&w->window, 10 * log10(2));
    plan_describe(&p->spectrum, w, stream, detectors);
    p->spectrum.window = p->window;
    const int err = plan_lines(p, w, stream);
    if (err < 0)
        plan_finish(p);
    return err;
}

uint64_t plan_line_frames(const struct plan *p, uint64_t line)
{
    const double f = p->frames_per_line, before = (double)line;
    return (uint64_t)(round((before + 1) * f) - round(before * f));
}

void plan_finish(struct plan *p)
{
    free(p->window);
    panorama_destroy(p->panorama);
    *p = (struct plan){0};
}
