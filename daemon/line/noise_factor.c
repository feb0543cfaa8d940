/* noise_factor.c - keeps what a percentile of noise is to its mean. */
#include "daemon/line/noise_factor.h"

#include <math.h>
#include <string.h>

#include "daemon/line/statistics.h"

/* A few per cent more frames change the factor by far less. */
static bool is_close(double a, double b)
{
    return fabs(a - b) <= 0.02 * b;
}

static bool is_current(const struct noise_factor *f, const struct line *line, double frames,
                       double lines, double percent)
{
    return f->n == line_fft_size(line) && f->hop == line->hop && f->percent == percent &&
           is_close(f->frames, frames) && is_close(f->lines, lines) &&
           strcmp(f->window, line->window) == 0;
}

/* Independent spectra of one line. */
static double averages_of(const struct line *line, double frames)
{
    struct fft_window window;
    if (fft_window_parse(line->window, &window) < 0)
        return frames;
    return statistics_effective_averages(&window, line_fft_size(line), line->hop, (uint64_t)frames);
}

double noise_factor_of(struct noise_factor *f, const struct line *line, unsigned detector,
                       uint64_t lines, double percent)
{
    const bool mean = 1U << detector == FFT_DETECTOR_MEAN;
    const double frames = mean && line->frames > 0 ? (double)line->frames : 1;
    if (is_current(f, line, frames, (double)lines, percent))
        return f->factor;
    f->n = line_fft_size(line);
    f->hop = line->hop;
    f->percent = percent;
    f->frames = frames;
    f->lines = (double)lines;
    memcpy(f->window, line->window, sizeof f->window);
    f->averages = fmax(1, averages_of(line, frames) * f->lines);
    f->factor = statistics_gamma_percentile(f->averages, percent);
    return f->factor;
}
