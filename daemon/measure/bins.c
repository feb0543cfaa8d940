/* bins.c - finds bins of a trace. */
#include "daemon/measure/bins.h"

#include <math.h>
#include <stdio.h>

#include "daemon/measure/band.h"

double bins_frequency(const struct line *line, double position)
{
    return line_low_hz(line) + position * line_bin_hz(line);
}

int bins_find(const struct measure_input *in, double hz, uint32_t *bin, struct measure_result *out)
{
    const struct line *line = in->line;
    const double position = floor((hz - line_low_hz(line)) / line_bin_hz(line) + 0.5);
    const struct line_bins usable = line_usable_bins(line);
    if (!(position >= usable.first && position <= usable.last))
        return measure_refuse(out, "%.0f Hz is not within the %s", hz, band_span_name(line));
    *bin = (uint32_t)position;
    return 0;
}

struct powers bins_powers(const struct measure_input *in)
{
    const struct line *line = in->line;
    return in->power == line->detector[in->detector] ? powers_of_line(line, in->detector)
                                                     : powers_of_bins(in->power, line->n);
}

uint32_t bins_strongest(const struct measure_input *in, uint32_t first, uint32_t last)
{
    const struct powers powers = bins_powers(in);
    return powers_strongest(&powers, first, last + 1);
}

bool bins_strongest_signal(const struct powers *powers, const struct band_rules *spurs,
                           uint32_t first, uint32_t last, uint32_t *bin)
{
    const float *power = powers->level[0];
    struct line_bins part;
    bool found = false;
    for (uint32_t from = first; band_rules_next(spurs, from, last, &part); from = part.last + 1) {
        const uint32_t strongest = powers_strongest(powers, part.first, part.last + 1);
        if (!found || power[strongest] > power[*bin])
            *bin = strongest;
        found = true;
    }
    return found;
}

double bins_mean_around(const struct line *line, const float *power, const struct band_rules *spurs,
                        uint32_t bin)
{
    const struct line_bins usable = line_usable_bins(line);
    const uint32_t n = line->n, from = (uint32_t)ceil(3 * line->enbw_bins) + 1;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * from; i++) {
        const uint32_t away = from + i / 2, k = (i % 2 ? bin + away : bin + n - away) % n;
        if (k < usable.first || k > usable.last || band_rules_spur(spurs, k))
            continue;
        sum += (double)power[k];
        count++;
    }
    return count > 0 ? sum / count : 0;
}

void bins_note_spur(const struct measure_input *in, uint32_t first, uint32_t last,
                    struct measure_result *out)
{
    const struct band_spur *spur = NULL;
    for (uint32_t k = first; k <= last && !spur; k++)
        spur = band_rules_spur(in->rules, k);
    if (spur)
        snprintf(out->note, sizeof out->note, "this is on the spur list%s%s",
                 spur->note[0] ? ": " : "", spur->note);
}

int bins_find_or_strongest(const struct measure_input *in, double hz, uint32_t *bin,
                           struct measure_result *out)
{
    if (isnan(hz)) {
        const struct line_bins usable = line_usable_bins(in->line);
        const struct powers powers = bins_powers(in);
        return bins_strongest_signal(&powers, in->rules, usable.first, usable.last, bin)
                   ? 0
                   : measure_refuse(out, "every bin is on the spur list");
    }
    const int err = bins_find(in, hz, bin, out);
    if (err == 0)
        bins_note_spur(in, *bin, *bin, out);
    return err;
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
    const struct line_bins usable = line_usable_bins(in->line);
    const uint32_t start = step > 0 ? usable.first : usable.last, on = (uint32_t)step;
    const uint32_t last = step > 0 ? usable.last : usable.first;
    uint32_t k = from;
    while (k != last && (double)in->power[k + on] > limit)
        k += on;
    if (k == last)
        return NAN;
    const float before = in->power[k == start ? k : k - on];
    return k + step * crossing(db_of(before), db_of(in->power[k]), db_of(in->power[k + on]),
                               10 * log10(limit));
}
