/* am.c - modulation depth of an amplitude-modulated carrier. */
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/measure/types/modulation.h"
#include "daemon/measure/types/receiver.h"

struct am {
    double center_hz, bandwidth_hz, squelch_db;
    uint32_t samples;
    struct receiver receiver;
};

static const struct config_option options[] = {
    {"am", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct am, center_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the signal's channel"},
    {"am", "bandwidth", .kind = OPTION_NUMBER, OPTION_FIELD(struct am, bandwidth_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "6 dB bandwidth of the channel filter, twice the signal's width; 0 takes the whole "
             "span"},
    {"am", "samples", .kind = OPTION_COUNT, OPTION_FIELD(struct am, samples), .fallback = "4096",
     .metavar = "SAMPLES", .min = 64, .max = 1 << 20, .help = "Samples of each line"},
    {"am", "squelch", .kind = OPTION_NUMBER, OPTION_FIELD(struct am, squelch_db),
     .fallback = "-300", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Power below which there is no carrier; -300 is none"},
};

enum { LEAST_SAMPLES = 16 }; /* after the filter */

static size_t iq_samples(const void *state, const struct line *line)
{
    (void)line;
    return ((const struct am *)state)->samples;
}

/* The envelope of the outputs; returns their mean power. */
static double detect(struct receiver *r, float *envelope)
{
    double sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct fft_iq z = r->out[i];
        const float power = z.re * z.re + z.im * z.im;
        envelope[i] = sqrtf(power);
        sum += (double)power;
    }
    return sum / (double)r->count;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct am *s = state;
    const struct receiver_channel channel = {s->center_hz, s->bandwidth_hz, DDC_FLAT};
    const int err = receiver_run(&s->receiver, &channel, in, LEAST_SAMPLES, out);
    if (err < 0)
        return err;
    float *envelope = s->receiver.scratch;
    const double power = detect(&s->receiver, envelope);
    if (!(10 * log10(power) > s->squelch_db))
        return measure_refuse(out, "no carrier is above %.4g dBFS", s->squelch_db);
    const struct modulation m = modulation_of(envelope, s->receiver.count, s->receiver.rate_hz);
    const double at_hz = s->receiver.center_hz;
    measure_add(out, "depth", MEASURE_PERCENT, 100 * (m.most - m.least) / (m.most + m.least),
                at_hz);
    measure_add(out, "depth_plus", MEASURE_PERCENT, 100 * (m.most - m.mean) / m.mean, at_hz);
    measure_add(out, "depth_minus", MEASURE_PERCENT, 100 * (m.mean - m.least) / m.mean, at_hz);
    measure_add(out, "depth_rms", MEASURE_PERCENT, 100 * m.rms / m.mean, at_hz);
    measure_add(out, "modulation", MEASURE_HZ, m.frequency_hz, at_hz);
    measure_add(out, "carrier", MEASURE_DBFS, level_dbfs((float)(m.mean * m.mean)), at_hz);
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)power), at_hz);
    return 0;
}

static void finish(void *state)
{
    receiver_finish(&((struct am *)state)->receiver);
}

const struct measure_ops measure_am = {
    .name = "am",
    .about = "Modulation depth of an amplitude-modulated carrier",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct am),
    .iq_samples = iq_samples,
    .update = update,
    .finish = finish,
};
