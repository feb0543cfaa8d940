/*
 * occupancy.c - how much of the time channels are in use, and how much of a band.
 *
 * A channel is in use while its strongest bin is above the threshold: a level, or so many dB above
 * the noise floor, which is the 20th percentile of the band's bins in the same line. A steady
 * carrier does not move that threshold. Terms of ITU-R SM.2256: FCO, frequency channel occupancy,
 * is the part of the time that a channel is in use; FBO, frequency band occupancy, the part of bins
 * above the threshold; SRO, spectrum resource occupancy, the mean FCO of all channels.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/line/statistics.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/noise_floor.h"

/* Times in seconds. */
struct account {
    double observed, band; /* band: observed times the part of bins above the threshold */
    double used[MEASURE_ROWS];
};

struct occupancy {
    struct band band;
    double width_hz;
    double threshold_db; /* NAN: above_noise_db over the floor */
    double above_noise_db, period_s;

    struct noise_factor floor;
    struct tuning tuning;
    double gain_db;
    uint32_t n;
    struct account running, complete; /* complete.observed 0: no period is complete yet */
};

static const struct config_option options[] = {
    {"occupancy", "start", .kind = OPTION_NUMBER, OPTION_FIELD(struct occupancy, band.low_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Lower edge of the first channel"},
    {"occupancy", "stop", .kind = OPTION_NUMBER, OPTION_FIELD(struct occupancy, band.high_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Upper edge of the last channel"},
    {"occupancy", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct occupancy, width_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of a channel; 0 makes the band one channel"},
    {"occupancy", "threshold", .kind = OPTION_NUMBER, OPTION_FIELD(struct occupancy, threshold_db),
     .fallback = "", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100, .missing = NAN,
     .help = "Level above which a bin is in use; empty: above-noise over the noise floor"},
    {"occupancy", "above-noise", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct occupancy, above_noise_db), .fallback = "10", .metavar = "DB",
     .unit = SI_DB, .min = 0, .max = 100, .help = "Distance of the threshold from the noise floor"},
    {"occupancy", "period", .kind = OPTION_NUMBER, OPTION_FIELD(struct occupancy, period_s),
     .fallback = "0", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0, .max = 1e8,
     .help = "Time that a result covers: the newest complete period; 0 counts from the start"},
};

static int check(const void *state, struct reason *why)
{
    const struct occupancy *s = state;
    if (!(s->band.low_hz < s->band.high_hz))
        return reason_key(why, -EINVAL, "stop", "stop must be above start");
    if ((s->band.high_hz - s->band.low_hz) / s->width_hz >= MEASURE_ROWS + 1 && s->width_hz > 0)
        return reason_key(why, -EINVAL, "width", "more than %d channels", MEASURE_ROWS);
    return 0;
}

static const double floor_percent = 20;

/* Of max and min detectors and holds the floor's law is not known: their own percentile. */
static double threshold_of(struct occupancy *s, const struct measure_input *in, uint32_t first,
                           uint32_t last)
{
    if (!isnan(s->threshold_db))
        return pow(10, s->threshold_db / 10);
    const double floor = measure_keeps_power(in)
                             ? noise_floor_estimate(&s->floor, in, floor_percent, first, last)
                             : noise_floor_percentile(in, floor_percent, first, last);
    return floor * pow(10, s->above_noise_db / 10);
}

static bool continues(const struct occupancy *s, const struct line *line)
{
    const bool same_gain =
        s->gain_db == line->gain_db || (isnan(s->gain_db) && isnan(line->gain_db));
    return s->n == line->n && same_gain && tuning_equal(&s->tuning, &line->tuning);
}

static void restart(struct occupancy *s, const struct line *line)
{
    s->n = line->n;
    s->gain_db = line->gain_db;
    s->tuning = line->tuning;
    s->running = s->complete = (struct account){0};
}

/* Of a channel, without the bins of spurs; -1: there are no others. */
static float largest_power(const struct measure_input *in, uint32_t first, uint32_t last)
{
    float max[4] = {-1, -1, -1, -1}; /* each waits for its own comparison alone */
    struct line_bins part;
    for (uint32_t from = first; band_rules_next(in->rules, from, last, &part);
         from = part.last + 1) {
        uint32_t k = part.first;
        for (; k + 3 <= part.last; k += 4)
            for (uint32_t i = 0; i < 4; i++)
                max[i] = in->power[k + i] > max[i] ? in->power[k + i] : max[i];
        for (; k <= part.last; k++)
            max[0] = in->power[k] > max[0] ? in->power[k] : max[0];
    }
    const float even = max[0] > max[2] ? max[0] : max[2], odd = max[1] > max[3] ? max[1] : max[3];
    return even > odd ? even : odd;
}

static double part_above(const struct measure_input *in, double threshold, uint32_t first,
                         uint32_t last)
{
    uint32_t count = 0, counted = 0;
    struct line_bins part;
    for (uint32_t from = first; band_rules_next(in->rules, from, last, &part);
         from = part.last + 1) {
        for (uint32_t k = part.first; k <= part.last; k++)
            count += (double)in->power[k] > threshold;
        counted += part.last - part.first + 1;
    }
    return counted > 0 ? (double)count / counted : 0;
}

static unsigned count_channels(const struct occupancy *s)
{
    if (!(s->width_hz > 0))
        return 1;
    return (unsigned)fmax(1, floor((s->band.high_hz - s->band.low_hz) / s->width_hz + 1e-9));
}

static struct band channel_band(const struct occupancy *s, unsigned channel)
{
    const double low_hz = s->band.low_hz + channel * s->width_hz;
    return s->width_hz > 0 ? (struct band){low_hz, low_hz + s->width_hz} : s->band;
}

enum { FREQUENCY, FCO, LEVEL, IN_USE, COLUMNS };

/* Adds this line's time to the channels; their rows lack FCO. Channels in use. */
static unsigned account_channels(struct occupancy *s, const struct measure_input *in,
                                 double threshold, double duration_s, struct measure_result *out)
{
    const unsigned channels = count_channels(s);
    unsigned used = 0;
    for (unsigned c = 0; c < channels; c++) {
        const struct band band = channel_band(s, c);
        uint32_t first, last;
        struct band inside = band;
        (void)line_clip_band(in->line, &inside.low_hz, &inside.high_hz);
        band_bins(&inside, in->line, &first, &last);
        double *row = measure_add_row(out);
        row[FREQUENCY] = (band.low_hz + band.high_hz) / 2;
        const float power = largest_power(in, first, last);
        if (power < 0)
            continue; /* all of it is on the spur list: unknown */
        const bool in_use = (double)power > threshold;
        row[LEVEL] = level_dbfs(power);
        row[IN_USE] = in_use;
        s->running.used[c] += in_use ? duration_s : 0;
        used += in_use;
    }
    return used;
}

static void report(const struct occupancy *s, unsigned used, double threshold,
                   struct measure_result *out)
{
    const struct account *a = s->complete.observed > 0 ? &s->complete : &s->running;
    const double at_hz = (s->band.low_hz + s->band.high_hz) / 2;
    double sum = 0;
    unsigned known = 0;
    for (unsigned c = 0; c < out->table.rows; c++) {
        if (isnan(out->table.cell[c][LEVEL]))
            continue;
        out->table.cell[c][FCO] = 100 * a->used[c] / a->observed;
        sum += a->used[c];
        known++;
    }
    measure_add(out, "fbo", MEASURE_PERCENT, 100 * a->band / a->observed, at_hz);
    measure_add(out, "sro", MEASURE_PERCENT, known > 0 ? 100 * sum / known / a->observed : NAN,
                at_hz);
    measure_add(out, "channels", MEASURE_COUNT, out->table.rows, at_hz);
    measure_add(out, "in_use", MEASURE_COUNT, used, at_hz);
    measure_add(out, "threshold", MEASURE_DBFS, level_dbfs((float)threshold), at_hz);
    measure_add(out, "observed", MEASURE_SECONDS, a->observed, at_hz);
}

/* *band: what of the option's band is measured. */
static int check_input(const struct occupancy *s, const struct measure_input *in, struct band *band,
                       struct measure_result *out)
{
    struct band first = channel_band(s, 0);
    *band = s->band;
    const int err = band_clip(band, in->line, out);
    return err < 0 ? err : band_clip_channel(&first, in->line, out);
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    static const struct measure_table columns = {.columns = COLUMNS,
                                                 .hz_column = FREQUENCY,
                                                 .column = {[FREQUENCY] = {"frequency", MEASURE_HZ},
                                                            [FCO] = {"fco", MEASURE_PERCENT},
                                                            [LEVEL] = {"level", MEASURE_DBFS},
                                                            [IN_USE] = {"in_use", MEASURE_COUNT}}};
    struct occupancy *s = state;
    const struct line *line = in->line;
    const double duration_s = (double)line->frames * line->hop / line_sample_rate_hz(line);
    struct band band;
    const int err = check_input(s, in, &band, out);
    if (err < 0)
        return err;
    uint32_t first, last;
    band_bins(&band, line, &first, &last);
    if (!continues(s, line))
        restart(s, line);
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    const double threshold = threshold_of(s, in, first, last);
    const unsigned used = account_channels(s, in, threshold, duration_s, out);
    s->running.observed += duration_s;
    s->running.band += duration_s * part_above(in, threshold, first, last);
    if (s->period_s > 0 && s->running.observed >= s->period_s) {
        s->complete = s->running;
        s->running = (struct account){0};
    }
    report(s, used, threshold, out);
    return 0;
}

static const struct measure_name values[] = {{"fbo", MEASURE_PERCENT},
                                             {"sro", MEASURE_PERCENT},
                                             {"channels", MEASURE_COUNT},
                                             {"in_use", MEASURE_COUNT},
                                             {"threshold", MEASURE_DBFS},
                                             {"observed", MEASURE_SECONDS},
                                             {0}};

const struct measure_ops measure_occupancy = {
    .name = "occupancy",
    .about = "How much of the time channels are in use, and how much of a band",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct occupancy),
    .check = check,
    .values = values,
    .update = update,
};
