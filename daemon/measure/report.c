/* report.c - copies results, and counts who holds them. */
#include "daemon/measure/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct measure_snapshot *measure_snapshot_create(const struct line *line, size_t count,
                                                 struct calibration_table *table)
{
    struct measure_snapshot *s = calloc(1, sizeof *s + count * sizeof s->report[0]);
    if (!s)
        return NULL;
    atomic_init(&s->holders, 1);
    s->line = line->number;
    s->time_ns = line->time_ns;
    s->rate_assumed = line->rate_assumed;
    s->simulated = line->simulated;
    s->radio = calibration_radio_of(calibration_table_hold(table), line);
    s->count = count;
    return s;
}

struct measure_snapshot *measure_snapshot_hold(struct measure_snapshot *s)
{
    if (s)
        atomic_fetch_add(&s->holders, 1);
    return s;
}

void measure_snapshot_drop(struct measure_snapshot *s)
{
    if (!s || atomic_fetch_sub(&s->holders, 1) != 1)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->report[i].cell);
    calibration_table_drop(s->radio.table);
    free(s);
}

const struct measure_report *measure_snapshot_find(const struct measure_snapshot *s,
                                                   const char *name)
{
    for (size_t i = 0; s && i < s->count; i++)
        if (strcmp(s->report[i].name, name) == 0)
            return &s->report[i];
    return NULL;
}

static void copy_table(struct measure_report *r, const struct measure_table *t)
{
    const size_t bytes = (size_t)t->rows * t->columns * sizeof *r->cell;
    r->columns = t->columns;
    r->hz_column = t->hz_column;
    for (unsigned c = 0; c < t->columns; c++) {
        r->column[c].name = t->column[c].name;
        r->column[c].unit = t->column[c].unit;
    }
    r->cell = bytes ? malloc(bytes) : NULL;
    r->rows = r->cell ? t->rows : 0;
    for (unsigned row = 0; row < r->rows; row++)
        memcpy(r->cell + (size_t)row * t->columns, t->cell[row], t->columns * sizeof *r->cell);
}

void measure_report_set(struct measure_report *r, const struct measure_result *result)
{
    memcpy(r->reason, result->reason, sizeof r->reason);
    r->verdict = result->verdict;
    r->values = result->values;
    memcpy(r->value, result->value, sizeof r->value);
    copy_table(r, &result->table);
}

struct measure_shown measure_show(const struct measure_snapshot *s, enum measure_unit unit,
                                  double value, double at_hz)
{
    const bool level = unit == MEASURE_DBFS || unit == MEASURE_DBFS_HZ;
    if (s->rate_assumed && (unit == MEASURE_HZ || unit == MEASURE_DBFS_HZ))
        return (struct measure_shown){NAN, level, false};
    const double offset_db = level ? calibration_radio_offset_db(&s->radio, at_hz) : (double)NAN;
    if (isnan(offset_db))
        return (struct measure_shown){value, level, false};
    return (struct measure_shown){value + offset_db, true, true};
}

const char *measure_shown_unit(const struct measure_shown *shown, enum measure_unit unit)
{
    if (!shown->calibrated)
        return measure_unit_name(unit);
    return unit == MEASURE_DBFS ? "dbm" : "dbm_hz";
}
