/* marker.c - the level of one bin: at a frequency, or of the strongest bin. */
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/measure/bins.h"

struct marker {
    double frequency_hz; /* NAN: the strongest bin */
};

static const struct config_option options[] = {
    {"marker", "frequency", .kind = OPTION_NUMBER, OPTION_FIELD(struct marker, frequency_hz),
     .fallback = "", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequency of the marker; empty follows the strongest bin"},
};

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    const struct marker *s = state;
    uint32_t bin;
    const int err = bins_find_or_strongest(in, s->frequency_hz, &bin, out);
    if (err < 0)
        return err;
    const double at_hz = bins_frequency(in->line, bin);
    measure_add(out, "level", MEASURE_DBFS, level_dbfs(in->power[bin]), at_hz);
    measure_add(out, "frequency", MEASURE_HZ, at_hz, at_hz);
    return 0;
}

static const struct measure_name values[] = {
    {"level", MEASURE_DBFS}, {"frequency", MEASURE_HZ}, {0}};

const struct measure_ops measure_marker = {
    .name = "marker",
    .about = "Level of the bin at a frequency, or of the strongest bin",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct marker),
    .values = values,
    .update = update,
};
