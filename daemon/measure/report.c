/* report.c - copies results, and counts their users. */
#include "daemon/measure/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/near_name.h"

struct measure_snapshot *measure_snapshot_create(const struct line *line, size_t count,
                                                 struct calibration_table *table)
{
    struct measure_snapshot *s = calloc(1, sizeof *s + count * sizeof s->report[0]);
    if (!s)
        return NULL;
    atomic_init(&s->refs, 1);
    s->line = line->number;
    s->time_ns = line->time_ns;
    s->rate_assumed = line->rate_assumed;
    s->simulated = line->simulated;
    s->radio = calibration_radio_of(calibration_table_ref(table), line);
    s->count = count;
    return s;
}

struct measure_snapshot *measure_snapshot_ref(struct measure_snapshot *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void measure_snapshot_unref(struct measure_snapshot *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->report[i].cell);
    calibration_table_unref(s->radio.table);
    free(s);
}

const struct measure_report *measure_snapshot_find(const struct measure_snapshot *s, uint32_t owner,
                                                   const char *name)
{
    for (size_t i = 0; s && i < s->count; i++)
        if (s->report[i].owner == owner && strcmp(s->report[i].name, name) == 0)
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
    memcpy(r->note, result->note, sizeof r->note);
    r->verdict = result->verdict;
    r->values = result->values;
    memcpy(r->value, result->value, sizeof r->value);
    copy_table(r, &result->table);
}

void measure_report_copy(struct measure_report *r, const struct measure_report *from)
{
    const size_t bytes = (size_t)from->rows * from->columns * sizeof *from->cell;
    *r = *from;
    r->cell = bytes ? malloc(bytes) : NULL;
    if (r->cell)
        memcpy(r->cell, from->cell, bytes);
    else
        r->rows = 0;
}

struct measure_shown measure_show(const struct measure_snapshot *s, enum measure_unit unit,
                                  double value, double at_hz)
{
    const bool level = unit == MEASURE_DBFS || unit == MEASURE_DBFS_HZ;
    if (s->rate_assumed && (unit == MEASURE_HZ || unit == MEASURE_DBFS_HZ))
        return (struct measure_shown){.value = NAN, .level = level};
    const double shift_db = level ? calibration_radio_shift_db(&s->radio, at_hz) : (double)NAN;
    if (isnan(shift_db))
        return (struct measure_shown){.value = value, .level = level};
    return (struct measure_shown){.value = value + shift_db,
                                  .level = true,
                                  .calibrated = true,
                                  .microvolts = s->radio.table->unit == LEVEL_DBUV};
}

const char *measure_shown_unit(const struct measure_shown *shown, enum measure_unit unit)
{
    if (!shown->calibrated)
        return measure_unit_name(unit);
    if (shown->microvolts)
        return unit == MEASURE_DBFS ? "dbuv" : "dbuv_hz";
    return unit == MEASURE_DBFS ? "dbm" : "dbm_hz";
}

/* Levels may be calibrated, or relative to a reference. */
static bool is_written_in(const char *unit, enum measure_unit own)
{
    static const struct measure_shown forms[] = {
        {.calibrated = false}, {.calibrated = true}, {.calibrated = true, .microvolts = true}};
    const bool level = own == MEASURE_DBFS || own == MEASURE_DBFS_HZ;
    bool is = level && strcmp(unit, measure_unit_name(MEASURE_DB)) == 0;
    for (size_t i = 0; i < (level ? sizeof forms / sizeof forms[0] : 1) && !is; i++)
        is = strcmp(unit, measure_shown_unit(&forms[i], own)) == 0;
    return is;
}

bool measure_may_give(const struct measure_ops *ops, const void *state, const char *name,
                      struct near_name *near)
{
    for (const struct measure_name *v = ops->values; v->name; v++) {
        const size_t length = strlen(v->name);
        if (!measure_gives(ops, state, v->name))
            continue;
        if (strncmp(name, v->name, length) == 0 &&
            (!name[length] || (name[length] == '_' && is_written_in(name + length + 1, v->unit))))
            return true;
        near_name_offer(near, v->name);
    }
    return false;
}
