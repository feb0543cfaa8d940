/* figure_report.c - figures as JSON and as metrics. */
#include "daemon/figure/figure_report.h"

#include <assert.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/unix_time.h"

/* ---- values ------------------------------------------------------------------------------ */

static const void *member_of(const struct figure *row, const void *of)
{
    return (const char *)of + row->at;
}

static uint64_t count_at(const struct figure *row, const void *at)
{
    uint32_t narrow;
    uint64_t wide;
    assert(row->size == sizeof narrow || row->size == sizeof wide);
    if (row->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

static double number_of(const struct figure *row, const void *at)
{
    switch (row->kind) {
    case FIGURE_FLAG:
        return *(const bool *)at;
    case FIGURE_NUMBER:
        return *(const double *)at;
    case FIGURE_TEXT:
        return *(const char *)at != '\0';
    default:
        return (double)count_at(row, at);
    }
}

/* ---- JSON -------------------------------------------------------------------------------- */

static json_t *time_to_json(int64_t ns)
{
    char text[UNIX_TIME_TEXT] = "";
    if (ns != 0)
        unix_time_iso(ns, text);
    return json_string(text);
}

static json_t *parts_to_json(const struct figure *row, const uint64_t *values)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < row->parts; i++)
        json_object_set_new(object, row->name(i), count_to_json(values[i]));
    return object;
}

static json_t *value_to_json(const struct figure *row, const void *at)
{
    if (row->parts > 0)
        return parts_to_json(row, at);
    switch (row->kind) {
    case FIGURE_FLAG:
        return json_boolean(*(const bool *)at);
    case FIGURE_NUMBER:
        return number_to_json(*(const double *)at);
    case FIGURE_TEXT:
        return text_to_json(at);
    case FIGURE_TIME:
        return time_to_json(*(const int64_t *)at);
    default:
        return count_to_json(count_at(row, at));
    }
}

void figures_add_json(json_t *object, const struct figure *rows, const void *of)
{
    for (const struct figure *row = rows; row->key || row->metric; row++)
        if (row->key)
            json_object_set_new(object, row->key, value_to_json(row, member_of(row, of)));
}

json_t *figures_to_json(const struct figure *rows, const void *of)
{
    json_t *object = json_object();
    if (object)
        figures_add_json(object, rows, of);
    return object;
}

json_t *figures_to_json_if(bool on, const struct figure *rows, const void *of)
{
    return on ? figures_to_json(rows, of) : json_null();
}

/* ---- metrics ----------------------------------------------------------------------------- */

/* After the name and the labels. Counters are exact. */
static void write_value(FILE *f, const struct figure *row, const void *at)
{
    if (row->type == METRIC_COUNTER && row->kind == FIGURE_COUNT)
        fprintf(f, " %llu\n", (unsigned long long)count_at(row, at));
    else
        metric_value(f, number_of(row, at));
}

static void write_parts(const struct metric_writer *m, const struct figure *row,
                        const uint64_t *values)
{
    for (unsigned i = 0; i < row->parts; i++) {
        fprintf(m->f, "%s%s", row->metric, metric_suffix(row->type));
        metric_label(m->f, row->label, row->name(i), '{');
        fprintf(m->f, "} %llu\n", (unsigned long long)values[i]);
    }
}

static void write_family(const struct metric_writer *m, const struct figure *row, const void *of)
{
    metric_head(m, row->metric, row->type, row->help);
    if (row->parts > 0) {
        write_parts(m, row, member_of(row, of));
        return;
    }
    fprintf(m->f, "%s%s", row->metric, metric_suffix(row->type));
    write_value(m->f, row, member_of(row, of));
}

void figures_write(const struct metric_writer *m, const struct figure *rows, const void *of)
{
    for (const struct figure *row = rows; row->key || row->metric; row++)
        if (row->metric)
            write_family(m, row, of);
}

static void write_items(const struct metric_writer *m, const struct figure *row, const char *label,
                        const struct figure_item *items, size_t count)
{
    metric_head(m, row->metric, row->type, row->help);
    for (size_t i = 0; i < count; i++) {
        if (!items[i].name)
            continue;
        fprintf(m->f, "%s%s", row->metric, metric_suffix(row->type));
        metric_label(m->f, label, items[i].name, '{');
        fputc('}', m->f);
        write_value(m->f, row, member_of(row, items[i].of));
    }
}

void figures_write_items(const struct metric_writer *m, const struct figure *rows,
                         const char *label, const struct figure_item *items, size_t count)
{
    for (const struct figure *row = rows; row->key || row->metric; row++)
        if (row->metric)
            write_items(m, row, label, items, count);
}
