/* report_json.c - names and rounds the values of results. */
#include "daemon/measure/report_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"

enum { TEXT_ROWS = 3 };

static bool has_decimals(enum measure_unit unit)
{
    return unit == MEASURE_DBFS || unit == MEASURE_DBFS_HZ || unit == MEASURE_DB;
}

/* How many levels of an object are calibrated. */
struct levels {
    unsigned all, calibrated;
};

/* Levels have three decimals. */
static void set_value(json_t *object, const char *name, enum measure_unit unit,
                      const struct measure_shown *shown, struct levels *levels)
{
    const char *suffix = measure_shown_unit(shown, unit);
    const double value = has_decimals(unit) ? round(shown->value * 1000) / 1000 : shown->value;
    char key[64];
    snprintf(key, sizeof key, "%s%s%s", name, *suffix ? "_" : "", suffix);
    json_object_set_new(object, key, number_to_json(value));
    levels->all += shown->level;
    levels->calibrated += shown->calibrated;
}

static json_t *values_to_json(const struct measure_snapshot *s, const struct measure_report *r,
                              struct levels *levels)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < r->values; i++) {
        const struct measure_value *v = &r->value[i];
        const struct measure_shown shown = measure_show(s, v->unit, v->value, v->at_hz);
        set_value(object, v->name, v->unit, &shown, levels);
    }
    return object;
}

static json_t *row_to_json(const struct measure_snapshot *s, const struct measure_report *r,
                           const double *cell, struct levels *levels)
{
    json_t *row = json_object();
    for (unsigned c = 0; c < r->columns; c++) {
        const struct measure_shown shown =
            measure_show(s, r->column[c].unit, cell[c], cell[r->hz_column]);
        set_value(row, r->column[c].name, r->column[c].unit, &shown, levels);
    }
    return row;
}

static json_t *rows_to_json(const struct measure_snapshot *s, const struct measure_report *r,
                            struct levels *levels)
{
    json_t *rows = json_array();
    for (unsigned i = 0; i < r->rows; i++)
        json_array_append_new(rows, row_to_json(s, r, r->cell + (size_t)i * r->columns, levels));
    return rows;
}

/* null: it has no level. */
static json_t *calibrated_to_json(const struct levels *levels)
{
    return levels->all ? json_boolean(levels->calibrated == levels->all) : json_null();
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
    return json_string(unix_time_iso(time_ns, time));
}

json_t *report_to_json(const struct measure_snapshot *s, const struct measure_report *r)
{
    struct levels levels = {0};
    char detector[DETECTOR_TEXT];
    json_t *values = values_to_json(s, r, &levels), *rows = rows_to_json(s, r, &levels);
    return json_pack(
        "{so so ss ss ss ss so so sb sb so so so so so so}", "time", time_to_json(s->time_ns),
        "line", count_to_json(s->line), "name", r->name, "type", r->ops->name, "detector",
        detector_text(r->detector.index, r->detector.percent, detector), "trace",
        trace_function_name(r->function), "trace_lines", count_to_json(r->lines), "vbw_hz",
        number_to_json(s->rate_assumed ? NAN : r->vbw_hz), "rate_assumed", s->rate_assumed,
        "simulated", s->simulated, "reason", r->reason[0] ? text_to_json(r->reason) : json_null(),
        "note", r->note[0] ? text_to_json(r->note) : json_null(), "verdict",
        verdict_to_json(r->verdict), "calibrated", calibrated_to_json(&levels), "values", values,
        "rows", rows);
}

json_t *setup_to_json(const struct measure_setup *setup)
{
    char detector[DETECTOR_TEXT];
    return json_pack("{sn sn ss ss ss ss si sn sn sn ss sn sn sn so so}", "time", "line", "name",
                     setup->text.name, "type", setup->ops->name, "detector",
                     detector_text(setup->detector.index, setup->detector.percent, detector),
                     "trace", trace_function_name(setup->trace), "trace_lines", 0, "vbw_hz",
                     "rate_assumed", "simulated", "reason", "no line has been measured yet", "note",
                     "verdict", "calibrated", "values", json_object(), "rows", json_array());
}

void snapshot_add_rows(struct text *out, const struct measure_snapshot *s)
{
    for (size_t i = 0; i < s->count; i++) {
        json_t *object = report_to_json(s, &s->report[i]);
        char *text = json_text(object, JSON_COMPACT);
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

static const char *unit_text(enum measure_unit unit, const struct measure_shown *shown)
{
    static const char *const units[] = {
        [MEASURE_DBFS] = " dBFS", [MEASURE_DBFS_HZ] = " dBFS/Hz", [MEASURE_DB] = " dB",
        [MEASURE_HZ] = " Hz",     [MEASURE_PERCENT] = " %",       [MEASURE_SECONDS] = " s",
        [MEASURE_COUNT] = "",
    };
    if (shown->microvolts)
        return unit == MEASURE_DBFS ? " dBuV" : " dBuV/Hz";
    if (shown->calibrated)
        return unit == MEASURE_DBFS ? " dBm" : " dBm/Hz";
    return units[unit];
}

static void add_value(struct text *out, const struct measure_snapshot *s, enum measure_unit unit,
                      double value, double at_hz)
{
    const struct measure_shown shown = measure_show(s, unit, value, at_hz);
    const char *text = unit_text(unit, &shown);
    if (!isfinite(shown.value))
        text_add(out, "unknown");
    else if (has_decimals(unit))
        text_add(out, "%.2f%s", shown.value, text);
    else if (unit == MEASURE_HZ)
        add_hz(out, shown.value);
    else
        text_add(out, "%.6g%s", shown.value, text);
}

/* The first rows, without columns that are unknown. */
static void add_text_rows(struct text *out, const struct measure_snapshot *s,
                          const struct measure_report *r)
{
    const unsigned shown = r->rows < TEXT_ROWS ? r->rows : TEXT_ROWS;
    for (unsigned row = 0; row < shown; row++) {
        const double *cell = r->cell + (size_t)row * r->columns;
        const char *separator = row > 0 || r->values > 0 ? "; " : "";
        for (unsigned c = 0; c < r->columns; c++) {
            if (!isfinite(cell[c]))
                continue;
            text_add(out, "%s%s ", separator, r->column[c].name);
            add_value(out, s, r->column[c].unit, cell[c], cell[r->hz_column]);
            separator = ", ";
        }
    }
    if (r->rows > shown)
        text_add(out, "; and %u more", r->rows - shown);
}

void report_add_text(struct text *out, const struct measure_snapshot *s,
                     const struct measure_report *r)
{
    text_add(out, "%s (%s): ", r->name, r->ops->name);
    if (r->reason[0]) {
        text_add(out, "%s", r->reason);
        return;
    }
    if (r->verdict != MEASURE_NO_LIMIT)
        text_add(out, "%s%s", r->verdict == MEASURE_PASS ? "pass" : "FAIL", r->values ? "; " : "");
    for (unsigned i = 0; i < r->values; i++) {
        const struct measure_value *v = &r->value[i];
        text_add(out, "%s%s ", i > 0 ? ", " : "", v->name);
        add_value(out, s, v->unit, v->value, v->at_hz);
    }
    add_text_rows(out, s, r);
    if (r->note[0])
        text_add(out, " (%s)", r->note);
}
