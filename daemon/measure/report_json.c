/* report_json.c - names and rounds the values of results. */
#include "daemon/measure/report_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"

const char *measure_value_key(const char *name, enum measure_unit unit, char into[MEASURE_KEY_TEXT])
{
    const char *suffix = measure_unit_name(unit);
    snprintf(into, MEASURE_KEY_TEXT, "%s%s%s", name, *suffix ? "_" : "", suffix);
    return into;
}

enum { TEXT_ROWS = 3 };

static bool is_level(enum measure_unit unit)
{
    return unit == MEASURE_DBFS || unit == MEASURE_DBFS_HZ || unit == MEASURE_DB;
}

/* Where the rate is assumed, nothing looks like Hz. Levels have three decimals. */
static json_t *value_to_json(enum measure_unit unit, double value, bool rate_assumed)
{
    if (rate_assumed && (unit == MEASURE_HZ || unit == MEASURE_DBFS_HZ))
        return json_null();
    return number_to_json(is_level(unit) ? round(value * 1000) / 1000 : value);
}

static void set_value(json_t *object, const char *name, enum measure_unit unit, double value,
                      bool rate_assumed)
{
    char key[MEASURE_KEY_TEXT];
    json_object_set_new(object, measure_value_key(name, unit, key),
                        value_to_json(unit, value, rate_assumed));
}

static json_t *values_to_json(const struct measure_report *r, bool rate_assumed)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < r->values; i++)
        set_value(object, r->value[i].name, r->value[i].unit, r->value[i].value, rate_assumed);
    return object;
}

static json_t *rows_to_json(const struct measure_report *r, bool rate_assumed)
{
    json_t *rows = json_array();
    for (unsigned i = 0; i < r->rows; i++) {
        json_t *row = json_object();
        for (unsigned c = 0; c < r->columns; c++)
            set_value(row, r->column[c].name, r->column[c].unit,
                      r->cell[(size_t)i * r->columns + c], rate_assumed);
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *verdict_to_json(enum measure_verdict verdict)
{
    if (verdict == MEASURE_NO_LIMIT)
        return json_null();
    return json_string(verdict == MEASURE_PASS ? "pass" : "fail");
}

static json_t *time_to_json(int64_t time_ns)
{
    char time[UNIX_TIME_TEXT];
    char iso[UNIX_TIME_TEXT + 1];
    snprintf(iso, sizeof iso, "%sZ", unix_time_text(time_ns, "%Y-%m-%dT%H:%M:%S", time));
    return json_string(iso);
}

json_t *report_to_json(const struct measure_snapshot *s, const struct measure_report *r)
{
    return json_pack("{so so ss ss ss ss so sb sb so so so so}", "time", time_to_json(s->time_ns),
                     "line", count_to_json(s->line), "name", r->name, "type", r->ops->name,
                     "detector", detector_name(r->detector), "trace",
                     trace_function_name(r->function), "trace_lines", count_to_json(r->lines),
                     "rate_assumed", s->rate_assumed, "simulated", s->simulated, "reason",
                     r->reason[0] ? text_to_json(r->reason) : json_null(), "verdict",
                     verdict_to_json(r->verdict), "values", values_to_json(r, s->rate_assumed),
                     "rows", rows_to_json(r, s->rate_assumed));
}

json_t *setup_to_json(const struct measure_setup *setup)
{
    return json_pack(
        "{sn sn ss ss ss ss si sn sn ss sn so so}", "time", "line", "name", setup->text.name,
        "type", setup->ops->name, "detector", detector_name(setup->detector), "trace",
        trace_function_name(setup->trace), "trace_lines", 0, "rate_assumed", "simulated", "reason",
        "no line has been measured yet", "verdict", "values", json_object(), "rows", json_array());
}

void snapshot_add_rows(struct text *out, const struct measure_snapshot *s)
{
    for (size_t i = 0; i < s->count; i++) {
        json_t *object = report_to_json(s, &s->report[i]);
        char *text = object ? json_dumps(object, REPORT_JSON_FLAGS) : NULL;
        json_decref(object);
        if (text) {
            text_add_bytes(out, text, strlen(text));
            text_add_bytes(out, "\n", 1);
        } else {
            out->failed = true;
        }
        free(text);
    }
}

/* ---- for people ------------------------------------------------------------------------- */

/* "868.95 MHz" */
static void add_hz(struct text *out, double hz)
{
    char number[32];
    si_format(round(hz * 10) / 10, 12, number, sizeof number);
    const size_t digits = strcspn(number, "kMG");
    text_add(out, "%.*s %sHz", (int)digits, number, number + digits);
}

static void add_value(struct text *out, enum measure_unit unit, double value)
{
    static const char *const units[] = {
        [MEASURE_DBFS] = " dBFS", [MEASURE_DBFS_HZ] = " dBFS/Hz", [MEASURE_DB] = " dB",
        [MEASURE_HZ] = " Hz",     [MEASURE_PERCENT] = " %",       [MEASURE_SECONDS] = " s",
        [MEASURE_COUNT] = "",
    };
    if (!isfinite(value))
        text_add(out, "unknown");
    else if (is_level(unit))
        text_add(out, "%.2f%s", value, units[unit]);
    else if (unit == MEASURE_HZ)
        add_hz(out, value);
    else
        text_add(out, "%.6g%s", value, units[unit]);
}

/* The first rows, without columns that are unknown. */
static void add_text_rows(struct text *out, const struct measure_report *r)
{
    const unsigned shown = r->rows < TEXT_ROWS ? r->rows : TEXT_ROWS;
    for (unsigned row = 0; row < shown; row++) {
        const char *separator = row > 0 || r->values > 0 ? "; " : "";
        for (unsigned c = 0; c < r->columns; c++) {
            const double value = r->cell[(size_t)row * r->columns + c];
            if (!isfinite(value))
                continue;
            text_add(out, "%s%s ", separator, r->column[c].name);
            add_value(out, r->column[c].unit, value);
            separator = ", ";
        }
    }
    if (r->rows > shown)
        text_add(out, "; and %u more", r->rows - shown);
}

void report_add_text(struct text *out, const struct measure_report *r)
{
    text_add(out, "%s (%s): ", r->name, r->ops->name);
    if (r->reason[0]) {
        text_add(out, "%s", r->reason);
        return;
    }
    if (r->verdict != MEASURE_NO_LIMIT)
        text_add(out, "%s%s", r->verdict == MEASURE_PASS ? "pass" : "FAIL", r->values ? "; " : "");
    for (unsigned i = 0; i < r->values; i++) {
        text_add(out, "%s%s ", i > 0 ? ", " : "", r->value[i].name);
        add_value(out, r->value[i].unit, r->value[i].value);
    }
    add_text_rows(out, r);
}
