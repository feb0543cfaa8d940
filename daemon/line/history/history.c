/* history.c - turns lines into rows, passes rows from tier to tier, and finds those of a query. */
#include "daemon/line/history/history.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/line/history/history_grid.h"
#include "daemon/line/history/history_levels.h"
#include "daemon/line/history/history_tier.h"
#include "daemon/system/memory_block.h"

/* Protected by its lock. */
struct history {
    uv_mutex_t lock;
    size_t bytes;
    uint32_t columns_max;
    uint8_t *memory;
    struct tier tier[HISTORY_TIERS];
    struct fold line; /* the newest line, as columns */
    uint64_t lines;
    /* of the line before; window "": there was none */
    struct tuning tuning;
    struct ledger ledger;
    int64_t time_ns;
    uint32_t n, hop;
    char window[32];
};

enum {
    COLUMNS_MIN = 1024,         /* however small the memory is */
    ROWS_MIN = 256,             /* of tier 0, unless that leaves fewer columns */
    SHARES = HISTORY_TIERS + 1, /* of the memory: tier 0 has two */
    FOLDS = HISTORY_TIERS       /* of the tiers but the first, and of the newest line */
};

/* ---- memory ----------------------------------------------------------------------------- */

static size_t fold_bytes(uint32_t columns)
{
    return HISTORY_DETECTORS * sizeof(float) * columns;
}

static uint8_t *give_fold(struct fold *f, uint8_t *memory, uint32_t columns)
{
    for (int d = 0; d < HISTORY_DETECTORS; d++) {
        f->power[d] = (float *)(void *)memory;
        memory += columns * sizeof(float);
    }
    return memory;
}

static void divide_memory(struct history *h, size_t bytes)
{
    uint8_t *at = give_fold(&h->line, h->memory, h->columns_max);
    for (int i = 1; i < HISTORY_TIERS; i++)
        at = give_fold(&h->tier[i].fold, at, h->columns_max);
    const size_t share = (bytes - FOLDS * fold_bytes(h->columns_max)) / SHARES / 8 * 8;
    for (int i = 0; i < HISTORY_TIERS; i++) {
        h->tier[i].memory = at;
        h->tier[i].capacity = i == 0 ? 2 * share : share;
        at += h->tier[i].capacity;
    }
}

int history_create(struct history **out, size_t bytes)
{
    struct history *h = calloc(1, sizeof *h);
    *out = NULL;
    bytes = bytes < HISTORY_BYTES_MIN ? HISTORY_BYTES_MIN : bytes;
    const size_t rows = bytes - sizeof *h;
    if (!h)
        return -ENOMEM;
    const size_t columns = rows * 2 / SHARES / ((size_t)ROWS_MIN * HISTORY_DETECTORS) / 2 * 2;
    h->bytes = bytes;
    h->columns_max = columns < COLUMNS_MIN      ? COLUMNS_MIN
                     : columns < UINT32_MAX / 2 ? (uint32_t)columns
                                                : UINT32_MAX / 2;
    h->memory = block_take(rows, rows); /* it grows by pages that are first written */
    if (!h->memory || uv_mutex_init(&h->lock) < 0) {
        free(h->memory);
        free(h);
        return -ENOMEM;
    }
    divide_memory(h, rows);
    *out = h;
    return 0;
}

void history_destroy(struct history *h)
{
    if (!h)
        return;
    uv_mutex_destroy(&h->lock);
    free(h->memory);
    free(h);
}

/* ---- from a line to a row --------------------------------------------------------------- */

static uint8_t find_breaks(const struct history *h, const struct line *line, uint64_t *lost)
{
    uint8_t breaks = 0;
    *lost = 0;
    if (!h->window[0])
        return 0;
    *lost = ledger_faults(&line->ledger) - ledger_faults(&h->ledger);
    if (*lost > 0)
        breaks |= HISTORY_LOSS;
    if (!tuning_equal(&line->tuning, &h->tuning) ||
        line->ledger.lost[LOSS_RETUNE] != h->ledger.lost[LOSS_RETUNE])
        breaks |= HISTORY_RETUNE;
    if (line->n != h->n || line->hop != h->hop || strcmp(line->window, h->window) != 0)
        breaks |= HISTORY_PLAN;
    if (line->gap_before && line->time_ns < h->time_ns)
        breaks |= HISTORY_LOOP;
    if (line->gap_before && breaks == 0)
        breaks = HISTORY_RESTART;
    return breaks;
}

static void remember(struct history *h, const struct line *line)
{
    h->tuning = line->tuning;
    h->ledger = line->ledger;
    h->time_ns = line->time_ns;
    h->n = line->n;
    h->hop = line->hop;
    memcpy(h->window, line->window, sizeof h->window);
}

static void take_line(struct history *h, const struct line *line, bool missed)
{
    struct history_row *row = &h->line.row;
    const double bin_hz = line_bin_hz(line);
    uint32_t bins = 1;
    while ((line->n + bins - 1) / bins > h->columns_max)
        bins *= 2;
    *row = (struct history_row){.first_line = line->number,
                                .line = line->number,
                                .lines = 1,
                                .frames = line->frames ? line->frames : 1,
                                .time_ns = line->time_ns,
                                .low_hz = line_low_hz(line) - bin_hz / 2,
                                .column_hz = bin_hz * bins,
                                .columns = (line->n + bins - 1) / bins,
                                .bins = bins,
                                .gain_db = line->gain_db,
                                .detectors = line->detectors & ((1U << HISTORY_DETECTORS) - 1),
                                .rate_assumed = line->rate_assumed};
    row->breaks = find_breaks(h, line, &row->lost);
    row->breaks |= missed ? HISTORY_MISSED : 0;
    for (unsigned d = 0; d < HISTORY_DETECTORS; d++) {
        if (line->detector[d])
            levels_reduce(line->detector[d], line->n, bins, h->line.power[d]);
    }
}

/* ---- from tier to tier ------------------------------------------------------------------ */

/* Stores what a tier has folded, and folds it into the next tier. */
static void end_fold(struct history *h, int tier)
{
    struct tier *t = &h->tier[tier];
    if (t->folded == 0)
        return;
    tier_push(t, &t->fold);
    t->folded = 0;
    if (tier + 1 < HISTORY_TIERS) {
        fold_add(&h->tier[tier + 1].fold, &t->fold);
        h->tier[tier + 1].folded++;
    }
    t->fold.row.lines = 0;
}

/* A row that does not fit the folds ends them all: they have the same frequencies and settings. */
static void end_folds_before(struct history *h, const struct history_row *row)
{
    bool fits = true;
    for (int i = 1; i < HISTORY_TIERS; i++)
        fits = fits && (h->tier[i].folded == 0 || fold_fits(&h->tier[i].fold, row));
    for (int i = 1; !fits && i < HISTORY_TIERS; i++)
        end_fold(h, i);
}

void history_add(struct history *h, const struct line *line, bool missed)
{
    uv_mutex_lock(&h->lock);
    take_line(h, line, missed);
    remember(h, line);
    h->lines++;
    tier_push(&h->tier[0], &h->line);
    end_folds_before(h, &h->line.row);
    fold_add(&h->tier[1].fold, &h->line);
    h->tier[1].folded++;
    for (int i = 1; i < HISTORY_TIERS && h->tier[i].folded == HISTORY_FOLD; i++)
        end_fold(h, i);
    uv_mutex_unlock(&h->lock);
}

void history_state(struct history *h, struct history_state *out)
{
    uv_mutex_lock(&h->lock);
    *out = (struct history_state){.bytes = h->bytes, .lines = h->lines};
    for (int i = 0; i < HISTORY_TIERS; i++) {
        const struct record *oldest = tier_oldest(&h->tier[i]);
        out->rows += h->tier[i].count;
        if (oldest)
            out->oldest_ns = oldest->row.time_ns;
    }
    uv_mutex_unlock(&h->lock);
}

struct reading {
    const struct history *h;
    const struct history_query *query;
    struct history_result *out;
    size_t capacity; /* of out->levels */
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
    if (need > r->capacity) {
        const size_t doubled = 2 * r->capacity > need ? 2 * r->capacity : need;
        const size_t capacity = doubled < r->query->levels ? doubled : r->query->levels;
        uint8_t *grown = realloc(out->levels, capacity);
        if (!grown) {
            r->err = -ENOMEM;
            return NULL;
        }
        out->levels = grown;
        r->capacity = capacity;
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
