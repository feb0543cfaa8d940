/*
 * snr.c - noise floor of the span, and signal to noise ratio of a channel.
 *
 * The noise floor is a percentile of the bins, corrected to the mean. The signal is the channel's
 * power without the noise in it.
 */
#include <math.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/measure/band.h"
#include "daemon/measure/noise_floor.h"

struct snr {
    double center_hz, width_hz, percent;
    struct noise_factor floor;
};

static const struct config_option options[] = {
    {"snr", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct snr, center_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the signal's channel"},
    {"snr", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct snr, width_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of that channel; 0 measures the noise floor alone"},
    {"snr", "percentile", .kind = OPTION_NUMBER, OPTION_FIELD(struct snr, percent),
     .fallback = "50", .metavar = "PERCENT", .unit = SI_PERCENT, .min = 1, .max = 99,
     .help = "Percentile of the span's bins that stands for the noise; lower where signals fill "
             "much of the span"},
};

static int add_signal(const struct snr *s, const struct measure_input *in, double floor,
                      const struct band *band, struct measure_result *out)
{
    double width_hz;
    const double power = band_signal_power(band, in, &width_hz);
    if (!(width_hz > 0))
        return measure_refuse(out, "all of the channel is on the spur list");
    const double noise = floor / line_rbw_hz(in->line) * width_hz, signal = power - noise;
    measure_add(out, "signal", MEASURE_DBFS, signal > 0 ? level_dbfs((float)signal) : NAN,
                s->center_hz);
    measure_add(out, "noise", MEASURE_DBFS, level_dbfs((float)noise), s->center_hz);
    measure_add(out, "snr", MEASURE_DB, signal > 0 && noise > 0 ? 10 * log10(signal / noise) : NAN,
                s->center_hz);
    return 0;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct snr *s = state;
    struct band band = band_around(in->line, s->center_hz, s->width_hz);
    const int err = band_clip_channel(&band, in->line, out);
    if (err < 0)
        return err;
    const struct line_bins usable = line_usable_bins(in->line);
    const double floor = noise_floor_estimate(&s->floor, in, s->percent, usable.first, usable.last);
    const double at_hz = in->line->tuning.center_hz;
    measure_add(out, "floor", MEASURE_DBFS, level_dbfs((float)floor), at_hz);
    measure_add(out, "density", MEASURE_DBFS_HZ, level_dbfs((float)(floor / line_rbw_hz(in->line))),
                at_hz);
    return s->width_hz > 0 ? add_signal(s, in, floor, &band, out) : 0;
}

static bool gives(const void *state, const char *value)
{
    const struct snr *s = state;
    return s->width_hz > 0 || strcmp(value, "floor") == 0 || strcmp(value, "density") == 0;
}

static const struct measure_name values[] = {{"signal", MEASURE_DBFS},     {"noise", MEASURE_DBFS},
                                             {"snr", MEASURE_DB},          {"floor", MEASURE_DBFS},
                                             {"density", MEASURE_DBFS_HZ}, {0}};

const struct measure_ops measure_snr = {
    .name = "snr",
    .about = "Noise floor of the span, and signal to noise ratio of a channel",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct snr),
    .values = values,
    .gives = gives,
    .needs_power = true,
    .update = update,
};
