/* significance.c - compares bins with the noise beside them. */
#include "daemon/measure/significance.h"

#include <math.h>

#include "daemon/line/statistics.h"
#include "daemon/measure/bins.h"

/*
 * An estimate from a percentile is as uncertain as the mean of fewer bins: the median of half of
 * them (1 / (K ln 2)^2 = 2.08 for K = 1), the 10th percentile of a tenth.
 */
enum { SIDE = 128 /* bins of the noise on a side */, LEAST_REACH = 64 };
static const double median_part = 0.5, floor_part = 0.1;

static uint64_t lines_of(const struct measure_input *in)
{
    return measure_keeps_power(in) ? in->lines : 1;
}

/* power: of the strongest of `searched` bins; noise: estimated from `bins` uncorrelated ones. */
static bool is_significant(double power, double noise, double averages, double bins,
                           uint32_t searched)
{
    return power > noise &&
           searched * statistics_f_above(power / noise, averages, averages * bins) <
               SIGNIFICANCE_FALSE_ALARM;
}

struct sample_of_noise {
    uint32_t count;
    float bin[2 * SIDE];
};

/* Up to SIDE bins of one side, evenly spread from `from` bins away on. */
static void add_side(struct sample_of_noise *s, const struct measure_input *in, double from,
                     int direction, double stride)
{
    const struct line_bins usable = line_usable_bins(in->line);
    for (int i = 0; i < SIDE; i++) {
        const double at = floor(from + direction * i * stride + 0.5);
        if (at < usable.first || at > usable.last)
            return;
        if (!band_rules_spur(in->rules, (uint32_t)at))
            s->bin[s->count++] = in->power[(uint32_t)at];
    }
}

bool significance_over_neighbours(struct noise_factor *f, const struct measure_input *in,
                                  uint32_t peak, double low, double high, uint32_t searched)
{
    const double enbw = in->line->enbw_bins, lobe = ceil(3 * enbw) + 1;
    const double reach = fmax(LEAST_REACH, high - low), stride = fmax(1, reach / SIDE);
    struct sample_of_noise s = {0};
    add_side(&s, in, low - lobe, -1, stride);
    add_side(&s, in, high + lobe, 1, stride);
    if (s.count == 0)
        return true;
    const double factor = noise_factor_of(f, in->line, in->detector, lines_of(in), 50);
    const double noise = (double)statistics_percentile(s.bin, s.count, 50) / factor;
    const double uncorrelated = s.count * fmin(1, stride / enbw);
    return is_significant((double)in->power[peak], noise, f->averages, median_part * uncorrelated,
                          searched);
}

bool significance_over_floor(const struct noise_factor *f, const struct measure_input *in,
                             double noise, uint32_t first, uint32_t last)
{
    const struct powers powers = bins_powers(in);
    const uint32_t bins = last - first + 1;
    uint32_t peak;
    return bins_strongest_signal(&powers, in->rules, first, last, &peak) &&
           is_significant((double)in->power[peak], noise, f->averages,
                          floor_part * bins / in->line->enbw_bins, bins);
}
