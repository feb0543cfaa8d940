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
    enum { LANES = 4 }; /* maxima that do not wait for each other */
    float most[LANES] = {power[first], power[first], power[first], power[first]};
    uint32_t k = first;
    for (; k + LANES <= last + 1; k += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++)
            most[lane] = power[k + lane] > most[lane] ? power[k + lane] : most[lane];
    for (; k <= last; k++)
        most[0] = power[k] > most[0] ? power[k] : most[0];
    const float strongest = fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
    for (k = first; k < last && power[k] < strongest; k++)
        ;
    return k;
}

int bins_find_or_strongest(const struct measure_input *in, double hz, uint32_t *bin,
                           struct measure_result *out)
{
    if (!isnan(hz))
        return bins_find(in->line, hz, bin, out);
    *bin = bins_strongest(in->power, 0, in->line->n - 1);
    return 0;
}

static double db_of(float power)
{
    return 10 * log10(fmax((double)power, 1e-30));
}

/*
 * Where the parabola through the levels before, here and next (at -1, 0, 1) crosses the limit
 * between 0 and 1: here is above it, next is not.
 */
static double crossing(double before, double here, double next, double limit)
{
    const double slope = (next - before) / 2, bend = (next + before) / 2 - here;
    const double drop = here - limit; /* bend x^2 + slope x + drop = 0 */
    const double root = sqrt(fmax(slope * slope - 4 * bend * drop, 0));
    return fmin(fmax(2 * drop / (root - slope), 0), 1);
}

double bins_fall_below(const struct measure_input *in, uint32_t from, int step, double limit)
{
    const uint32_t n = in->line->n, last = step > 0 ? n - 1 : 0, on = (uint32_t)step;
    uint32_t k = from;
    while (k != last && (double)in->power[k + on] > limit)
        k += on;
    if (k == last)
        return NAN;
    const float before = in->power[k == n - 1 - last ? k : k - on];
    return k + step * crossing(db_of(before), db_of(in->power[k]), db_of(in->power[k + on]),
                               10 * log10(limit));
}
