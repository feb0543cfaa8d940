/* channel_power.c - the power in a channel, and its density. */
#include "daemon/base/level.h"
#include "daemon/measure/band.h"

struct channel_power {
    double center_hz, width_hz;
};

static const struct config_option options[] = {
    {"channel-power", "center", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct channel_power, center_hz), .fallback = "0", .metavar = "HZ", .unit = SI_HZ,
     .min = -1e12, .max = 1e12, .help = "Centre of the channel"},
    {"channel-power", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct channel_power, width_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of the channel; 0 takes the whole span"},
};

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    const struct channel_power *s = state;
    struct band band = band_around(in->line, s->center_hz, s->width_hz);
    const int err = band_clip_channel(&band, in->line, out);
    if (err < 0)
        return err;
    const double power = band_power(&band, in), width_hz = band.high_hz - band.low_hz;
    const double at_hz = (band.low_hz + band.high_hz) / 2;
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)power), at_hz);
    measure_add(out, "density", MEASURE_DBFS_HZ, level_dbfs((float)(power / width_hz)), at_hz);
    measure_add(out, "width", MEASURE_HZ, width_hz, at_hz);
    return 0;
}

static const struct measure_name values[] = {
    {"power", MEASURE_DBFS}, {"density", MEASURE_DBFS_HZ}, {"width", MEASURE_HZ}, {0}};

const struct measure_ops measure_channel_power = {
    .name = "channel-power",
    .about = "Power of all signals in a channel, and its density",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct channel_power),
    .values = values,
    .needs_power = true,
    .update = update,
};
