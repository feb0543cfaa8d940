/* history_read.c - finds the rows that a query asks for, and reduces them to its columns. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/line/history/history_grid.h"
#include "daemon/line/history/history_store.h"

struct reading {
    const struct history *h;
    const struct history_query *query;
    struct history_result *out;
    size_t room; /* of out->levels */
    uint64_t before;
    bool full;
    int err;
    /* Rows of `query->lines` lines that are being combined; row.lines 0: none. */
    struct history_row group;
    struct history_grid grid;
    float *power; /* [query->columns] */
};

static void reduce(const struct history_grid *g, const uint8_t *levels, uint8_t *into)
{
    uint32_t at = 0;
    levels += g->first;
    for (uint32_t i = 0; i < g->columns; i++) {
        const uint32_t end = history_grid_start(g, i + 1);
        uint8_t max = 0;
        for (; at < end; at++)
            max = levels[at] > max ? levels[at] : max;
        into[i] = max;
    }
}

/* ---- the result ------------------------------------------------------------------------- */

/* Room for a row's levels; NULL: the result is full, or there is no memory. */
static uint8_t *add_line(struct reading *r, const struct history_row *row,
                         const struct history_grid *g)
{
    struct history_result *out = r->out;
    const size_t need = out->level_count + g->columns;
    if (out->rows == r->query->rows || need > r->query->levels) {
        r->full = true;
        return NULL;
    }
    if (need > r->room) {
        const size_t doubled = 2 * r->room > need ? 2 * r->room : need;
        const size_t room = doubled < r->query->levels ? doubled : r->query->levels;
        uint8_t *grown = realloc(out->levels, room);
        if (!grown) {
            r->err = -ENOMEM;
            return NULL;
        }
        out->levels = grown;
        r->room = room;
    }
    struct history_line *line = &out->line[out->rows++];
    *line = (struct history_line){.row = *row, .finest = g->columns == g->bins};
    line->row.columns = g->columns;
    line->row.low_hz = g->low_hz;
    line->row.column_hz = g->column_hz;
    uint8_t *levels = out->levels + out->level_count;
    out->level_count = need;
    return levels;
}

static void end_group(struct reading *r)
{
    const unsigned d = r->query->detector;
    if (r->group.lines == 0)
        return;
    uint8_t *levels = add_line(r, &r->group, &r->grid);
    if (levels) {
        struct history_row *row = &r->out->line[r->out->rows - 1].row;
        levels_quantise(r->power, r->grid.columns, levels, &row->offset_db[d], &row->step_db[d]);
    }
    r->group.lines = 0;
}

static bool continues_group(const struct reading *r, const struct history_row *row,
                            const struct history_grid *g)
{
    const struct history_row *group = &r->group;
    return group->lines > 0 && group->line / r->query->lines == row->line / r->query->lines &&
           r->grid.first == g->first && r->grid.bins == g->bins && r->grid.columns == g->columns &&
           !(fabs(r->grid.low_hz - g->low_hz) > 0) && !(fabs(r->grid.column_hz - g->column_hz) > 0);
}

/* Adds the row before the group's. */
static void add_to_group(struct reading *r, const struct history_row *row, const uint8_t *levels)
{
    float power[256];
    struct history_row *group = &r->group;
    const unsigned d = r->query->detector;
    const float share = (float)row->frames / (float)(row->frames + group->frames);
    levels_to_power(row->offset_db[d], row->step_db[d], power);
    for (uint32_t i = 0; i < r->grid.columns; i++) {
        const float p = power[levels[i]];
        float *into = &r->power[i];
        if (d == 0)
            *into += (p - *into) * share;
        else
            *into = (d == 1) == (p > *into) ? p : *into;
    }
    group->first_line = row->first_line;
    group->time_ns = row->time_ns;
    group->lines += row->lines;
    group->frames += row->frames;
    group->lost += row->lost;
    group->breaks |= row->breaks;
}

static void begin_group(struct reading *r, const struct history_row *row,
                        const struct history_grid *g, const uint8_t *levels)
{
    float power[256];
    const unsigned d = r->query->detector;
    levels_to_power(row->offset_db[d], row->step_db[d], power);
    for (uint32_t i = 0; i < g->columns; i++)
        r->power[i] = power[levels[i]];
    r->group = *row;
    r->grid = *g;
}

static void take_record(struct reading *r, const struct record *record)
{
    const struct history_row *row = &record->row;
    const struct history_grid g = history_grid_make(r->query, row);
    const uint8_t *stored = record_levels(record, r->query->detector);
    if (r->query->lines <= 1) {
        uint8_t *levels = add_line(r, row, &g);
        if (levels)
            reduce(&g, stored, levels);
        return;
    }
    uint8_t levels[HISTORY_QUERY_COLUMNS];
    reduce(&g, stored, levels);
    if (!continues_group(r, row, &g)) {
        end_group(r);
        begin_group(r, row, &g, levels);
    } else {
        add_to_group(r, row, levels);
    }
}

/* ---- the rows --------------------------------------------------------------------------- */

/*
 * Rows of tier k that begin before this line are left to the next tier. So rows of two tiers do not
 * overlap: where a tier ends within a row of the next one, that row is taken.
 */
static uint64_t find_border(const struct history *h, int k, uint32_t lines)
{
    const struct record *oldest = tier_oldest(&h->tier[k]);
    if (k + 1 == HISTORY_TIERS || !oldest)
        return oldest ? 0 : UINT64_MAX;
    const struct tier *next = &h->tier[k + 1];
    const struct record *r = tier_newest(next);
    uint64_t fold = 1;
    for (int i = 0; i <= k; i++)
        fold *= HISTORY_FOLD;
    if (r && fold <= lines)
        return r->row.line + 1;
    const uint64_t first = oldest->row.first_line;
    while (r && r->row.first_line > first)
        r = tier_before(next, r);
    if (!r || r->row.line < first || r->row.first_line == first)
        return first;
    return r->row.line + 1;
}

static bool is_done(const struct reading *r)
{
    return r->full || r->err < 0;
}

static void read_tier(struct reading *r, int k)
{
    const struct history_query *q = r->query;
    const struct tier *t = &r->h->tier[k];
    const uint64_t border = find_border(r->h, k, q->lines);
    for (const struct record *at = tier_newest(t); at && !is_done(r); at = tier_before(t, at)) {
        const struct history_row *row = &at->row;
        if (row->first_line < border)
            return;
        if (row->first_line >= r->before || row->time_ns >= q->to_ns)
            continue;
        if (row->time_ns < q->from_ns) {
            r->full = true;
            return;
        }
        r->before = row->first_line;
        if (row->detectors & 1U << q->detector)
            take_record(r, at);
    }
}

static void place_levels(struct history_result *r)
{
    const uint8_t *at = r->levels;
    for (uint32_t i = 0; r->line && i < r->rows; i++) {
        r->line[i].levels = at;
        at += r->line[i].row.columns;
    }
}

int history_result_join(struct history_result *r, struct history_result *older)
{
    if (older->rows > 0) {
        const uint32_t rows = r->rows + older->rows;
        struct history_line *line = realloc(r->line, rows * sizeof *line);
        r->line = line ? line : r->line;
        uint8_t *levels = realloc(r->levels, r->level_count + older->level_count);
        r->levels = levels ? levels : r->levels;
        if (!line || !levels) {
            place_levels(r);
            return -ENOMEM;
        }
        memcpy(line + r->rows, older->line, older->rows * sizeof *line);
        memcpy(levels + r->level_count, older->levels, older->level_count);
        r->rows = rows;
        r->level_count += older->level_count;
        place_levels(r);
    }
    r->oldest = older->oldest;
    history_result_finish(older);
    return 0;
}

int history_read(struct history *h, const struct history_query *query, struct history_result *out)
{
    struct reading r = {.h = h, .query = query, .out = out, .before = query->before};
    *out =
        (struct history_result){.line = calloc(query->rows ? query->rows : 1, sizeof *out->line)};
    r.power = malloc((query->columns ? query->columns : 1) * sizeof *r.power);
    r.err = out->line && r.power && query->columns <= HISTORY_QUERY_COLUMNS ? 0 : -ENOMEM;
    uv_mutex_lock(&h->lock);
    for (int k = 0; k < HISTORY_TIERS && !is_done(&r); k++)
        read_tier(&r, k);
    if (!is_done(&r))
        end_group(&r);
    uv_mutex_unlock(&h->lock);
    out->oldest = !r.full;
    place_levels(out);
    free(r.power);
    if (r.err < 0)
        history_result_finish(out);
    return r.err;
}

void history_result_finish(struct history_result *r)
{
    free(r->line);
    free(r->levels);
    *r = (struct history_result){0};
}
