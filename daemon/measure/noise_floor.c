/* noise_floor.c - estimates the noise floor of a trace. */
#include "daemon/measure/noise_floor.h"

#include "daemon/line/statistics.h"

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

double noise_floor_estimate(struct noise_factor *f, const struct measure_input *in, double percent,
                            uint32_t first, uint32_t last)
{
    return noise_floor_percentile(in, percent, first, last) /
           noise_factor_of(f, in->line, in->detector, in->lines, percent);
}
