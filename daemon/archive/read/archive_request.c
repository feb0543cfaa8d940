/* archive_request.c - reads keys and values that ask for a part of the archive. */
#include "daemon/archive/read/archive_request.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"

enum { ROWS_USUAL = 500, COLUMNS_USUAL = 1024 };
static const double above_noise_usual_db = 10;

const char *archive_describe(int err)
{
    switch (err) {
    case -ENOENT:
        return "there is no archive, or it has no rows yet";
    case -ENODATA:
        return "there are no rows of this time, or not with this detector or resolution";
    case -E2BIG:
        return "this is too much for one answer: give a shorter time, wider channels or a coarser "
               "resolution";
    default:
        return strerror(-err);
    }
}

void archive_request_init(struct archive_request *r, bool survey)
{
    const struct archive_time oldest = {INT64_MIN, false}, newest = {INT64_MAX, false};
    *r = (struct archive_request){.survey = survey,
                                  .bottom_db = NAN,
                                  .top_db = NAN,
                                  .picture = {.from = oldest,
                                              .to = newest,
                                              .low_hz = NAN,
                                              .high_hz = NAN,
                                              .rows = ROWS_USUAL,
                                              .columns = COLUMNS_USUAL,
                                              .detector = 1},
                                  .of_survey = {.from = {-INT64_C(86400) * 1000000000, true},
                                                .to = newest,
                                                .low_hz = NAN,
                                                .high_hz = NAN,
                                                .detector = 1,
                                                .threshold_db = NAN,
                                                .above_noise_db = above_noise_usual_db}};
}

/* ---- values ----------------------------------------------------------------------------- */

struct target {
    struct archive_request *r;
    const char *key, *value;
    struct reason *why;
};

static int refuse(const struct target *t, const char *expected)
{
    return reason_key(t->why, -EINVAL, t->key, "%s: \"%s\" is not %s", t->key, t->value, expected);
}

static int set_number(const struct target *t, enum si_unit unit, double min, double max,
                      const char *expected, double *out)
{
    double value;
    if (si_parse_unit(t->value, unit, &value) < 0 || !(value >= min && value <= max))
        return refuse(t, expected);
    *out = value;
    return 0;
}

int archive_time_parse(const char *text, struct archive_time *out)
{
    bool is_date;
    const int err = unix_time_read(text, &out->ns, &is_date);
    out->relative = err == 0 && !is_date && out->ns <= 0;
    return err;
}

static int set_time(const struct target *t, struct archive_time *out)
{
    return archive_time_parse(t->value, out) < 0 ? refuse(t, ARCHIVE_TIME_EXPECTED) : 0;
}

static int set_count(const struct target *t, uint32_t max, uint32_t *out)
{
    double value;
    if (si_parse(t->value, &value) < 0 || !(value >= 1 && value <= max) || value > floor(value))
        return reason_key(t->why, -EINVAL, t->key, "%s: \"%s\" is not a whole number from 1 to %u",
                          t->key, t->value, max);
    *out = (uint32_t)value;
    return 0;
}

/* Position of a word in a list that ends with NULL; -1. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static int set_format(const struct target *t)
{
    static const char *const formats[] = {"json", "csv", "png", "binary", NULL};
    const int found = find_word(formats, t->value);
    if (found < 0 || (t->r->survey && found > ARCHIVE_CSV))
        return refuse(t, t->r->survey ? "json or csv" : "json, csv, png or binary");
    t->r->format = (enum archive_format)found;
    return 0;
}

static int set_detector(const struct target *t, unsigned *out)
{
    static const char *const detectors[] = {"mean", "max", "min", NULL};
    const int found = find_word(detectors, t->value);
    if (found < 0)
        return refuse(t, "mean, max or min");
    *out = (unsigned)found;
    return 0;
}

/* ---- keys ------------------------------------------------------------------------------- */

static const char hertz[] = "a frequency", level[] = "a level in dB from -300 to 300";

static int set_bottom(const struct target *t)
{
    return set_number(t, SI_DB, -300, 300, level, &t->r->bottom_db);
}

static int set_columns(const struct target *t)
{
    return set_count(t, ARCHIVE_READ_COLUMNS, &t->r->picture.columns);
}

static int set_rows(const struct target *t)
{
    return set_count(t, ARCHIVE_READ_ROWS, &t->r->picture.rows);
}

static int set_top(const struct target *t)
{
    return set_number(t, SI_DB, -300, 300, level, &t->r->top_db);
}

static int set_any_detector(const struct target *t)
{
    struct archive_request *r = t->r;
    return set_detector(t, r->survey ? &r->of_survey.detector : &r->picture.detector);
}

static int set_from(const struct target *t)
{
    return set_time(t, t->r->survey ? &t->r->of_survey.from : &t->r->picture.from);
}

static int set_to(const struct target *t)
{
    return set_time(t, t->r->survey ? &t->r->of_survey.to : &t->r->picture.to);
}

static int set_low(const struct target *t)
{
    struct archive_request *r = t->r;
    return set_number(t, SI_HZ, -1e12, 1e12, hertz,
                      r->survey ? &r->of_survey.low_hz : &r->picture.low_hz);
}

static int set_high(const struct target *t)
{
    struct archive_request *r = t->r;
    return set_number(t, SI_HZ, -1e12, 1e12, hertz,
                      r->survey ? &r->of_survey.high_hz : &r->picture.high_hz);
}

static int set_width(const struct target *t)
{
    return set_number(t, SI_HZ, 0, 1e10, hertz, &t->r->of_survey.width_hz);
}

static int set_threshold(const struct target *t)
{
    return set_number(t, SI_DB, -300, 300, level, &t->r->of_survey.threshold_db);
}

static int set_above_noise(const struct target *t)
{
    return set_number(t, SI_DB, 0, 100, "a number of dB from 0 to 100",
                      &t->r->of_survey.above_noise_db);
}

static int set_resolution(const struct target *t)
{
    return set_number(t, SI_SECONDS, 1e-3, 86400, "a time from 1 ms to 1 d",
                      &t->r->of_survey.resolution_s);
}

enum { PICTURE = 1, SURVEY = 2 };
static const struct {
    const char *key;
    unsigned kinds;
    int (*set)(const struct target *t);
} keys[] = {
    {"above_noise", SURVEY, set_above_noise},
    {"bottom", PICTURE, set_bottom},
    {"columns", PICTURE, set_columns},
    {"detector", PICTURE | SURVEY, set_any_detector},
    {"format", PICTURE | SURVEY, set_format},
    {"from", PICTURE | SURVEY, set_from},
    {"high_hz", PICTURE | SURVEY, set_high},
    {"low_hz", PICTURE | SURVEY, set_low},
    {"resolution", SURVEY, set_resolution},
    {"rows", PICTURE, set_rows},
    {"threshold", SURVEY, set_threshold},
    {"to", PICTURE | SURVEY, set_to},
    {"top", PICTURE, set_top},
    {"width", SURVEY, set_width},
};

static const char *key_names(bool survey)
{
    return survey ? "above_noise, detector, format, from, high_hz, low_hz, resolution, threshold, "
                    "to, width"
                  : "bottom, columns, detector, format, from, high_hz, low_hz, rows, to, top";
}

int archive_request_set(struct archive_request *r, const char *key, const char *value,
                        struct reason *why)
{
    const struct target t = {r, key, value, why};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].key, key) == 0 && keys[i].kinds & (r->survey ? SURVEY : PICTURE))
            return keys[i].set(&t);
    return reason_key(why, -EINVAL, key, "%s: expected one of %s", key, key_names(r->survey));
}

int archive_request_check(const struct archive_request *r, struct reason *why)
{
    const double low = r->survey ? r->of_survey.low_hz : r->picture.low_hz;
    const double high = r->survey ? r->of_survey.high_hz : r->picture.high_hz;
    if (low >= high)
        return reason_key(why, -EINVAL, "high_hz", "high_hz must be above low_hz");
    if ((uint64_t)r->picture.rows * r->picture.columns > ARCHIVE_READ_CELLS)
        return reason_key(why, -EINVAL, "rows", "rows times columns: more than %d",
                          ARCHIVE_READ_CELLS);
    if (r->bottom_db >= r->top_db)
        return reason_key(why, -EINVAL, "top", "top must be above bottom");
    return 0;
}

const char *archive_request_type(const struct archive_request *r)
{
    static const char *const types[] = {"application/json", "text/csv; charset=utf-8", "image/png",
                                        "application/octet-stream"};
    return types[r->format];
}
