/* delta_marker.c - the difference of two bins in level and frequency. */
#include <errno.h>
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/measure/bins.h"

struct delta_marker {
    double frequency_hz, reference_hz; /* NAN: the strongest bin */
};

static const struct config_option options[] = {
    {"delta-marker", "frequency", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct delta_marker, frequency_hz), .fallback = "", .metavar = "HZ",
     .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequency of the marker; empty follows the strongest bin"},
    {"delta-marker", "reference", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct delta_marker, reference_hz), .fallback = "", .metavar = "HZ",
     .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequency of the reference; empty follows the strongest bin"},
};

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    const struct delta_marker *s = state;
    uint32_t bin, reference;
    int err = bins_find_or_strongest(in, s->frequency_hz, &bin, out);
    err = err < 0 ? err : bins_find_or_strongest(in, s->reference_hz, &reference, out);
    if (err < 0)
        return err;
    const double at_hz = bins_frequency(in->line, bin);
    const double reference_hz = bins_frequency(in->line, reference);
    const double level = level_dbfs(in->power[bin]);
    const double reference_level = level_dbfs(in->power[reference]);
    measure_add(out, "delta", MEASURE_DB, level - reference_level, at_hz);
    measure_add(out, "delta_frequency", MEASURE_HZ, at_hz - reference_hz, at_hz);
    measure_add(out, "level", MEASURE_DBFS, level, at_hz);
    measure_add(out, "frequency", MEASURE_HZ, at_hz, at_hz);
    measure_add(out, "reference_level", MEASURE_DBFS, reference_level, reference_hz);
    measure_add(out, "reference_frequency", MEASURE_HZ, reference_hz, reference_hz);
    return 0;
}

static int check(const void *state, struct reason *why)
{
    const struct delta_marker *s = state;
    if (isnan(s->frequency_hz) && isnan(s->reference_hz))
        return reason_set(why, -EINVAL, "a delta marker needs a frequency or a reference");
    return 0;
}

static const struct measure_name values[] = {{"delta", MEASURE_DB},
                                             {"delta_frequency", MEASURE_HZ},
                                             {"level", MEASURE_DBFS},
                                             {"frequency", MEASURE_HZ},
                                             {"reference_level", MEASURE_DBFS},
                                             {"reference_frequency", MEASURE_HZ},
                                             {0}};

const struct measure_ops measure_delta_marker = {
    .name = "delta-marker",
    .about = "Difference of two bins in level and frequency",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct delta_marker),
    .check = check,
    .values = values,
    .update = update,
};
