/* plan.c - hop, batch, frames per line and window of a plan. */
#include "daemon/dsp/plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/stream/epoch.h"

enum { DEPTH = 3 };

uint32_t plan_hop(uint32_t n, double overlap)
{
    const double hop = round(n * (1 - overlap / 100));
    return hop < 1 ? 1 : hop > n ? n : (uint32_t)hop;
}

static uint64_t frames_per_line(const struct settings *w, double rate_hz, uint32_t hop)
{
    if (w->average)
        return w->average;
    const double frames = round(rate_hz / (hop * w->line_rate_hz));
    return frames < 1 ? 1 : (uint64_t)frames;
}

static uint32_t batch_frames(const struct fft_spectrum_plan *s, double rate_hz,
                             uint64_t line_frames)
{
    double frames = rate_hz / BATCHES_PER_SECOND / s->hop;
    if (frames < BATCH_FRAMES)
        frames = BATCH_FRAMES;
    const uint64_t fit = (epoch_span(s->n, rate_hz) - s->n) / s->hop + 1;
    const uint64_t largest = fit < line_frames ? fit : line_frames;
    return frames < (double)largest ? (uint32_t)frames : (uint32_t)largest;
}

void plan_describe(struct fft_spectrum_plan *out, const struct settings *w,
                   const struct stream *stream, unsigned detectors)
{
    const double rate_hz = stream->tuning.rate_hz;
    *out = (struct fft_spectrum_plan){.n = w->n,
                                      .hop = plan_hop(w->n, w->overlap),
                                      .depth = DEPTH,
                                      .format = stream->format,
                                      .detectors = detectors,
                                      .density = settings_density(w)};
    out->max_frames = batch_frames(out, rate_hz, frames_per_line(w, rate_hz, out->hop));
}

struct line_shape plan_line_shape(const struct fft_spectrum_plan *spectrum)
{
    return (struct line_shape){
        .n = spectrum->n, .detectors = spectrum->detectors, .density = spectrum->density};
}

int plan_init(struct plan *p, const struct settings *w, const struct stream *stream,
              unsigned detectors)
{
    const double rate_hz = stream->tuning.rate_hz;
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
    p->frames_per_line = frames_per_line(w, rate_hz, p->spectrum.hop);
    p->line_rate_hz = rate_hz / ((double)p->spectrum.hop * (double)p->frames_per_line);
    return 0;
}

void plan_finish(struct plan *p)
{
    free(p->window);
    *p = (struct plan){0};
}
