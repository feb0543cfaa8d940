/* readout.c - reads levels and tones at markers. */
#include "daemon/client/readout.h"

#include <math.h>

#include "daemon/base/level.h"
#include "daemon/measure/bins.h"

static const struct reading no_reading = {NAN, NAN, NAN, NAN, NAN};

static const float *power_of(const struct readout_line *from)
{
    return from->line->detector[from->detector];
}

/*
 * A bin of which both neighbours are weaker, well above the bins next to it; *around is their mean.
 */
static bool is_tone(const struct readout_line *from, uint32_t bin, double *around)
{
    const float *power = power_of(from);
    const uint32_t n = from->line->n;
    if (power[bin] < power[(bin + 1) % n] || power[bin] < power[(bin + n - 1) % n])
        return false;
    *around = bins_mean_around(from->line, power, NULL, bin);
    return *around > 0 && (double)power[bin] > TONE_LEAST_RATIO * *around;
}

/* In bins, rms: tone.h says 0.002 without noise, and 0.02 in one frame 40 dB above the noise. */
static double tone_error(double power, double around)
{
    return 0.002 + 0.02 * 100 * sqrt(around / power);
}

static void read_bin(const struct readout_line *from, struct tone_shape *shape, uint32_t bin,
                     struct reading *out)
{
    const float *power = power_of(from);
    double around;
    *out = no_reading;
    out->bin_hz = bins_frequency(from->line, bin);
    out->db = level_dbfs(power[bin]);
    if (tone_shape_prepare(shape, from->line) < 0 || !is_tone(from, bin, &around))
        return;
    const struct tone tone = tone_at(shape, power, from->line->n, bin);
    out->db = level_dbfs((float)tone.power);
    out->hz = bins_frequency(from->line, tone.position);
    out->error_hz = tone_error(tone.power, around) * line_bin_hz(from->line);
}

static struct line_bins in_view(const struct readout_line *from)
{
    return (struct line_bins){from->grid.first, from->grid.first + from->grid.bins - 1};
}

void readout_peak(const struct readout_line *from, struct tone_shape *shape, struct reading *out)
{
    const struct powers powers = powers_of_line(from->line, from->detector);
    const struct line_bins bins = in_view(from);
    uint32_t bin;
    *out = no_reading;
    if (bins_strongest_signal(&powers, from->spurs, bins.first, bins.last, &bin))
        read_bin(from, shape, bin, out);
}

uint32_t readout_spurs(const struct readout_line *from)
{
    const struct line_bins view = in_view(from);
    uint32_t count = 0;
    for (uint32_t i = 0; from->spurs && i < from->spurs->count; i++) {
        const struct line_bins *bins = &from->spurs->spur[i].bins;
        count += bins->last >= view.first && bins->first <= view.last;
    }
    return count;
}

/* The nearest bin of a frequency, limited to the line. */
static uint32_t nearest_bin(const struct line *line, double hz)
{
    const double at = floor((hz - line_low_hz(line)) / line_bin_hz(line) + 0.5);
    return (uint32_t)fmin(fmax(at, 0), line->n - 1);
}

static double noise_around(const struct readout_line *from, uint32_t bin)
{
    const uint32_t n = from->line->n, reach = READOUT_NOISE_REACH;
    const float *power = power_of(from);
    double sum = 0;
    if (!from->keeps_power || bin < reach || bin + reach >= n)
        return NAN;
    for (uint32_t k = bin - reach; k <= bin + reach; k++)
        sum += (double)power[k];
    return level_dbfs((float)(sum / (2 * reach + 1) / line_rbw_hz(from->line)));
}

void readout_marker(const struct readout_line *from, struct tone_shape *shape,
                    const struct readout_marker *marker, struct reading *out)
{
    const struct line *line = from->line;
    const double bin_hz = line_bin_hz(line), low_hz = line_low_hz(line) - bin_hz / 2;
    *out = no_reading;
    if (!(marker->hz >= low_hz && marker->hz <= low_hz + line->n * bin_hz))
        return;
    /* A bin belongs to the width if its centre does. */
    const double half_hz = fmax(0, marker->width_hz / 2 - bin_hz / 2);
    const uint32_t first = nearest_bin(line, marker->hz - half_hz);
    const uint32_t last = nearest_bin(line, marker->hz + half_hz);
    const struct powers powers = powers_of_line(line, from->detector);
    read_bin(from, shape, powers_strongest(&powers, first, last + 1), out);
    if (marker->noise)
        out->noise_db_hz = noise_around(from, nearest_bin(line, marker->hz));
}

uint32_t readout_peaks(const struct readout_line *from, struct tone_shape *shape,
                       const struct peak_rule *rule, struct readout_peak *out)
{
    const struct powers powers = powers_of_line(from->line, from->detector);
    struct peak found[READOUT_PEAKS];
    if (tone_shape_prepare(shape, from->line) < 0)
        return 0;
    const uint32_t count = peak_search(rule, &powers, in_view(from), from->spurs, found);
    for (uint32_t i = 0; i < count; i++) {
        const struct tone tone = tone_at(shape, power_of(from), from->line->n, found[i].bin);
        out[i].hz = bins_frequency(from->line, tone.position);
        out[i].db = level_dbfs((float)tone.power);
    }
    return count;
}
