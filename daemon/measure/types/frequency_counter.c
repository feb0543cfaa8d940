/* frequency_counter.c - frequency and level of the strongest tone in a band, between the bins. */
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/line/tone.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/significance.h"

struct frequency_counter {
    double center_hz, width_hz;
    struct tone_shape shape;
    struct noise_factor noise;
};

static const struct config_option options[] = {
    {"frequency-counter", "center", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct frequency_counter, center_hz), .fallback = "0", .metavar = "HZ",
     .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the band in which the tone is searched"},
    {"frequency-counter", "width", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct frequency_counter, width_hz), .fallback = "0", .metavar = "HZ",
     .unit = SI_HZ, .min = 0, .max = 1e10, .help = "Width of that band; 0 takes the whole span"},
};

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct frequency_counter *s = state;
    struct band band = band_around(in->line, s->center_hz, s->width_hz);
    if (tone_shape_prepare(&s->shape, in->line) < 0)
        return measure_refuse(out, "the shape of the window %s is not known", in->line->window);
    const int err = band_clip(&band, in->line, out);
    if (err < 0)
        return err;
    uint32_t first, last, bin;
    band_bins(&band, in->line, &first, &last);
    const struct powers powers = bins_powers(in);
    if (!bins_strongest_signal(&powers, in->rules, first, last, &bin))
        return measure_refuse(out, "every bin of the band is on the spur list");
    if (!((double)in->power[bin] >
          TONE_LEAST_RATIO * bins_mean_around(in->line, in->power, in->rules, bin)))
        return measure_refuse(out, "no tone is 10 dB above the bins beside it");
    if (!significance_over_neighbours(&s->noise, in, bin, bin, bin, last - first + 1))
        return measure_refuse(out, "the strongest bin of the band may be noise");
    const struct tone tone = tone_at(&s->shape, in->power, in->line->n, bin);
    const double at_hz = bins_frequency(in->line, tone.position);
    measure_add(out, "frequency", MEASURE_HZ, at_hz, at_hz);
    measure_add(out, "level", MEASURE_DBFS, level_dbfs((float)tone.power), at_hz);
    return 0;
}

static const struct measure_name values[] = {
    {"frequency", MEASURE_HZ}, {"level", MEASURE_DBFS}, {0}};

const struct measure_ops measure_frequency_counter = {
    .name = "frequency-counter",
    .about = "Frequency and level of the strongest tone in a band, between the bins",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct frequency_counter),
    .values = values,
    .update = update,
};
