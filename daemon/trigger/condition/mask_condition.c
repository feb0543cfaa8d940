/*
 * mask_condition.c - the condition "mask": a bin is beyond a limit that depends on frequency.
 *
 * The limits are those of a mask file or of points, straight in dB between two points, or the
 * maximum of the first seconds plus a margin.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/format/mask_file.h"
#include "daemon/format/mask_text.h"
#include "daemon/measure/tuples.h"
#include "daemon/trigger/condition/condition.h"

enum side { UPPER, LOWER, BOTH };

struct mask {
    const char *file; /* NULL: none */
    char upper_text[TUPLES_TEXT], lower_text[TUPLES_TEXT];
    char band[CONDITION_BAND]; /* "": the usable band */
    double center_hz;          /* NAN: frequencies are absolute */
    unsigned side;
    double hold_s, margin_db; /* hold_s 0: no max hold */

    struct mask_text limits;
    struct condition_band bins;
    float *upper, *lower; /* [n] linear limits; INFINITY and -1 where there is none */
    float *level;         /* one block for both */
    bool learning;
    int64_t learned_until_ns; /* INT64_MIN: the next line is the first one of the max hold */
    uint32_t changes;         /* of the limits */
};

static const struct tuple_form form = {2, 2, {SI_HZ, SI_DB}};

/* 0: there are none; -EINVAL: they make no limit. */
static int read_points(const char *text, struct mask_limit *out)
{
    double point[TUPLES][TUPLE_NUMBERS];
    const int count = tuples_parse(text, &form, point);
    *out = (struct mask_limit){0};
    for (int i = 0; i < count; i++) {
        out->point[i].hz = point[i][0];
        out->point[i].db = point[i][1];
    }
    out->count = count > 0 ? (size_t)count : 0;
    return count >= 0 && mask_limit_valid(out) ? 0 : -EINVAL;
}

static int check_points(const char *text)
{
    struct mask_limit limit;
    return read_points(text, &limit);
}

#define POINTS "HZ:DB, ... with rising frequencies, two points or more"

static const struct config_option options[] = {
    {"mask", "mask", .kind = OPTION_STRING, OPTION_FIELD(struct mask, file), .fallback = "",
     .metavar = "FILE", .expected = "a file name",
     .help = "File with the points of the limits, in dBFS"},
    {"mask", "upper", .kind = OPTION_LABEL, OPTION_FIELD(struct mask, upper_text), .fallback = "",
     .metavar = "POINTS", .expected = POINTS, .check = check_points,
     .help = "Points of the upper limit, without a file"},
    {"mask", "lower", .kind = OPTION_LABEL, OPTION_FIELD(struct mask, lower_text), .fallback = "",
     .metavar = "POINTS", .expected = POINTS, .check = check_points,
     .help = "Points of the lower limit, without a file"},
    {"mask", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, center_hz), .fallback = "",
     .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12, .missing = NAN,
     .help = "Frequencies of the points count from here; empty: they are absolute"},
    {"mask", "band", .kind = OPTION_LABEL, OPTION_FIELD(struct mask, band), .fallback = "",
     .metavar = "LOW:HIGH", .expected = "two frequencies as in 433M:434M",
     .check = condition_check_band, .help = "The bins that count; empty: all of the usable band"},
    {"mask", "side", .kind = OPTION_INDEX, OPTION_FIELD(struct mask, side), .fallback = "both",
     .metavar = "NAME", .choices = "upper, lower, both", .help = "The limits that count"},
    {"mask", "hold", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, hold_s), .fallback = "0",
     .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0, .max = 3600,
     .help = "In place of points: the maximum of the first seconds, plus margin, is the upper "
             "limit; 0: there are points"},
    {"mask", "margin", .kind = OPTION_NUMBER, OPTION_FIELD(struct mask, margin_db), .fallback = "6",
     .metavar = "DB", .unit = SI_DB, .min = 0, .max = 100,
     .help = "Distance of the limit from the maximum of hold"},
};

static int check(const void *state, struct reason *why)
{
    const struct mask *s = state;
    const int given = (s->file != NULL) + (s->upper_text[0] || s->lower_text[0]) + (s->hold_s > 0);
    if (given != 1)
        return reason_set(why, -EINVAL, "a mask has a file, or upper and lower points, or hold");
    if (s->hold_s > 0 && s->side == LOWER)
        return reason_key(why, -EINVAL, "side", "side: hold makes an upper limit");
    return 0;
}

static int load(void *state, struct reason *why)
{
    struct mask *s = state;
    if (s->hold_s > 0)
        return 0;
    if (!s->file) {
        s->limits = (struct mask_text){.offset = !isnan(s->center_hz)};
        read_points(s->upper_text, &s->limits.upper);
        read_points(s->lower_text, &s->limits.lower);
    } else {
        const int err = mask_file_read(&s->limits, s->file, why);
        if (err < 0)
            return err;
        if (s->limits.offset && isnan(s->center_hz))
            return reason_set(why, -EINVAL, "%s: offsets need a center", s->file);
        if (s->limits.level != MASK_DBFS)
            return reason_set(why, -EINVAL, "%s: a trigger needs limits in dBFS, not in %s",
                              s->file, s->limits.level == MASK_DBM ? "dBm" : "dBc");
    }
    const bool upper = s->limits.upper.count && s->side != LOWER;
    const bool lower = s->limits.lower.count && s->side != UPPER;
    return upper || lower ? 0
                          : reason_key(why, -EINVAL, "side", "side: the mask has no %s limit",
                                       s->side == UPPER ? "upper" : "lower");
}

/* ---- limits of bins ---------------------------------------------------------------------- */

/* The limit at a frequency in dB; at a step the one that `up` says. NAN: there is none. */
static double limit_at(const struct mask_limit *limit, double hz, bool up)
{
    double best = NAN;
    for (size_t i = 1; i < limit->count; i++) {
        const double from = limit->point[i - 1].hz, to = limit->point[i].hz;
        if (hz < from || hz > to)
            continue;
        const double part = to > from ? (hz - from) / (to - from) : 0;
        const double db =
            limit->point[i - 1].db + part * (limit->point[i].db - limit->point[i - 1].db);
        if (isnan(best) || (up ? db > best : db < best))
            best = db;
    }
    return best;
}

static void set_limits(struct mask *s)
{
    const double from_hz = s->limits.offset ? s->center_hz : 0;
    for (uint32_t k = s->bins.first; k <= s->bins.last; k++) {
        const double hz = s->bins.low_hz + k * s->bins.bin_hz - from_hz;
        const double upper = s->side == LOWER ? NAN : limit_at(&s->limits.upper, hz, true);
        const double lower = s->side == UPPER ? NAN : limit_at(&s->limits.lower, hz, false);
        s->upper[k] = isnan(upper) ? INFINITY : (float)pow(10, upper / 10);
        s->lower[k] = isnan(lower) ? -1 : (float)pow(10, lower / 10);
    }
}

static int reserve(struct mask *s, uint32_t n)
{
    float *level = malloc(2 * (size_t)n * sizeof *level);
    if (!level)
        return -ENOMEM;
    free(s->level);
    s->level = level;
    s->upper = level;
    s->lower = level + n;
    for (uint32_t k = 0; k < n; k++) {
        s->upper[k] = INFINITY;
        s->lower[k] = -1;
    }
    return 0;
}

/* ---- max hold ---------------------------------------------------------------------------- */

static void learn(struct mask *s, const struct line *line)
{
    const float *max = line->detector[1];
    if (s->learned_until_ns == INT64_MIN) {
        s->learned_until_ns = unix_time_after(line->time_ns, s->hold_s);
        memset(s->upper, 0, line->n * sizeof *s->upper);
    }
    for (uint32_t k = 0; k < line->n; k++)
        s->upper[k] = max[k] > s->upper[k] ? max[k] : s->upper[k];
    const double length_s = (double)line->sample_count / line_sample_rate_hz(line);
    if (unix_time_after(line->time_ns, length_s) < s->learned_until_ns)
        return;
    const float factor = (float)pow(10, s->margin_db / 10);
    for (uint32_t k = 0; k < line->n; k++)
        s->upper[k] *= factor;
    s->learning = false;
    s->changes++;
}

static int prepare(void *state, const struct line *line, struct reason *why)
{
    struct mask *s = state;
    const int changed = condition_band_find(&s->bins, line, s->band, why);
    if (changed > 0) {
        const int err = reserve(s, line->n);
        if (err < 0) {
            s->bins.n = 0; /* again with the next line */
            return err;
        }
        s->learning = s->hold_s > 0;
        s->learned_until_ns = INT64_MIN;
        s->changes++;
        if (!s->learning)
            set_limits(s);
    }
    if (!s->learning)
        return 0;
    learn(s, line); /* events begin with the next line */
    return reason_set(why, -EAGAIN, "the maximum of the first %g s is being held", s->hold_s);
}

/* ---- limits for people ------------------------------------------------------------------- */

static void copy_limit(struct condition_limit *out, const struct mask_limit *limit, double from_hz)
{
    static_assert((int)MASK_POINTS_MAX <= (int)CONDITION_POINTS, "a limit has room");
    out->count = limit->count;
    for (size_t i = 0; i < limit->count; i++) {
        out->point[i].hz = limit->point[i].hz + from_hz;
        out->point[i].dbfs = limit->point[i].db;
    }
}

/* Divides the bins into parts: the largest bin of each, at the middle of the part. */
static void outline(const struct mask *s, struct condition_limit *out)
{
    const uint32_t bins = s->bins.last - s->bins.first + 1;
    out->count = bins < CONDITION_POINTS ? bins : CONDITION_POINTS;
    for (size_t i = 0; i < out->count; i++) {
        const uint32_t from = s->bins.first + (uint32_t)(i * bins / out->count);
        const uint32_t end = s->bins.first + (uint32_t)((i + 1) * bins / out->count);
        float largest = 0;
        for (uint32_t k = from; k < end; k++)
            largest = fmaxf(largest, s->upper[k]);
        out->point[i].hz = s->bins.low_hz + (from + end - 1) / 2.0 * s->bins.bin_hz;
        out->point[i].dbfs = 10 * log10((double)largest);
    }
}

static uint32_t limits(const void *state, struct condition_limits *out)
{
    const struct mask *s = state;
    if (!out)
        return s->changes;
    out->upper.count = out->lower.count = 0;
    if (s->hold_s > 0) {
        if (!s->learning && s->level)
            outline(s, &out->upper);
        return s->changes;
    }
    const double from_hz = s->limits.offset ? s->center_hz : 0;
    if (s->side != LOWER)
        copy_limit(&out->upper, &s->limits.upper, from_hz);
    if (s->side != UPPER)
        copy_limit(&out->lower, &s->limits.lower, from_hz);
    return s->changes;
}

/* ---- frames ------------------------------------------------------------------------------ */

enum { BLOCK = 32 };

static bool is_beyond(const struct mask *s, const float *high, const float *low, uint32_t k)
{
    return high[k] > s->upper[k] || low[k] < s->lower[k];
}

static bool is_any_beyond(const struct mask *s, const float *high, const float *low)
{
    uint32_t k = s->bins.first;
    for (; k + BLOCK <= s->bins.last + 1; k += BLOCK) {
        int beyond = 0;
        for (uint32_t j = k; j < k + BLOCK; j++)
            beyond |= (high[j] > s->upper[j]) | (low[j] < s->lower[j]);
        if (beyond)
            return true;
    }
    for (; k <= s->bins.last; k++)
        if (is_beyond(s, high, low, k))
            return true;
    return false;
}

/* The peak is the strongest bin that is beyond its limit. */
static bool meets(const void *state, const float *high, const float *low, struct condition_hit *hit)
{
    const struct mask *s = state;
    if (!is_any_beyond(s, high, low))
        return false;
    if (!hit)
        return true;
    *hit = (struct condition_hit){.first = UINT32_MAX, .peak = -1};
    for (uint32_t k = s->bins.first; k <= s->bins.last; k++) {
        if (!is_beyond(s, high, low, k))
            continue;
        const double power = (double)(high[k] > s->upper[k] ? high[k] : low[k]);
        if (hit->first == UINT32_MAX)
            hit->first = k;
        hit->last = k;
        if (power > hit->peak) {
            hit->peak = power;
            hit->peak_bin = k;
        }
    }
    return true;
}

static void finish(void *state)
{
    struct mask *s = state;
    free(s->level);
}

const struct condition_ops condition_mask = {
    .name = "mask",
    .about = "A bin is beyond a limit that depends on frequency",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct mask),
    .check = check,
    .load = load,
    .prepare = prepare,
    .meets = meets,
    .limits = limits,
    .finish = finish,
};
