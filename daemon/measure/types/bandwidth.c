/* bandwidth.c - the n dB down bandwidth of a signal. */
#include <math.h>
#include <string.h>

#include "daemon/line/tone.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/significance.h"

struct bandwidth {
    double frequency_hz; /* NAN: the strongest bin */
    double drop_db;
    char window[32];   /* of width_bins */
    double width_bins; /* of a tone, at this drop */
    struct noise_factor noise;
};

static const struct config_option options[] = {
    {"bandwidth", "frequency", .kind = OPTION_NUMBER, OPTION_FIELD(struct bandwidth, frequency_hz),
     .fallback = "", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequency of the signal's peak; empty takes the strongest bin"},
    {"bandwidth", "drop", .kind = OPTION_NUMBER, OPTION_FIELD(struct bandwidth, drop_db),
     .fallback = "3", .metavar = "DB", .unit = SI_DB, .min = 0.1, .max = 150,
     .help = "Level of the edges below the peak"},
};

static void prepare(struct bandwidth *s, const struct line *line)
{
    if (s->width_bins > 0 && strcmp(s->window, line->window) == 0)
        return;
    s->width_bins = tone_width(line, s->drop_db);
    memcpy(s->window, line->window, sizeof s->window);
}

static int report(struct bandwidth *s, const struct measure_input *in, uint32_t peak, double low,
                  double high, struct measure_result *out)
{
    const struct line_bins usable = line_usable_bins(in->line);
    const uint32_t searched = isnan(s->frequency_hz) ? usable.last - usable.first + 1 : 1;
    const double bin_hz = line_bin_hz(in->line);
    if (isnan(low) || isnan(high))
        return measure_refuse(out, "the signal does not fall by %.4g dB within the %s", s->drop_db,
                              band_span_name(in->line));
    if (!significance_over_neighbours(&s->noise, in, peak, low, high, searched))
        return measure_refuse(out, "the signal may be noise: it is not above the bins beside it");
    if (high - low < 1.5 * s->width_bins)
        return measure_refuse(out, "the RBW is too wide: with this window a tone is %.4g Hz wide",
                              s->width_bins * bin_hz);
    const double center_hz = bins_frequency(in->line, (low + high) / 2);
    measure_add(out, "bandwidth", MEASURE_HZ, (high - low) * bin_hz, center_hz);
    measure_add(out, "low", MEASURE_HZ, bins_frequency(in->line, low), center_hz);
    measure_add(out, "high", MEASURE_HZ, bins_frequency(in->line, high), center_hz);
    measure_add(out, "center", MEASURE_HZ, center_hz, center_hz);
    measure_add(out, "resolution", MEASURE_HZ, s->width_bins * bin_hz, center_hz);
    return 0;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct bandwidth *s = state;
    uint32_t bin;
    prepare(s, in->line);
    if (!(s->width_bins > 0))
        return measure_refuse(out, "the shape of the window %s is not known", in->line->window);
    const int err = bins_find_or_strongest(in, s->frequency_hz, &bin, out);
    if (err < 0)
        return err;
    const double limit = (double)in->power[bin] * pow(10, -s->drop_db / 10);
    return report(s, in, bin, bins_fall_below(in, bin, -1, limit),
                  bins_fall_below(in, bin, 1, limit), out);
}

static const struct measure_name values[] = {{"bandwidth", MEASURE_HZ},  {"low", MEASURE_HZ},
                                             {"high", MEASURE_HZ},       {"center", MEASURE_HZ},
                                             {"resolution", MEASURE_HZ}, {0}};

const struct measure_ops measure_bandwidth = {
    .name = "bandwidth",
    .about = "Bandwidth of a signal between the points n dB below its peak",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct bandwidth),
    .values = values,
    .update = update,
};
