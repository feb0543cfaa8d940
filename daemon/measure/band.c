/* band.c - sums the bins of a band. */
#include "daemon/measure/band.h"

#include <math.h>

int band_check(const struct band *b, const struct line *line, struct measure_result *out)
{
    const double half = line_bin_hz(line) / 2, low = line_low_hz(line) - half;
    if (!(b->low_hz < b->high_hz))
        return measure_refuse(out, "the band is empty");
    if (b->low_hz < low || b->high_hz > low + line->n * line_bin_hz(line))
        return measure_refuse(out, "the band %.0f Hz to %.0f Hz is not within the span", b->low_hz,
                              b->high_hz);
    return 0;
}

/* The part of bin k that is in the band, 0 to 1; edges in bins, where bin k covers k to k + 1. */
static double part_of(uint32_t k, double low, double high)
{
    return fmax(0, fmin(k + 1, high) - fmax(k, low));
}

double band_sum(const struct band *b, const struct measure_input *in)
{
    const double width = line_bin_hz(in->line), start = line_low_hz(in->line) - width / 2;
    const double low = (b->low_hz - start) / width, high = (b->high_hz - start) / width;
    const uint32_t first = (uint32_t)fmax(0, floor(low));
    const uint32_t last = (uint32_t)fmin(in->line->n - 1, floor(high));
    double sum = in->power[first] * part_of(first, low, high);
    for (uint32_t k = first + 1; k < last; k++)
        sum += in->power[k];
    return last > first ? sum + in->power[last] * part_of(last, low, high) : sum;
}

double band_power(const struct band *b, const struct measure_input *in)
{
    return band_sum(b, in) / in->line->enbw_bins;
}
