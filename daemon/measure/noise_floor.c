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
    return f->n == line_fft_size(line) && f->hop == line->hop && f->percent == percent &&
           is_close(f->frames, frames) && is_close(f->lines, (double)in->lines) &&
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

static void prepare(struct noise_floor *f, const struct measure_input *in, double percent)
{
    const struct line *line = in->line;
    const bool mean = 1U << in->detector == FFT_DETECTOR_MEAN;
    const double frames = mean && line->frames > 0 ? (double)line->frames : 1;
    if (is_current(f, in, frames, percent))
        return;
    f->n = line_fft_size(line);
    f->hop = line->hop;
    f->percent = percent;
    f->frames = frames;
    f->lines = (double)in->lines;
    memcpy(f->window, line->window, sizeof f->window);
    f->factor = statistics_gamma_percentile(fmax(1, averages_of(line, frames) * f->lines), percent);
}

/* The spurs' bins of first .. last, from 0 on; their number of ranges. */
static uint32_t list_spurs(const struct measure_input *in, uint32_t first, uint32_t last,
                           struct line_bins gap[BAND_RULES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; in->rules && i < in->rules->count; i++) {
        const struct line_bins *bins = &in->rules->spur[i].bins;
        if (bins->last < first || bins->first > last)
            continue;
        const uint32_t from = bins->first > first ? bins->first : first;
        const uint32_t to = bins->last < last ? bins->last : last;
        gap[count++] = (struct line_bins){from - first, to - first};
    }
    return count;
}

double noise_floor_percentile(const struct measure_input *in, double percent, uint32_t first,
                              uint32_t last)
{
    struct line_bins gap[BAND_RULES_MAX];
    const uint32_t gaps = list_spurs(in, first, last, gap);
    return (double)statistics_percentile_without(in->power + first, last - first + 1, gap, gaps,
                                                 percent);
}

double noise_floor_estimate(struct noise_floor *f, const struct measure_input *in, double percent,
                            uint32_t first, uint32_t last)
{
    prepare(f, in, percent);
    return noise_floor_percentile(in, percent, first, last) / f->factor;
}
