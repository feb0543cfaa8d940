/*
 * obw.c - occupied bandwidth and x dB bandwidth.
 *
 * Occupied bandwidth: below its lower and above its upper edge lies (100 - percent) / 2 per cent of
 * the power each. Bins less than `above-noise` over the noise floor count as empty. x dB bandwidth:
 * beyond its edges every level is x dB below the peak (ITU-R SM.443-4, annexes 1 and 2).
 */
#include <math.h>

#include "daemon/base/level.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/noise_floor.h"
#include "daemon/measure/significance.h"

struct obw {
    double percent, drop_db, above_noise_db, center_hz, width_hz;
    struct noise_factor floor;
};

static const struct config_option options[] = {
    {"obw", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct obw, center_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the band that holds the signal"},
    {"obw", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct obw, width_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of that band; 0 takes the whole span"},
    {"obw", "percent", .kind = OPTION_NUMBER, OPTION_FIELD(struct obw, percent), .fallback = "99",
     .metavar = "PERCENT", .unit = SI_PERCENT, .min = 10, .max = 99.99,
     .help = "Part of the power within the occupied bandwidth"},
    {"obw", "drop", .kind = OPTION_NUMBER, OPTION_FIELD(struct obw, drop_db), .fallback = "26",
     .metavar = "DB", .unit = SI_DB, .min = 0.1, .max = 150,
     .help = "Level of the edges of the x dB bandwidth below the peak"},
    {"obw", "above-noise", .kind = OPTION_NUMBER, OPTION_FIELD(struct obw, above_noise_db),
     .fallback = "6", .metavar = "DB", .unit = SI_DB, .min = 0, .max = 60,
     .help = "Bins less than this above the noise floor count as empty; 0 counts all bins"},
};

static const double noise_percent = 10; /* a signal may fill most of the band */
static const double most_rbw = 0.05;    /* of the bandwidth */

/* 0: all bins count. */
static double noise_of(struct obw *s, const struct measure_input *in, uint32_t first, uint32_t last)
{
    return s->above_noise_db > 0 ? noise_floor_estimate(&s->floor, in, noise_percent, first, last)
                                 : 0;
}

/* The power of the band, in parts, so that an edge needs the bins of one part alone. */
enum { PARTS = 1024, LANES = 4 /* sums that do not wait for each other */ };

struct counted {
    const float *power;
    uint32_t first, last;
    float least;        /* bins of less power count as empty */
    uint32_t length;    /* bins of a part */
    double part[PARTS]; /* their power */
};

static double power_of(const struct counted *c, uint32_t bin)
{
    return c->power[bin] >= c->least ? (double)c->power[bin] : 0;
}

static double sum_of(const struct counted *c, uint32_t from, uint32_t end)
{
    double sum[LANES] = {0};
    for (; from + LANES <= end; from += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++)
            sum[lane] += power_of(c, from + lane);
    for (; from < end; from++)
        sum[0] += power_of(c, from);
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static double count(struct counted *c)
{
    const uint32_t bins = c->last - c->first + 1;
    double total = 0;
    c->length = (bins - 1) / PARTS + 1;
    for (uint32_t i = 0, from = 0; from < bins; i++, from += c->length) {
        const uint32_t end = bins - from < c->length ? bins : from + c->length;
        c->part[i] = sum_of(c, c->first + from, c->first + end);
        total += c->part[i];
    }
    return total;
}

/* Steps over whole parts that do not reach `share`. *sum: the power before the bin. */
static uint32_t skip_parts(const struct counted *c, int step, double share, double *sum)
{
    const uint32_t parts = (c->last - c->first) / c->length + 1;
    uint32_t i = step > 0 ? 0 : parts - 1;
    for (; i < parts && *sum + c->part[i] < share; i += (uint32_t)step)
        *sum += c->part[i];
    const uint32_t from = c->first + i * c->length, end = from + c->length - 1;
    return step > 0 ? from : end < c->last ? end : c->last;
}

/* The position below which lies `share` of the power; going up or down. Bin k covers k - 0.5 .. k +
 * 0.5. */
static double edge(const struct counted *c, int step, double share)
{
    double sum = 0;
    for (uint32_t k = skip_parts(c, step, share, &sum);; k += (uint32_t)step) {
        const double power = power_of(c, k);
        if (sum + power >= share)
            return k + step * ((share - sum) / power - 0.5);
        sum += power;
    }
}

/* NAN: the trace does not fall by x dB within the band. */
static double drop_width(const struct obw *s, const struct measure_input *in, uint32_t first,
                         uint32_t last)
{
    const uint32_t peak = bins_strongest(in, first, last);
    const double limit = (double)in->power[peak] * pow(10, -s->drop_db / 10);
    uint32_t low = first, high = last;
    while ((double)in->power[low] <= limit)
        low++;
    while ((double)in->power[high] <= limit)
        high--;
    if (low == first || high == last)
        return NAN;
    return bins_fall_below(in, high, 1, limit) - bins_fall_below(in, low, -1, limit);
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct obw *s = state;
    struct band band = band_around(in->line, s->center_hz, s->width_hz);
    const int err = band_clip(&band, in->line, out);
    if (err < 0)
        return err;
    uint32_t first, last;
    band_bins(&band, in->line, &first, &last);
    const double noise = noise_of(s, in, first, last);
    struct counted counted = {.power = in->power, .first = first, .last = last};
    counted.least = (float)(noise * pow(10, s->above_noise_db / 10));
    const double power = count(&counted), tail = power * (1 - s->percent / 100) / 2;
    if (!(power > 0))
        return measure_refuse(out, "no bin is %.4g dB above the noise floor", s->above_noise_db);
    if (s->above_noise_db > 0 && !significance_over_floor(&s->floor, in, noise, first, last))
        return measure_refuse(out, "the strongest bin of the band may be noise");
    const double low = edge(&counted, 1, tail), high = edge(&counted, -1, tail);
    const double bin_hz = line_bin_hz(in->line), width_hz = (high - low) * bin_hz;
    if (line_rbw_hz(in->line) > most_rbw * width_hz)
        return measure_refuse(out, "the RBW of %.4g Hz is more than 5 %% of the bandwidth",
                              line_rbw_hz(in->line));
    const double center_hz = bins_frequency(in->line, (low + high) / 2);
    measure_add(out, "bandwidth", MEASURE_HZ, width_hz, center_hz);
    measure_add(out, "low", MEASURE_HZ, bins_frequency(in->line, low), center_hz);
    measure_add(out, "high", MEASURE_HZ, bins_frequency(in->line, high), center_hz);
    measure_add(out, "center", MEASURE_HZ, center_hz, center_hz);
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)(power / in->line->enbw_bins)),
                center_hz);
    measure_add(out, "drop_bandwidth", MEASURE_HZ, drop_width(s, in, first, last) * bin_hz,
                center_hz);
    return 0;
}

static const struct measure_name values[] = {{"bandwidth", MEASURE_HZ},
                                             {"low", MEASURE_HZ},
                                             {"high", MEASURE_HZ},
                                             {"center", MEASURE_HZ},
                                             {"power", MEASURE_DBFS},
                                             {"drop_bandwidth", MEASURE_HZ},
                                             {0}};

const struct measure_ops measure_obw = {
    .name = "obw",
    .about = "Occupied bandwidth: the band that holds 99 % of the power",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct obw),
    .values = values,
    .needs_power = true,
    .update = update,
};
