/*
 * ccdf.c - how often the power of the samples exceeds their mean, and by how much.
 *
 * Samples accumulate from line to line in a histogram with 256 steps an octave of power (0.012
 * dB), until the tuning, the gain or the epoch changes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/measure/measure.h"

enum {
    STEP_BITS = 8,
    LOWEST = 127 - 40, /* exponent of the first octave: -120 dBFS */
    OCTAVES = 60,
    BUCKETS = OCTAVES << STEP_BITS,
};

struct ccdf {
    uint32_t samples;
    uint64_t most; /* 0: no limit */

    struct tuning tuning;
    double gain_db;
    uint32_t epoch;
    uint64_t first, next; /* numbers of samples: of the newest line, and after those counted */
    uint64_t count;
    double sum; /* of the powers */
    float peak;
    uint64_t hits[BUCKETS];
    uint64_t above[BUCKETS + 1]; /* samples from this bucket on */
};

static const struct config_option options[] = {
    {"ccdf", "samples", .kind = OPTION_COUNT, OPTION_FIELD(struct ccdf, samples),
     .fallback = "4096", .metavar = "SAMPLES", .min = 64, .max = 1 << 20,
     .help = "Samples of each line"},
    {"ccdf", "most", .kind = OPTION_COUNT, OPTION_FIELD(struct ccdf, most), .fallback = "0",
     .metavar = "SAMPLES", .min = 0, .max = 1e12,
     .help = "Samples after which it starts again; 0 goes on until the tuning changes"},
};

static bool continues(const struct ccdf *s, const struct line *line)
{
    const bool same_gain =
        s->gain_db == line->gain_db || (isnan(s->gain_db) && isnan(line->gain_db));
    return s->count > 0 && s->epoch == line->epoch && same_gain &&
           tuning_equal(&s->tuning, &line->tuning) && (s->most == 0 || s->count < s->most);
}

static void restart(struct ccdf *s, const struct line *line)
{
    s->tuning = line->tuning;
    s->gain_db = line->gain_db;
    s->epoch = line->epoch;
    s->first = s->next = line->first_sample;
    s->count = 0;
    s->sum = 0;
    s->peak = 0;
    memset(s->hits, 0, sizeof s->hits);
}

/* A float's exponent and first bits of its mantissa count in steps of equal ratio, almost. */
static int bucket_of(float power)
{
    int32_t bits;
    memcpy(&bits, &power, sizeof bits);
    const int bucket = (bits >> (23 - STEP_BITS)) - (LOWEST << STEP_BITS);
    return bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1;
}

/* The smallest power of a bucket. */
static double bucket_power(int bucket)
{
    const int octave = bucket >> STEP_BITS, step = bucket & ((1 << STEP_BITS) - 1);
    return ldexp(1 + (double)step / (1 << STEP_BITS), octave + LOWEST - 127);
}

static void count_samples(struct ccdf *s, const struct fft_iq *iq, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float power = iq[i].re * iq[i].re + iq[i].im * iq[i].im;
        s->hits[bucket_of(power)]++;
        s->sum += (double)power;
        s->peak = power > s->peak ? power : s->peak;
    }
    s->count += count;
}

/* Lines that overlap share samples: each counts once. A line that goes back was sought. */
static void count_line(struct ccdf *s, const struct measure_input *in)
{
    const uint64_t first = in->line->first_sample, end = first + in->iq_count;
    const uint64_t from = first < s->first || s->next < first ? first
                          : s->next < end                     ? s->next
                                                              : end;
    count_samples(s, in->iq + (from - first), (size_t)(end - from));
    s->first = first;
    s->next = end;
}

static void note_rest(const struct measure_input *in, struct measure_result *out)
{
    const uint64_t all = in->line->frames * in->line->hop; /* to the first one of the next line */
    if (in->iq_count < all)
        snprintf(out->note, sizeof out->note,
                 "%zu of %llu samples of each line count: rare peaks may be in the others",
                 in->iq_count, (unsigned long long)all);
}

/* From the bucket of the peak to that of the mean; nothing beyond them is asked for. */
static void add_up(struct ccdf *s, double mean)
{
    const int top = bucket_of(s->peak);
    s->above[top + 1] = 0;
    for (int b = top; b >= bucket_of((float)mean); b--)
        s->above[b] = s->above[b + 1] + s->hits[b];
}

/* The part of samples at or above a power that is not below the mean; 1 at the mean of a carrier.
 */
static double part_above(const struct ccdf *s, double power)
{
    const int b = bucket_of((float)power);
    if (power > (double)s->peak || b > bucket_of(s->peak))
        return 0;
    const double low = bucket_power(b), high = bucket_power(b + 1);
    const double inside = fmin(fmax((high - power) / (high - low), 0), 1);
    return ((double)s->above[b + 1] + inside * (double)s->hits[b]) / (double)s->count;
}

/* The power that this part of the samples exceeds; NAN: fewer than ten do, or it is below the mean.
 */
static double power_at(const struct ccdf *s, double mean, double part)
{
    const double want = part * (double)s->count;
    const int last = bucket_of((float)mean);
    int b = bucket_of(s->peak);
    if (want < 10)
        return NAN;
    while (b > last && (double)s->above[b] < want)
        b--;
    if (s->hits[b] == 0 || (double)s->above[b] < want)
        return NAN;
    const double inside = (want - (double)s->above[b + 1]) / (double)s->hits[b];
    const double low = bucket_power(b), high = fmin(bucket_power(b + 1), (double)s->peak);
    return high - inside * (high - fmin(low, high));
}

static void add_levels(const struct ccdf *s, double mean, double at_hz, struct measure_result *out)
{
    static const struct {
        const char *name;
        double part;
    } levels[] = {{"level_10", 1e-1},   {"level_1", 1e-2},     {"level_0_1", 1e-3},
                  {"level_0_01", 1e-4}, {"level_0_001", 1e-5}, {"level_0_0001", 1e-6}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        measure_add(out, levels[i].name, MEASURE_DB,
                    10 * log10(power_at(s, mean, levels[i].part) / mean), at_hz);
}

/* The curve from 0 to 20 dB, and that of complex Gaussian noise, exp(-power / mean). */
static void add_curve(const struct ccdf *s, double mean, struct measure_result *out)
{
    static const struct measure_table columns = {.columns = 3,
                                                 .column = {{"above_mean", MEASURE_DB},
                                                            {"probability", MEASURE_PERCENT},
                                                            {"gaussian", MEASURE_PERCENT}}};
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    for (int half_db = 0; half_db <= 40; half_db++) {
        const double ratio = pow(10, half_db / 20.0);
        double *row = measure_add_row(out);
        row[0] = half_db / 2.0;
        row[1] = 100 * part_above(s, mean * ratio);
        row[2] = 100 * exp(-ratio);
    }
}

static size_t iq_samples(const void *state, const struct line *line)
{
    (void)line;
    return ((const struct ccdf *)state)->samples;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct ccdf *s = state;
    const double at_hz = in->line->tuning.center_hz;
    if (in->iq_count == 0)
        return measure_refuse(out, "the samples of the line are no longer there");
    if (!continues(s, in->line))
        restart(s, in->line);
    count_line(s, in);
    const double mean = s->sum / (double)s->count;
    if (!(mean > 0) || !isfinite(mean))
        return measure_refuse(out, "the samples have no power");
    add_up(s, mean);
    measure_add(out, "mean", MEASURE_DBFS, level_dbfs((float)mean), at_hz);
    measure_add(out, "peak", MEASURE_DB, 10 * log10((double)s->peak / mean), at_hz);
    measure_add(out, "samples", MEASURE_COUNT, (double)s->count, at_hz);
    add_levels(s, mean, at_hz, out);
    add_curve(s, mean, out);
    note_rest(in, out);
    return 0;
}

static const struct measure_name values[] = {
    {"mean", MEASURE_DBFS},       {"peak", MEASURE_DB},
    {"samples", MEASURE_COUNT},   {"level_10", MEASURE_DB},
    {"level_1", MEASURE_DB},      {"level_0_1", MEASURE_DB},
    {"level_0_01", MEASURE_DB},   {"level_0_001", MEASURE_DB},
    {"level_0_0001", MEASURE_DB}, {0}};

const struct measure_ops measure_ccdf = {
    .name = "ccdf",
    .about = "How often the power of the samples exceeds their mean, and by how much",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct ccdf),
    .iq_samples = iq_samples,
    .values = values,
    .update = update,
};
