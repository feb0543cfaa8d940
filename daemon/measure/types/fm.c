/* fm.c - frequency deviation of a frequency-modulated carrier. */
#include <math.h>
#include <string.h>

#include "daemon/base/fast_math.h"
#include "daemon/base/level.h"
#include "daemon/measure/types/modulation.h"
#include "daemon/measure/types/receiver.h"

struct fm {
    double center_hz, bandwidth_hz, squelch_db;
    uint32_t samples;
    struct receiver receiver;
};

static const struct config_option options[] = {
    {"fm", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct fm, center_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the signal's channel"},
    {"fm", "bandwidth", .kind = OPTION_NUMBER, OPTION_FIELD(struct fm, bandwidth_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "6 dB bandwidth of the channel filter, twice the signal's width; 0 takes the whole "
             "span"},
    {"fm", "samples", .kind = OPTION_COUNT, OPTION_FIELD(struct fm, samples), .fallback = "4096",
     .metavar = "SAMPLES", .min = 64, .max = 1 << 20, .help = "Samples of each line"},
    {"fm", "squelch", .kind = OPTION_NUMBER, OPTION_FIELD(struct fm, squelch_db),
     .fallback = "-300", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Samples below this level do not count, such as the pauses between bursts"},
};

enum { LEAST_SAMPLES = 16 }; /* after the filter */
/* Of a frequency, with the errors of the filter and fast_atan2; in parts of the rate. */
static const double rounding = 4e-6;
/* Clicks of noise are rarer; noise alone is beyond the filter's bandwidth for an eighth of the
 * time. */
static const double most_beyond = 0.05;

static size_t iq_samples(const void *state, const struct line *line)
{
    (void)line;
    return ((const struct fm *)state)->samples;
}

/* Replaces pairs of numbers by their angles in units of `unit`, from the front. */
static inline __attribute__((always_inline)) void angles_of(float *pairs, size_t count, float unit)
{
    enum { BLOCK = 64 };
    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t end = count - at < BLOCK ? count - at : BLOCK;
        float re[BLOCK] = {0}, im[BLOCK] = {0};
        for (size_t i = 0; i < end; i++) {
            re[i] = pairs[2 * (at + i)];
            im[i] = pairs[2 * (at + i) + 1];
        }
        for (size_t i = 0; i < BLOCK; i++)
            re[i] = fast_atan2(im[i], re[i]) * unit;
        memcpy(pairs + at, re, end * sizeof *pairs);
    }
}

#ifdef __x86_64__
static __attribute__((target("avx2,fma"))) void angles_avx2(float *pairs, size_t count, float unit)
{
    angles_of(pairs, count, unit);
}
#endif

static void find_angles(float *pairs, size_t count, float unit)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        angles_avx2(pairs, count, unit);
        return;
    }
#endif
    angles_of(pairs, count, unit);
}

/*
 * The frequencies between successive outputs above the squelch, from their phases. The step of a
 * phase is within half a turn, because the filter passes less than half of the rate.
 * frequency_hz: room for two floats an output.
 */
static size_t detect(const struct receiver *r, float least_power, float *frequency_hz,
                     double *power)
{
    struct fft_iq last = r->out[0];
    size_t count = 0;
    double sum = 0;
    for (size_t i = 1; i < r->count; i++) {
        const struct fft_iq z = r->out[i];
        const float re = z.re * last.re + z.im * last.im, im = z.im * last.re - z.re * last.im;
        const float here = z.re * z.re + z.im * z.im;
        if (here > least_power && last.re * last.re + last.im * last.im > least_power) {
            frequency_hz[2 * count] = re;
            frequency_hz[2 * count++ + 1] = im;
            sum += (double)here;
        }
        last = z;
    }
    *power = sum;
    find_angles(frequency_hz, count, (float)(r->rate_hz / (2 * M_PI)));
    return count;
}

/* The part of the frequencies that the filter does not pass. */
static double part_beyond(const float *frequency_hz, size_t count, double bandwidth_hz)
{
    const float limit = (float)(bandwidth_hz / 2);
    size_t beyond = 0;
    for (size_t i = 0; i < count; i++)
        beyond += fabsf(frequency_hz[i]) > limit;
    return (double)beyond / (double)count;
}

/* What leaves the filter has another deviation than what came. */
static int check_width(const struct fm *s, const float *frequency_hz, size_t count,
                       struct measure_result *out)
{
    if (!(s->bandwidth_hz > 0))
        return 0;
    const double beyond = part_beyond(frequency_hz, count, s->bandwidth_hz);
    if (!(beyond > most_beyond))
        return 0;
    return measure_refuse(out,
                          "the frequency is beyond the filter for %.0f %% of the time: the signal "
                          "is wider, or beside it, or noise",
                          100 * beyond);
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct fm *s = state;
    const struct receiver_channel channel = {s->center_hz, s->bandwidth_hz, DDC_FLAT};
    int err = receiver_run(&s->receiver, &channel, in, LEAST_SAMPLES, out);
    if (err < 0)
        return err;
    const float least_power = (float)pow(10, s->squelch_db / 10);
    float *frequency_hz = s->receiver.scratch;
    double power;
    const size_t count = detect(&s->receiver, least_power, frequency_hz, &power);
    if (count < LEAST_SAMPLES)
        return measure_refuse(out, "no signal is above %.4g dBFS", s->squelch_db);
    err = check_width(s, frequency_hz, count, out);
    if (err < 0)
        return err;
    struct modulation m =
        modulation_of(frequency_hz, count, s->receiver.rate_hz, rounding * s->receiver.rate_hz);
    const double at_hz = s->receiver.center_hz + m.mean;
    if (isfinite(m.frequency_hz) && receiver_is_plain_carrier(in, at_hz))
        m.frequency_hz = NAN;
    measure_add(out, "deviation", MEASURE_HZ, (m.most - m.least) / 2, at_hz);
    measure_add(out, "deviation_plus", MEASURE_HZ, m.most - m.mean, at_hz);
    measure_add(out, "deviation_minus", MEASURE_HZ, m.mean - m.least, at_hz);
    measure_add(out, "deviation_rms", MEASURE_HZ, m.rms, at_hz);
    measure_add(out, "modulation", MEASURE_HZ, m.frequency_hz, at_hz);
    measure_add(out, "carrier", MEASURE_HZ, at_hz, at_hz);
    measure_add(out, "offset", MEASURE_HZ, m.mean, at_hz);
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)(power / (double)count)), at_hz);
    measure_add(out, "used", MEASURE_PERCENT, 100 * (double)count / (double)(s->receiver.count - 1),
                at_hz);
    return 0;
}

static void finish(void *state)
{
    receiver_finish(&((struct fm *)state)->receiver);
}

static const struct measure_name values[] = {
    {"deviation", MEASURE_HZ},       {"deviation_plus", MEASURE_HZ},
    {"deviation_minus", MEASURE_HZ}, {"deviation_rms", MEASURE_HZ},
    {"modulation", MEASURE_HZ},      {"carrier", MEASURE_HZ},
    {"offset", MEASURE_HZ},          {"power", MEASURE_DBFS},
    {"used", MEASURE_PERCENT},       {0}};

const struct measure_ops measure_fm = {
    .name = "fm",
    .about = "Frequency deviation of a frequency-modulated carrier",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct fm),
    .iq_samples = iq_samples,
    .values = values,
    .update = update,
    .finish = finish,
};
