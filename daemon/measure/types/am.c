/* am.c - modulation depth of an amplitude-modulated carrier. */
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/measure/significance.h"
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
     .help = "Power below which there is no carrier"},
};

enum { LEAST_SAMPLES = 16 };         /* after the filter */
static const double rounding = 4e-6; /* of an envelope, with the errors of the filter */

static size_t iq_samples(const void *state, const struct line *line)
{
    (void)line;
    return ((const struct am *)state)->samples;
}

/*
 * A carrier keeps its phase: it is like itself a little later, noise is not. The lag is three times
 * the inverse of the filter's bandwidth, which the noise does not reach across.
 */
struct coherence {
    double ratio;     /* |correlation| of the outputs with those a lag later, 0 to 1 */
    double pairs;     /* independent ones */
    double offset_hz; /* the mean frequency */
};

struct product {
    double re, im, before, after;
};

/* Of the outputs with those `lag` later, conjugated. */
static struct product correlate(const struct receiver *r, size_t lag)
{
    struct product p = {0};
    for (size_t i = 0; i + lag < r->count; i++) {
        const struct fft_iq a = r->out[i], b = r->out[i + lag];
        p.re += (double)(b.re * a.re + b.im * a.im);
        p.im += (double)(b.im * a.re - b.re * a.im);
        p.before += (double)(a.re * a.re + a.im * a.im);
        p.after += (double)(b.re * b.re + b.im * b.im);
    }
    return p;
}

/* Independent outputs of noise in the inverse of the filter's bandwidth, cautiously. */
static const double independent = 0.6;

static struct coherence coherence_of(const struct receiver *r, double bandwidth_hz)
{
    const double spread = bandwidth_hz > 0 ? r->rate_hz / bandwidth_hz : 1; /* of noise, outputs */
    const size_t lag = (size_t)fmin(ceil(3 * spread), (double)(r->count / 2));
    const struct product near = correlate(r, 1), far = correlate(r, lag);
    return (struct coherence){
        .ratio = hypot(far.re, far.im) / sqrt(far.before * far.after),
        .pairs = independent * (double)(r->count - lag) / spread,
        .offset_hz = atan2(near.im, near.re) / (2 * M_PI) * r->rate_hz,
    };
}

/*
 * The coherence of N pairs of noise exceeds r with the probability (1 - r^2)^(N - 1) (G. C. Carter,
 * C. H. Knapp, A. H. Nuttall, "Estimation of the magnitude-squared coherence function", 1973).
 */
static bool is_carrier(const struct coherence *c)
{
    return c->pairs > 1 &&
           log1p(-fmin(c->ratio * c->ratio, 1)) * (c->pairs - 1) < log(SIGNIFICANCE_FALSE_ALARM);
}

static int find_carrier(const struct am *s, struct coherence *c, struct measure_result *out)
{
    *c = coherence_of(&s->receiver, s->bandwidth_hz);
    if (!is_carrier(c))
        return measure_refuse(out, "there is no carrier: this may be noise");
    if (s->bandwidth_hz > 0 && fabs(c->offset_hz) > s->bandwidth_hz / 2)
        return measure_refuse(out, "the carrier is %.4g Hz from the centre, beyond the filter",
                              c->offset_hz);
    return 0;
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
    int err = receiver_run(&s->receiver, &channel, in, LEAST_SAMPLES, out);
    if (err < 0)
        return err;
    float *envelope = s->receiver.scratch;
    const double power = detect(&s->receiver, envelope);
    if (!(10 * log10(power) > s->squelch_db))
        return measure_refuse(out, "no carrier is above %.4g dBFS", s->squelch_db);
    struct coherence c;
    err = find_carrier(s, &c, out);
    if (err < 0)
        return err;
    struct modulation m =
        modulation_of(envelope, s->receiver.count, s->receiver.rate_hz, rounding * sqrt(power));
    if (isfinite(m.frequency_hz) &&
        receiver_is_plain_carrier(in, s->receiver.center_hz + c.offset_hz))
        m.frequency_hz = NAN;
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

static const struct measure_name values[] = {
    {"depth", MEASURE_PERCENT},       {"depth_plus", MEASURE_PERCENT},
    {"depth_minus", MEASURE_PERCENT}, {"depth_rms", MEASURE_PERCENT},
    {"modulation", MEASURE_HZ},       {"carrier", MEASURE_DBFS},
    {"power", MEASURE_DBFS},          {0}};

const struct measure_ops measure_am = {
    .name = "am",
    .about = "Modulation depth of an amplitude-modulated carrier",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct am),
    .iq_samples = iq_samples,
    .values = values,
    .update = update,
    .finish = finish,
};
