/* history.c - turns lines into rows, and passes rows from tier to tier. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/line/history/history_store.h"
#include "daemon/system/memory_block.h"

enum {
    COLUMNS_MIN = 1024,         /* however small the memory is */
    ROWS_MIN = 256,             /* of tier 0, unless that leaves fewer columns */
    SHARES = HISTORY_TIERS + 1, /* of the memory: tier 0 has two */
    FOLDS = HISTORY_TIERS       /* of the tiers but the first, and of the newest line */
};

/* ---- memory ----------------------------------------------------------------------------- */

uint32_t history_columns_max(const struct history *h)
{
    return h->columns_max;
}

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
        h->tier[i].room = i == 0 ? 2 * share : share;
        at += h->tier[i].room;
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
