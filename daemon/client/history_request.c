/* history_request.c - checks the fields of a request for history. */
#include "daemon/client/history_request.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/control/fields.h"

static const struct field {
    const char *name;
    bool whole;
    double min, max; /* included */
} fields[HISTORY_FIELDS] = {
    [HISTORY_ID] = {"id", true, 0, UINT32_MAX},
    [HISTORY_COLUMNS] = {"columns", true, 1, WIRE_COLUMNS_MAX},
    [HISTORY_ROWS] = {"rows", true, 1, HISTORY_ROWS_MAX},
    [HISTORY_LINES] = {"lines", true, 1, HISTORY_LINES_MAX},
    [HISTORY_BEFORE] = {"before", true, -9007199254740991.0, 9007199254740991.0},
    [HISTORY_FROM] = {"from", false, -9e9, 9e9},
    [HISTORY_TO] = {"to", false, -9e9, 9e9},
    [HISTORY_LOW_HZ] = {"low_hz", false, -1e15, 1e15},
    [HISTORY_HIGH_HZ] = {"high_hz", false, -1e15, 1e15},
};

static const char detectors_expected[] = "mean, max or min: the history has no others";

_Static_assert((int)WIRE_COLUMNS_MAX <= (int)HISTORY_QUERY_COLUMNS,
               "the history gives as many columns");

void history_request_init(struct history_request *r)
{
    *r = (struct history_request){.coding = WIRE_PLAIN};
    for (int i = 0; i < HISTORY_FIELDS; i++)
        r->value[i] = NAN;
}

const char *history_field_name(enum history_field field)
{
    return fields[field].name;
}

int history_request_set(struct history_request *r, enum history_field field, double value,
                        struct reason *why)
{
    const struct field *f = &fields[field];
    if (!(value >= f->min && value <= f->max) || (f->whole && value != floor(value)))
        return reason_key(why, -EINVAL, f->name, "%s: %.17g is not a %s from %.16g to %.16g",
                          f->name, value, f->whole ? "whole number" : "number", f->min, f->max);
    r->value[field] = value;
    return 0;
}

int history_request_set_detector(struct history_request *r, const char *name, struct reason *why)
{
    const int index = detector_index(name);
    if (index < 0 || index >= HISTORY_DETECTORS)
        return reason_key(why, -EINVAL, "detector", "detector: \"%s\" is not %s", name,
                          detectors_expected);
    r->detector = (unsigned)index;
    return 0;
}

/* ---- the values ------------------------------------------------------------------------- */

static int read_field(struct history_request *r, enum history_field field, const json_t *values,
                      struct reason *why)
{
    const json_t *value = json_object_get(values, fields[field].name);
    if (!value)
        return 0;
    if (!json_is_number(value))
        return fields_refuse_value(why, fields[field].name, value, "a number");
    return history_request_set(r, field, json_number_value(value), why);
}

static int read_detector(struct history_request *r, const json_t *values, struct reason *why)
{
    const json_t *value = json_object_get(values, "detector");
    const int index = json_is_string(value) ? detector_index(json_string_value(value)) : -1;
    if (!value)
        return 0;
    if (index < 0 || index >= HISTORY_DETECTORS)
        return fields_refuse_value(why, "detector", value, detectors_expected);
    r->detector = (unsigned)index;
    return 0;
}

static int read_coding(struct history_request *r, const json_t *values, struct reason *why)
{
    const json_t *value = json_object_get(values, "coding");
    const char *name = value ? json_string_value(value) : "plain";
    if (!name || (strcmp(name, "plain") != 0 && strcmp(name, "range") != 0))
        return fields_refuse_value(why, "coding", value, "plain or range");
    r->coding = strcmp(name, "range") == 0 ? WIRE_RANGE : WIRE_PLAIN;
    return 0;
}

static int require(const json_t *values, const char *name, struct reason *why)
{
    return json_object_get(values, name) ? 0
                                         : reason_key(why, -EINVAL, name, "%s: is missing", name);
}

int history_request_read(struct history_request *r, const json_t *values, struct reason *why)
{
    struct history_query query;
    history_request_init(r);
    int err = require(values, "id", why);
    if (err == 0)
        err = require(values, "columns", why);
    for (int i = 0; err == 0 && i < HISTORY_FIELDS; i++)
        err = read_field(r, (enum history_field)i, values, why);
    if (err == 0)
        err = read_detector(r, values, why);
    if (err == 0)
        err = read_coding(r, values, why);
    return err < 0 ? err : history_request_query(r, 1, 1, &query, why);
}

/* ---- the query -------------------------------------------------------------------------- */

static double or_default(double value, double fallback)
{
    return isnan(value) ? fallback : value;
}

static int64_t to_ns(double seconds, int64_t fallback)
{
    return isnan(seconds) ? fallback : (int64_t)(seconds * 1e9);
}

int history_request_query(const struct history_request *r, uint32_t columns, uint32_t rows,
                          struct history_query *out, struct reason *why)
{
    const double *v = r->value;
    *out = (struct history_query){
        .low_hz = v[HISTORY_LOW_HZ],
        .high_hz = v[HISTORY_HIGH_HZ],
        .columns = (uint32_t)or_default(v[HISTORY_COLUMNS], columns),
        .detector = r->detector,
        .before = isnan(v[HISTORY_BEFORE]) ? UINT64_MAX : (uint64_t)(int64_t)v[HISTORY_BEFORE],
        .from_ns = to_ns(v[HISTORY_FROM], INT64_MIN),
        .to_ns = to_ns(v[HISTORY_TO], INT64_MAX),
        .rows = (uint32_t)or_default(v[HISTORY_ROWS], rows),
        .lines = (uint32_t)or_default(v[HISTORY_LINES], 1),
        .levels = HISTORY_LEVELS_MAX};
    if (out->low_hz >= out->high_hz) /* false while one is NAN */
        return reason_key(why, -EINVAL, "high_hz", "high_hz: is not above low_hz");
    return 0;
}
