/* band_power.c - the power between two frequencies, and its density. */
#include <errno.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/measure/band.h"

static const struct config_option options[] = {
    {"band-power", "start", .kind = OPTION_NUMBER, OPTION_FIELD(struct band, low_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Lower edge of the band"},
    {"band-power", "stop", .kind = OPTION_NUMBER, OPTION_FIELD(struct band, high_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Upper edge of the band"},
};

static int check(const void *state, struct reason *why)
{
    const struct band *band = state;
    if (!(band->low_hz < band->high_hz))
        return reason_key(why, -EINVAL, "stop", "stop must be above start");
    return 0;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct band band = *(const struct band *)state;
    const int err = band_clip_channel(&band, in->line, out);
    if (err < 0)
        return err;
    const double power = band_power(&band, in), width_hz = band.high_hz - band.low_hz;
    const double at_hz = (band.low_hz + band.high_hz) / 2;
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)power), at_hz);
    measure_add(out, "density", MEASURE_DBFS_HZ, level_dbfs((float)(power / width_hz)), at_hz);
    return 0;
}

static const struct measure_name values[] = {
    {"power", MEASURE_DBFS}, {"density", MEASURE_DBFS_HZ}, {0}};

const struct measure_ops measure_band_power = {
    .name = "band-power",
    .about = "Power of all signals between two frequencies",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct band),
    .check = check,
    .values = values,
    .needs_power = true,
    .update = update,
};
