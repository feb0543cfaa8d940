/* bins.c - finds bins of a trace. */
#include "daemon/measure/bins.h"

#include <math.h>

double bins_frequency(const struct line *line, double position)
{
    return line_low_hz(line) + position * line_bin_hz(line);
}

int bins_find(const struct line *line, double hz, uint32_t *bin, struct measure_result *out)
{
    const double position = floor((hz - line_low_hz(line)) / line_bin_hz(line) + 0.5);
    if (!(position >= 0 && position < line->n))
        return measure_refuse(out, "%.0f Hz is not within the span", hz);
    *bin = (uint32_t)position;
    return 0;
}

uint32_t bins_strongest(const float *power, uint32_t first, uint32_t last)
{
    uint32_t best = first;
    for (uint32_t k = first + 1; k <= last; k++)
        if (power[k] > power[best])
            best = k;
    return best;
}

int bins_find_or_strongest(const struct measure_input *in, double hz, uint32_t *bin,
                           struct measure_result *out)
{
    if (!isnan(hz))
        return bins_find(in->line, hz, bin, out);
    *bin = bins_strongest(in->power, 0, in->line->n - 1);
    return 0;
}

/* The part of the step from `above` to `below` at which the level is `limit`, 0 to 1. */
static double part_of_step(double above, double below, double limit)
{
    if (!(below > 0))
        return 1;
    return log(above / limit) / log(above / below);
}

double bins_fall_below(const struct measure_input *in, uint32_t from, int step, double limit)
{
    const uint32_t last = step > 0 ? in->line->n - 1 : 0;
    for (uint32_t k = from; k != last; k += (uint32_t)step) {
        const double here = (double)in->power[k], next = (double)in->power[k + (uint32_t)step];
        if (next <= limit)
            return k + step * part_of_step(here, next, limit);
    }
    return NAN;
}
