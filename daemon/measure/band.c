/* band.c - sums the bins of a band. */
#include "daemon/measure/band.h"

#include <math.h>

struct band band_span(const struct line *line)
{
    const struct line_band usable = line_usable_band(line);
    return (struct band){usable.low_hz, usable.high_hz};
}

const char *band_span_name(const struct line *line)
{
    const struct line_bins usable = line_usable_bins(line);
    return usable.last - usable.first + 1 < line->n ? "usable band" : "span";
}

struct band band_around(const struct line *line, double center_hz, double width_hz)
{
    const struct band around = {center_hz - width_hz / 2, center_hz + width_hz / 2};
    return width_hz > 0 ? around : band_span(line);
}

int band_clip(struct band *b, const struct line *line, struct measure_result *out)
{
    const struct band span = band_span(line);
    if (!(b->low_hz < b->high_hz))
        return measure_refuse(out, "the band is empty");
    if (!line_clip_band(line, &b->low_hz, &b->high_hz))
        return measure_refuse(out,
                              "the band %.0f Hz to %.0f Hz is not within the %s of %.0f Hz to "
                              "%.0f Hz",
                              b->low_hz, b->high_hz, band_span_name(line), ceil(span.low_hz),
                              floor(span.high_hz));
    return 0;
}

int band_clip_channel(struct band *b, const struct line *line, struct measure_result *out)
{
    const int err = band_clip(b, line, out);
    const double width_hz = b->high_hz - b->low_hz;
    if (err < 0 || width_hz >= 3 * line_rbw_hz(line))
        return err;
    return measure_refuse(out, "the RBW of %.4g Hz is too wide for a band of %.4g Hz",
                          line_rbw_hz(line), width_hz);
}

void band_bins(const struct band *b, const struct line *line, uint32_t *first, uint32_t *last)
{
    const double low = (b->low_hz - line_low_hz(line)) / line_bin_hz(line);
    const double high = (b->high_hz - line_low_hz(line)) / line_bin_hz(line);
    *first = (uint32_t)fmin(fmax(0, ceil(low)), line->n - 1);
    *last = (uint32_t)fmax(*first, fmin(floor(high), line->n - 1));
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

double band_signal_power(const struct band *b, const struct measure_input *in, double *width_hz)
{
    const double bin_hz = line_bin_hz(in->line), low_hz = line_low_hz(in->line);
    struct line_bins part;
    double power = 0;
    *width_hz = 0;
    for (uint32_t from = 0; band_rules_next(in->rules, from, in->line->n - 1, &part);
         from = part.last + 1) {
        const struct band piece = {fmax(b->low_hz, low_hz + (part.first - 0.5) * bin_hz),
                                   fmin(b->high_hz, low_hz + (part.last + 0.5) * bin_hz)};
        if (!(piece.low_hz < piece.high_hz))
            continue;
        power += band_power(&piece, in);
        *width_hz += piece.high_hz - piece.low_hz;
    }
    return power;
}
