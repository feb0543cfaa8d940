/*
 * mask.c - limit lines and spectral emission masks, with verdict and margin.
 *
 * A limit line is a list of points, straight in dB between them; there is no limit before the first
 * and after the last point. The margin is the distance of the worst bin from its limit, negative
 * beyond it. Limits in dBm become dBFS by the calibration of each frequency; without one there is
 * no verdict.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/format/mask_file.h"
#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/tuples.h"

struct mask {
    char upper[TUPLES_TEXT], lower[TUPLES_TEXT];
    const char *file;        /* NULL: upper and lower have the points */
    struct mask_text limits; /* of the file, or of upper and lower */
    double center_hz;        /* NAN: not given */
    double width_hz, bandwidth_hz, squelch_db;
    unsigned reference; /* enum mask_level, without a file */
    double *sum;        /* [n + 1] power of the bins below; for bandwidth_hz */
    uint32_t n;
};

static const struct tuple_form form = {2, 2, {SI_HZ, SI_DB}};

static int check_points(const char *text)
{
    double point[TUPLES][TUPLE_NUMBERS];
    const int count = tuples_parse(text, &form, point);
    for (int i = 1; i < count; i++)
        if (point[i][0] < point[i - 1][0])
            return -EINVAL;
    return count > 1 && point[count - 1][0] > point[0][0] ? 0 : -EINVAL;
}

#define POINTS "HZ:DB, ... with rising frequencies, two points or more"

static const struct config_option options[] = {
    {"mask", "upper", .kind = OPTION_LABEL, OPTION_FIELD(struct mask, upper), .fallback = "",
     .metavar = "POINTS", .expected = POINTS, .check = check_points,
     .help = "Points of the upper limit"},
    {"mask", "lower", .kind = OPTION_LABEL, OPTION_FIELD(struct mask, lower), .fallback = "",
     .metavar = "POINTS", .expected = POINTS, .check = check_points,
     .help = "Points of the lower limit"},
    {"mask", "file", .kind = OPTION_STRING, OPTION_FIELD(struct mask, file), .fallback = "",
     .metavar = "FILE", .expected = "a file name",
     .help = "File with the points of both limits; upper, lower and reference must be absent"},
    {"mask", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, center_hz), .fallback = "",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequencies of the points count from here; empty: they are absolute"},
    {"mask", "reference", .kind = OPTION_INDEX, OPTION_FIELD(struct mask, reference),
     .fallback = "absolute", .metavar = "NAME", .choices = "absolute, channel, dbm",
     .help =
         "Levels of the points are dBFS, dB relative to the power of the channel, or dBm, which "
         "needs a calibration"},
    {"mask", "width", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, width_hz), .fallback = "0",
     .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Width of the channel around the centre"},
    {"mask", "bandwidth", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, bandwidth_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help =
         "Levels are the power in this bandwidth around each bin; 0 takes the bins as they are"},
    {"mask", "squelch", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, squelch_db),
     .fallback = "-300", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Power of a reference channel below which there is no verdict"},
};

static int check(const void *state, struct reason *why)
{
    const struct mask *s = state;
    const bool points = s->upper[0] || s->lower[0];
    if (!points && !s->file)
        return reason_set(why, -EINVAL, "a mask needs upper or lower points");
    if (s->file && (points || s->reference != MASK_DBFS))
        return reason_set(why, -EINVAL, "a mask has a file, or upper, lower and reference");
    if (s->reference == MASK_DBC && (isnan(s->center_hz) || !(s->width_hz > 0)))
        return reason_set(why, -EINVAL,
                          "reference=channel needs the center and width of the channel");
    return 0;
}

/* ---- points ------------------------------------------------------------------------------ */

static void set_limit(struct mask_limit *limit, const char *text)
{
    double point[TUPLES][TUPLE_NUMBERS];
    const int count = tuples_parse(text, &form, point);
    for (int i = 0; i < count; i++) {
        limit->point[i].hz = point[i][0];
        limit->point[i].db = point[i][1];
    }
    limit->count = (size_t)count;
}

static int load(void *state, struct reason *why)
{
    struct mask *s = state;
    if (!s->file) {
        s->limits.offset = !isnan(s->center_hz);
        s->limits.level = (enum mask_level)s->reference;
        set_limit(&s->limits.upper, s->upper);
        set_limit(&s->limits.lower, s->lower);
        return 0;
    }
    const int err = mask_file_read(&s->limits, s->file, why);
    if (err < 0)
        return err;
    if (s->limits.offset && isnan(s->center_hz))
        return reason_set(why, -EINVAL, "%s: offsets need a center", s->file);
    if (s->limits.level == MASK_DBC && (isnan(s->center_hz) || !(s->width_hz > 0)))
        return reason_set(why, -EINVAL,
                          "%s: levels in dBc need the center and width of the channel", s->file);
    return 0;
}

static bool same_limit(const struct mask_limit *a, const struct mask_limit *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->point[i].hz - b->point[i].hz == 0 && a->point[i].db - b->point[i].db == 0;
    return same;
}

static bool same_files(const void *a, const void *b)
{
    const struct mask_text *x = &((const struct mask *)a)->limits;
    const struct mask_text *y = &((const struct mask *)b)->limits;
    return x->offset == y->offset && x->level == y->level && same_limit(&x->upper, &y->upper) &&
           same_limit(&x->lower, &y->lower);
}

/* ---- levels ------------------------------------------------------------------------------ */

static int prepare_sums(struct mask *s, const struct measure_input *in)
{
    const uint32_t n = in->line->n;
    if (s->n != n) {
        double *sum = malloc(((size_t)n + 1) * sizeof *sum);
        if (!sum)
            return -ENOMEM;
        free(s->sum);
        s->sum = sum;
        s->n = n;
    }
    s->sum[0] = 0;
    for (uint32_t k = 0; k < n; k++)
        s->sum[k + 1] = s->sum[k] + (double)in->power[k];
    return 0;
}

/* Power below a position in bins, where bin k covers k to k + 1. */
static double power_below(const struct mask *s, double position)
{
    const double at = fmin(fmax(position, 0), s->n);
    const uint32_t k = (uint32_t)fmin(floor(at), s->n - 1);
    return s->sum[k] + (at - k) * (s->sum[k + 1] - s->sum[k]);
}

static double level_of(const struct mask *s, const struct measure_input *in, uint32_t bin)
{
    const double half = s->bandwidth_hz / 2 / line_bin_hz(in->line);
    if (!(s->bandwidth_hz > 0))
        return fmax((double)in->power[bin], 1e-30);
    const double power = power_below(s, bin + 0.5 + half) - power_below(s, bin + 0.5 - half);
    return fmax(power / in->line->enbw_bins, 1e-30);
}

/* ---- segments ---------------------------------------------------------------------------- */

enum { LOW, HIGH, FREQUENCY, LEVEL, LIMIT, MARGIN, UPPER, COLUMNS };

struct mask_segment {
    struct band band;
    double low_db, high_db;
    bool upper;
};

/*
 * The bin of first .. last that is farthest beyond the limit. The limit is a geometric sequence
 * from bin to bin; so is its inverse, which saves a division.
 */
static uint32_t find_worst(const struct mask *s, const struct measure_input *in, bool upper,
                           const uint32_t range[2], double inverse, double ratio)
{
    const double sign = upper ? 1 : -1;
    double worst = -INFINITY;
    uint32_t worst_bin = range[0];
    for (uint32_t k = range[0]; k <= range[1]; k++, inverse *= ratio) {
        const double excess = sign * level_of(s, in, k) * inverse;
        if (excess > worst) {
            worst = excess;
            worst_bin = k;
        }
    }
    return worst_bin;
}

/* What turns dBFS into the unit of the limits at a bin: 0, or the calibration; NAN: uncal. */
static double offset_of(const struct mask *s, const struct measure_input *in, uint32_t bin)
{
    if (s->limits.level != MASK_DBM)
        return 0;
    return in->radio ? calibration_radio_offset_db(in->radio, bins_frequency(in->line, bin)) : NAN;
}

/*
 * The limit of a segment in dBFS at a bin. Calibration is read every PIECE bins and is a straight
 * line in dB between them, so that the limit is a geometric sequence.
 */
enum { PIECE = 64 };

static double limit_of(const struct mask *s, const struct measure_input *in,
                       const struct mask_segment *g, uint32_t bin)
{
    const double slope = (g->high_db - g->low_db) / (g->band.high_hz - g->band.low_hz);
    const double limit_db = g->low_db + slope * (bins_frequency(in->line, bin) - g->band.low_hz);
    return limit_db - offset_of(s, in, bin);
}

static double margin_of(const struct mask *s, const struct measure_input *in,
                        const struct mask_segment *g, uint32_t bin)
{
    const double above_db = limit_of(s, in, g, bin) - 10 * log10(level_of(s, in, bin));
    return g->upper ? above_db : -above_db;
}

/* The bin with the least margin. -ERANGE: a frequency is not calibrated. */
static int search_segment(const struct mask *s, const struct measure_input *in,
                          const struct mask_segment *g, uint32_t *worst, struct measure_result *out)
{
    struct band inside = g->band;
    uint32_t range[2];
    (void)line_clip_band(in->line, &inside.low_hz, &inside.high_hz); /* it passed band_clip */
    band_bins(&inside, in->line, &range[0], &range[1]);
    double least = INFINITY;
    *worst = range[0];
    const uint32_t step = s->limits.level == MASK_DBM ? PIECE : in->line->n;
    for (uint32_t k = range[0]; k <= range[1]; k += step) {
        const uint32_t last = range[1] - k < step ? range[1] : k + step - 1;
        const double first_db = limit_of(s, in, g, k), last_db = limit_of(s, in, g, last);
        const double bin_db = last > k ? (last_db - first_db) / (last - k) : 0;
        if (isnan(first_db) || isnan(last_db))
            return measure_refuse(out, "uncal: limits in dBm, and no calibration of %.0f Hz",
                                  bins_frequency(in->line, isnan(first_db) ? k : last));
        const uint32_t bin = find_worst(s, in, g->upper, (const uint32_t[]){k, last},
                                        pow(10, -first_db / 10), pow(10, -bin_db / 10));
        const double margin = margin_of(s, in, g, bin);
        *worst = margin < least ? bin : *worst;
        least = fmin(least, margin);
    }
    return 0;
}

/* A row with the worst bin of a segment. */
static int add_segment(const struct mask *s, const struct measure_input *in,
                       const struct mask_segment *g, struct measure_result *out)
{
    uint32_t bin = 0;
    const int err = search_segment(s, in, g, &bin, out);
    if (err < 0)
        return err;
    double *row = measure_add_row(out);
    row[LOW] = g->band.low_hz;
    row[HIGH] = g->band.high_hz;
    row[FREQUENCY] = bins_frequency(in->line, bin);
    row[LEVEL] = 10 * log10(level_of(s, in, bin));
    row[LIMIT] = limit_of(s, in, g, bin);
    row[MARGIN] = margin_of(s, in, g, bin);
    row[UPPER] = g->upper;
    return 0;
}

/* -ERANGE: a segment is not within the usable band, or a frequency is not calibrated. */
static int add_line(const struct mask *s, const struct measure_input *in,
                    const struct mask_limit *limit, double reference_db, struct measure_result *out)
{
    const double origin_hz = s->limits.offset ? s->center_hz : 0;
    int err = 0;
    for (size_t i = 0; err == 0 && i + 1 < limit->count; i++) {
        const struct mask_segment g = {
            {origin_hz + limit->point[i].hz, origin_hz + limit->point[i + 1].hz},
            reference_db + limit->point[i].db,
            reference_db + limit->point[i + 1].db,
            limit == &s->limits.upper};
        struct band reach = {g.band.low_hz - s->bandwidth_hz / 2,
                             g.band.high_hz + s->bandwidth_hz / 2};
        if (!(g.band.low_hz < g.band.high_hz))
            continue; /* a step */
        err = band_clip(&reach, in->line, out);
        if (err == 0)
            err = add_segment(s, in, &g, out);
    }
    return err;
}

/* ---- the measurement --------------------------------------------------------------------- */

static void report(const struct mask *s, double reference_db, struct measure_result *out)
{
    const double *worst = out->table.cell[0];
    for (unsigned i = 1; i < out->table.rows; i++)
        if (out->table.cell[i][MARGIN] < worst[MARGIN])
            worst = out->table.cell[i];
    out->verdict = worst[MARGIN] >= 0 ? MEASURE_PASS : MEASURE_FAIL;
    measure_add(out, "margin", MEASURE_DB, worst[MARGIN], worst[FREQUENCY]);
    measure_add(out, "frequency", MEASURE_HZ, worst[FREQUENCY], worst[FREQUENCY]);
    measure_add(out, "level", MEASURE_DBFS, worst[LEVEL], worst[FREQUENCY]);
    measure_add(out, "limit", MEASURE_DBFS, worst[LIMIT], worst[FREQUENCY]);
    if (s->limits.level == MASK_DBC)
        measure_add(out, "reference", MEASURE_DBFS, reference_db, s->center_hz);
}

/* The power of the reference channel. A limit relative to no power says nothing. */
static int find_reference(const struct mask *s, const struct measure_input *in,
                          double *reference_db, struct measure_result *out)
{
    struct band channel = {s->center_hz - s->width_hz / 2, s->center_hz + s->width_hz / 2};
    const int err = band_clip_channel(&channel, in->line, out);
    if (err < 0)
        return err;
    const double power = band_power(&channel, in);
    if (!(power > 0))
        return measure_refuse(out, "the reference channel has no power");
    *reference_db = level_dbfs((float)power);
    if (!(*reference_db > s->squelch_db))
        return measure_refuse(out, "the reference channel is not above %.4g dBFS", s->squelch_db);
    return 0;
}

/* Whether the detector and the RBW suit; the power of the channel, 0 dBFS if there is none. */
static int prepare(struct mask *s, const struct measure_input *in, double *reference_db,
                   struct measure_result *out)
{
    const double rbw_hz = line_rbw_hz(in->line);
    int err = s->bandwidth_hz > 0 || s->limits.level == MASK_DBC ? measure_needs_power(in, out) : 0;
    *reference_db = 0;
    if (err == 0 && in->relative && s->limits.level == MASK_DBM)
        err = measure_refuse(out, "limits in dBm: the trace is relative, its levels are in dB");
    if (err == 0 && s->bandwidth_hz > 0 && s->bandwidth_hz < rbw_hz)
        err = measure_refuse(out, "the RBW of %.4g Hz is wider than the bandwidth of %.4g Hz",
                             rbw_hz, s->bandwidth_hz);
    if (err == 0 && s->limits.level == MASK_DBC)
        err = find_reference(s, in, reference_db, out);
    if (err == 0 && s->bandwidth_hz > 0)
        err = prepare_sums(s, in);
    return err;
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    static const struct measure_table columns = {.columns = COLUMNS,
                                                 .hz_column = FREQUENCY,
                                                 .column = {[LOW] = {"low", MEASURE_HZ},
                                                            [HIGH] = {"high", MEASURE_HZ},
                                                            [FREQUENCY] = {"frequency", MEASURE_HZ},
                                                            [LEVEL] = {"level", MEASURE_DBFS},
                                                            [LIMIT] = {"limit", MEASURE_DBFS},
                                                            [MARGIN] = {"margin", MEASURE_DB},
                                                            [UPPER] = {"upper", MEASURE_COUNT}}};
    struct mask *s = state;
    double reference_db;
    int err = prepare(s, in, &reference_db, out);
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    err = err < 0 ? err : add_line(s, in, &s->limits.upper, reference_db, out);
    err = err < 0 ? err : add_line(s, in, &s->limits.lower, reference_db, out);
    if (err == 0)
        report(s, reference_db, out);
    return err;
}

static void finish(void *state)
{
    struct mask *s = state;
    free(s->sum);
}

static bool gives(const void *state, const char *value)
{
    const struct mask *s = state;
    return s->limits.level == MASK_DBC || strcmp(value, "reference") != 0;
}

static const struct measure_name values[] = {{"margin", MEASURE_DB},      {"frequency", MEASURE_HZ},
                                             {"level", MEASURE_DBFS},     {"limit", MEASURE_DBFS},
                                             {"reference", MEASURE_DBFS}, {0}};

const struct measure_ops measure_mask = {
    .name = "mask",
    .about = "Limit lines or a spectral emission mask: verdict and margin",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct mask),
    .check = check,
    .load = load,
    .same_files = same_files,
    .values = values,
    .has_verdict = true,
    .gives = gives,
    .update = update,
    .finish = finish,
};
