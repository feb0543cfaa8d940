/* settings.c - compares settings, and computes the FFT size from the resolution bandwidth. */
#include "daemon/stream/settings.h"

#include "fft/fft.h"

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
    if (!w->density_wanted)
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
