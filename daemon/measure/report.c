/* report.c - copies results, and counts who holds them. */
#include "daemon/measure/report.h"

#include <stdlib.h>
#include <string.h>

struct measure_snapshot *measure_snapshot_create(const struct line *line, size_t count)
{
    struct measure_snapshot *s = calloc(1, sizeof *s + count * sizeof s->report[0]);
    if (!s)
        return NULL;
    atomic_init(&s->holders, 1);
    s->line = line->number;
    s->time_ns = line->time_ns;
    s->rate_assumed = line->rate_assumed;
    s->simulated = line->simulated;
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
