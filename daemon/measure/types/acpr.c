/*
 * acpr.c - adjacent channel power ratio: the power of neighbouring channels, relative to the main
 * one.
 *
 * With a roll-off the width is the symbol rate R, and each channel is weighted with |H(f)|^2 of the
 * root raised cosine filter, that is a raised cosine from -(1 + a) R / 2 to (1 + a) R / 2, as in
 * 3GPP TS 25.104, section 6.6.2.2.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/tuples.h"

struct acpr {
    double center_hz, width_hz, roll_off, squelch_db;
    char offsets[TUPLES_TEXT];
};

static const struct tuple_form form = {1, 3, {SI_HZ, SI_HZ, SI_DB}}; /* offset, width, limit */

static int check_offsets(const char *text)
{
    double tuple[TUPLES][TUPLE_NUMBERS];
    const int count = tuples_parse(text, &form, tuple);
    for (int i = 0; i < count; i++)
        if (!(tuple[i][0] > 0) || tuple[i][1] <= 0)
            return -EINVAL;
    return count > 0 ? 0 : -EINVAL;
}

static const struct config_option options[] = {
    {"acpr", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct acpr, center_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the main channel"},
    {"acpr", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct acpr, width_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of the main channel; with a roll-off its symbol rate"},
    {"acpr", "offsets", .kind = OPTION_LABEL, OPTION_FIELD(struct acpr, offsets), .fallback = "",
     .metavar = "LIST", .expected = "OFFSET[:WIDTH[:LIMIT]], ... in Hz, Hz and dB",
     .check = check_offsets,
     .help = "Distances of the neighbouring channels on both sides; a width that is absent is that "
             "of the main channel, and a limit in dB gives a verdict"},
    {"acpr", "roll-off", .kind = OPTION_NUMBER, OPTION_FIELD(struct acpr, roll_off),
     .fallback = "0", .metavar = "FACTOR", .min = 0, .max = 1,
     .help = "Roll-off of the root raised cosine filter of all channels; 0 is a rectangle"},
    {"acpr", "squelch", .kind = OPTION_NUMBER, OPTION_FIELD(struct acpr, squelch_db),
     .fallback = "-300", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Power of the main channel below which there are no ratios"},
};

static int check(const void *state, struct reason *why)
{
    const struct acpr *s = state;
    if (!(s->width_hz > 0))
        return reason_key(why, -EINVAL, "width", "acpr needs the width of the main channel");
    if (!s->offsets[0])
        return reason_key(why, -EINVAL, "offsets", "acpr needs offsets of other channels");
    return 0;
}

/* |H|^2 of the filter at this distance from the centre, in symbol rates. */
static double weight_of(double distance, double roll_off)
{
    const double over = fabs(distance) - (1 - roll_off) / 2;
    if (over <= 0)
        return 1;
    return over >= roll_off ? 0 : (1 + cos(M_PI * over / roll_off)) / 2;
}

/* Of the bins of `band`, with the filter of a channel of this symbol rate. */
static double filtered_power(const struct band *band, const struct measure_input *in,
                             double center_hz, double rate_hz, double roll_off)
{
    uint32_t first, last;
    double sum = 0;
    band_bins(band, in->line, &first, &last);
    for (uint32_t k = first; k <= last; k++)
        sum += (double)in->power[k] *
               weight_of((bins_frequency(in->line, k) - center_hz) / rate_hz, roll_off);
    return sum / in->line->enbw_bins;
}

/* -ERANGE: the channel cannot be measured. */
static int channel_power(const struct acpr *s, const struct measure_input *in, double center_hz,
                         double width_hz, double *power, struct measure_result *out)
{
    struct band band = band_around(in->line, center_hz, width_hz * (1 + s->roll_off));
    const int err = band_clip_channel(&band, in->line, out);
    if (err < 0)
        return err;
    *power = s->roll_off > 0 ? filtered_power(&band, in, center_hz, width_hz, s->roll_off)
                             : band_power(&band, in);
    return 0;
}

struct adjacent {
    double center_hz, offset_hz, width_hz, limit_db, power;
};

enum { FREQUENCY, OFFSET, WIDTH, POWER, RATIO, LIMIT, COLUMNS };

static double add_channel(const struct adjacent *a, double main_power, struct measure_result *out)
{
    double *row = measure_add_row(out);
    const double ratio_db = level_dbfs((float)a->power) - level_dbfs((float)main_power);
    row[FREQUENCY] = a->center_hz;
    row[OFFSET] = a->offset_hz;
    row[WIDTH] = a->width_hz;
    row[POWER] = level_dbfs((float)a->power);
    row[RATIO] = ratio_db;
    row[LIMIT] = a->limit_db;
    if (!isnan(a->limit_db) && out->verdict != MEASURE_FAIL)
        out->verdict = ratio_db <= a->limit_db ? MEASURE_PASS : MEASURE_FAIL;
    return ratio_db;
}

/* Both sides of all offsets. The largest ratio. */
static int add_channels(const struct acpr *s, const struct measure_input *in, double main_power,
                        double *worst_db, struct measure_result *out)
{
    double tuple[TUPLES][TUPLE_NUMBERS];
    const int count = tuples_parse(s->offsets, &form, tuple);
    *worst_db = -INFINITY;
    for (int i = 0; i < 2 * count; i++) {
        const double *t = tuple[i / 2], offset_hz = i % 2 ? t[0] : -t[0];
        struct adjacent a = {s->center_hz + offset_hz, offset_hz, isnan(t[1]) ? s->width_hz : t[1],
                             t[2], 0};
        const int err = channel_power(s, in, a.center_hz, a.width_hz, &a.power, out);
        if (err < 0)
            return err;
        *worst_db = fmax(*worst_db, add_channel(&a, main_power, out));
    }
    return 0;
}

/* A ratio to no power says nothing. */
static int check_power(const struct acpr *s, double power, struct measure_result *out)
{
    if (!(power > 0))
        return measure_refuse(out, "the main channel has no power");
    if (!(10 * log10(power) > s->squelch_db))
        return measure_refuse(out, "the main channel is not above %.4g dBFS", s->squelch_db);
    return 0;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    static const struct measure_table columns = {.columns = COLUMNS,
                                                 .hz_column = FREQUENCY,
                                                 .column = {[FREQUENCY] = {"frequency", MEASURE_HZ},
                                                            [OFFSET] = {"offset", MEASURE_HZ},
                                                            [WIDTH] = {"width", MEASURE_HZ},
                                                            [POWER] = {"power", MEASURE_DBFS},
                                                            [RATIO] = {"ratio", MEASURE_DB},
                                                            [LIMIT] = {"limit", MEASURE_DB}}};
    const struct acpr *s = state;
    double power, worst_db;
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    int err = channel_power(s, in, s->center_hz, s->width_hz, &power, out);
    err = err < 0 ? err : check_power(s, power, out);
    err = err < 0 ? err : add_channels(s, in, power, &worst_db, out);
    if (err < 0)
        return err;
    measure_add(out, "power", MEASURE_DBFS, level_dbfs((float)power), s->center_hz);
    measure_add(out, "worst", MEASURE_DB, worst_db, s->center_hz);
    return 0;
}

static bool gives(const void *state, const char *value)
{
    const struct acpr *s = state;
    double tuple[TUPLES][TUPLE_NUMBERS];
    bool limit = value[0];
    for (int i = tuples_parse(s->offsets, &form, tuple) - 1; i >= 0 && !limit; i--)
        limit = !isnan(tuple[i][2]);
    return limit;
}

static const struct measure_name values[] = {{"power", MEASURE_DBFS}, {"worst", MEASURE_DB}, {0}};

const struct measure_ops measure_acpr = {
    .name = "acpr",
    .about = "Adjacent channel power ratio",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct acpr),
    .check = check,
    .values = values,
    .has_verdict = true,
    .gives = gives,
    .needs_power = true,
    .update = update,
};
