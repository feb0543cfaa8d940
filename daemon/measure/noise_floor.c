/* noise_floor.c - estimates the noise floor of a trace. */
#include "daemon/measure/noise_floor.h"

#include <math.h>
#include <string.h>

#include "daemon/measure/statistics.h"

/* A few per cent more frames change the factor by far less. */
static bool is_close(double a, double b)
{
    return fabs(a - b) <= 0.02 * b;
}

static bool is_current(const struct noise_floor *f, const struct measure_input *in, double frames,
                       double percent)
{
    const struct line *line = in->line;
    return f->n == line->n && f->hop == line->hop && f->percent == percent &&
           is_close(f->frames, frames) && is_close(f->lines, (double)in->lines) &&
           strcmp(f->window, line->window) == 0;
}

/* Independent spectra of one line. */
static double averages_of(const struct line *line, double frames)
{
    struct fft_window window;
    if (fft_window_parse(line->window, &window) < 0)
        return frames;
    return statistics_effective_averages(&window, line->n, line->hop, (uint64_t)frames);
}

static void prepare(struct noise_floor *f, const struct measure_input *in, double percent)
{
    const struct line *line = in->line;
    const bool mean = 1U << in->detector == FFT_DETECTOR_MEAN;
    const double frames = mean && line->frames > 0 ? (double)line->frames : 1;
    if (is_current(f, in, frames, percent))
        return;
    f->n = line->n;
    f->hop = line->hop;
    f->percent = percent;
    f->frames = frames;
    f->lines = (double)in->lines;
    memcpy(f->window, line->window, sizeof f->window);
    f->factor = statistics_gamma_percentile(fmax(1, averages_of(line, frames) * f->lines), percent);
}

double noise_floor_estimate(struct noise_floor *f, const struct measure_input *in, double percent,
                            uint32_t first, uint32_t last)
{
    prepare(f, in, percent);
    return (double)statistics_percentile(in->power + first, last - first + 1, percent) / f->factor;
}
