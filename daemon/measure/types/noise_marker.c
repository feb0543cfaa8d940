/* noise_marker.c - the noise density at a frequency: the mean of the bins around it. */
#include "daemon/base/level.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"

struct noise_marker {
    double frequency_hz;
    uint32_t reach;
};

static const struct config_option options[] = {
    {"noise-marker", "frequency", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct noise_marker, frequency_hz), .fallback = "0", .metavar = "HZ",
     .unit = SI_HZ, .min = -1e12, .max = 1e12, .help = "Frequency of the marker"},
    {"noise-marker", "bins", .kind = OPTION_COUNT, OPTION_FIELD(struct noise_marker, reach),
     .fallback = "8", .metavar = "BINS", .min = 0, .max = 1e6,
     .help = "Bins on each side whose mean is taken"},
};

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    const struct noise_marker *s = state;
    uint32_t bin;
    const int err = bins_find(in, s->frequency_hz, &bin, out);
    if (err < 0)
        return err;
    const struct line_bins usable = line_usable_bins(in->line);
    if (bin < usable.first + s->reach || bin + s->reach > usable.last)
        return measure_refuse(out, "%u bins on each side of %.0f Hz are not within the %s",
                              s->reach, s->frequency_hz, band_span_name(in->line));
    bins_note_spur(in, bin - s->reach, bin + s->reach, out);
    const double at_hz = bins_frequency(in->line, bin), rbw_hz = line_rbw_hz(in->line);
    double sum = 0;
    for (uint32_t k = bin - s->reach; k <= bin + s->reach; k++)
        sum += (double)in->power[k];
    const double mean = sum / (2 * s->reach + 1);
    measure_add(out, "density", MEASURE_DBFS_HZ, level_dbfs((float)(mean / rbw_hz)), at_hz);
    measure_add(out, "frequency", MEASURE_HZ, at_hz, at_hz);
    return 0;
}

static const struct measure_name values[] = {
    {"density", MEASURE_DBFS_HZ}, {"frequency", MEASURE_HZ}, {0}};

const struct measure_ops measure_noise_marker = {
    .name = "noise-marker",
    .about = "Noise density at a frequency",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct noise_marker),
    .values = values,
    .needs_power = true,
    .update = update,
};
