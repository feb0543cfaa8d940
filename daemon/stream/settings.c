/* settings.c - compares settings, and computes the FFT size from the resolution bandwidth. */
#include "daemon/stream/settings.h"

#include <math.h>

#include "fft/fft.h"

bool settings_sweeps(const struct settings *w)
{
    return w->sweep.span.high_hz > 0;
}

bool settings_same_sweep(const struct settings *a, const struct settings *b)
{
    const struct span *of_a = &a->sweep.span, *of_b = &b->sweep.span;
    return of_a->low_hz - of_b->low_hz == 0 && of_a->high_hz - of_b->high_hz == 0 &&
           (!settings_sweeps(a) || (a->sweep.dwell_s - b->sweep.dwell_s == 0 &&
                                    a->usable_percent - b->usable_percent == 0));
}

uint32_t settings_hop(uint32_t n, double overlap)
{
    const double hop = round(n * (1 - overlap / 100));
    return hop < 1 ? 1 : hop > n ? n : (uint32_t)hop;
}

bool settings_dc_spur(const struct settings *w, bool radio)
{
    return w->dc_spur == DC_SPUR_YES || (w->dc_spur == DC_SPUR_AUTO && radio && !w->dc_removal);
}

size_t density_cells(const struct fft_density *density)
{
    return (size_t)density->columns * density->levels;
}

bool density_equal(const struct fft_density *a, const struct fft_density *b)
{
    return a->columns == b->columns && a->levels == b->levels && a->top_db - b->top_db == 0 &&
           a->step_db - b->step_db == 0;
}

struct fft_density settings_density(const struct settings *w)
{
    struct fft_density density = w->density;
    if (!w->density_wanted || settings_sweeps(w))
        return (struct fft_density){0};
    if (density.columns > w->n)
        density.columns = w->n;
    return density;
}

bool settings_same_density(const struct settings *a, const struct settings *b)
{
    const struct fft_density of_a = settings_density(a), of_b = settings_density(b);
    return density_equal(&of_a, &of_b);
}

unsigned settings_detectors(const struct settings *w, unsigned detectors)
{
    const unsigned read = detectors & ~w->detectors_unread;
    return read ? read : detectors;
}

uint64_t settings_line_samples(const struct settings *w, double rate_hz)
{
    if (w->average)
        return (uint64_t)w->average * settings_fft_size(w, rate_hz);
    if (w->vbw_hz > 0)
        return (uint64_t)(rate_hz / (2 * w->vbw_hz));
    return w->line_rate_hz > 0 ? (uint64_t)(rate_hz / w->line_rate_hz) : 0;
}

static double frames_of_vbw(const struct settings *w, double rate_hz, uint32_t hop)
{
    const double rounding = 1e-9; /* a request of exactly one number's VBW gets that number */
    const double frames = ceil(rate_hz / (2 * hop * w->vbw_hz) * (1 - rounding));
    const double fewest = ceil(rate_hz / (hop * SETTINGS_LINE_RATE_MAX_HZ));
    const double most = floor(rate_hz / (hop * SETTINGS_LINE_RATE_MIN_HZ));
    return fmax(fmin(frames, most), fewest);
}

double settings_line_frames(const struct settings *w, double rate_hz, uint32_t hop)
{
    const double frames = w->vbw_hz > 0 ? frames_of_vbw(w, rate_hz, hop)
                          : w->average  ? w->average
                                        : rate_hz / (hop * w->line_rate_hz);
    return fmax(frames, 1);
}

uint32_t settings_fft_size(const struct settings *w, double rate_hz)
{
    const double rounding = 1 + 1e-9; /* a request of exactly one size's RBW gets that size */
    if (!(w->rbw_hz > 0 && rate_hz > 0))
        return w->n;
    const double enbw_hz = fft_window_enbw_bins(&w->window) * rate_hz;
    uint32_t n = FFT_SPECTRUM_MIN_N;
    while (n < FFT_SPECTRUM_MAX_N && enbw_hz / n > w->rbw_hz * rounding)
        n *= 2;
    return n;
}
