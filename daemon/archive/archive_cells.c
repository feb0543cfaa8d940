/* archive_cells.c - the cells that a row of the archive is in, and what it adds to them. */
#include "daemon/archive/archive_cells.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/reduce.h"

enum { MEAN, MAX, MIN };

int archive_cells_init(struct archive_cells *p)
{
    struct archive_picture *out = &p->out;
    const size_t cells = (size_t)out->rows * out->columns;
    out->level = malloc(cells * sizeof *out->level);
    out->breaks = calloc(out->rows, sizeof *out->breaks);
    out->lost = calloc(out->rows, sizeof *out->lost);
    p->weight = calloc(cells, sizeof *p->weight);
    p->stored = malloc(ARCHIVE_COLUMNS * sizeof *p->stored);
    p->fold = malloc(ARCHIVE_COLUMNS * sizeof *p->fold);
    p->row = malloc(out->columns * sizeof *p->row);
    p->range = malloc(out->columns * sizeof *p->range);
    for (size_t i = 0; out->level && i < cells; i++)
        out->level[i] = NAN;
    return out->level && out->breaks && out->lost && p->weight && p->stored && p->fold && p->row &&
                   p->range
               ? 0
               : -ENOMEM;
}

void archive_cells_finish(struct archive_cells *p)
{
    free(p->weight);
    free(p->stored);
    free(p->fold);
    free(p->row);
    free(p->range);
}

/* ---- frequency -------------------------------------------------------------------------- */

static uint32_t limit(double at, uint32_t columns)
{
    return at <= 0 ? 0 : at >= columns ? columns : (uint32_t)at;
}

/* Which stored columns reach into each column. An edge that rounding moves adds no column. */
static void map_columns(struct archive_cells *p, const struct archive_layout *l)
{
    const double tolerance = 1e-6;
    for (uint32_t c = 0; c < p->out.columns; c++) {
        const double low = p->out.low_hz + c * p->out.column_hz;
        const double from = (low - l->low_hz) / l->column_hz;
        const double to = (low + p->out.column_hz - l->low_hz) / l->column_hz;
        p->range[c][0] = limit(floor(from + tolerance), l->columns);
        p->range[c][1] = limit(ceil(to - tolerance), l->columns);
    }
}

/* From stored columns to those of the picture. */
static void reduce_fold(struct archive_cells *p)
{
    for (uint32_t c = 0; c < p->out.columns; c++) {
        const uint32_t from = p->range[c][0], to = p->range[c][1];
        p->row[c] = from < to ? archive_reduce(p->out.detector, p->fold + from, to - from) : NAN;
    }
}

/* ---- time ------------------------------------------------------------------------------- */

/* Adds the stored row to those of the same cell, before columns are combined. */
static void add_to_fold(struct archive_cells *p, uint32_t columns, float frames)
{
    float *fold = p->fold;
    const float *row = p->stored;
    const float share = frames / (p->frames + frames);
    if (!(p->frames > 0)) {
        memcpy(fold, row, columns * sizeof *fold);
    } else if (p->out.detector == MEAN) {
        for (uint32_t c = 0; c < columns; c++)
            fold[c] += (row[c] - fold[c]) * share;
    } else if (p->out.detector == MAX) {
        for (uint32_t c = 0; c < columns; c++)
            fold[c] = row[c] > fold[c] ? row[c] : fold[c];
    } else {
        for (uint32_t c = 0; c < columns; c++)
            fold[c] = row[c] < fold[c] ? row[c] : fold[c];
    }
    p->frames += frames;
}

static void add_mean(float *level, float *weight, const float *row, uint32_t count, float frames)
{
    for (uint32_t c = 0; c < count; c++) {
        if (isnan(row[c]))
            continue;
        weight[c] += frames;
        level[c] = isnan(level[c]) ? row[c] : level[c] + (row[c] - level[c]) * frames / weight[c];
    }
}

/* NAN is nothing: any level replaces it, and it replaces none. */
static void add_max(float *level, const float *row, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        level[c] = level[c] >= row[c] || isnan(row[c]) ? level[c] : row[c];
}

static void add_min(float *level, const float *row, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        level[c] = level[c] <= row[c] || isnan(row[c]) ? level[c] : row[c];
}

static void add_to_cell(struct archive_cells *p, uint32_t cell)
{
    const size_t at = (size_t)cell * p->out.columns;
    float *level = p->out.level + at;
    if (p->out.detector == MEAN)
        add_mean(level, p->weight + at, p->row, p->out.columns, p->frames);
    else if (p->out.detector == MAX)
        add_max(level, p->row, p->out.columns);
    else
        add_min(level, p->row, p->out.columns);
}

/* The rows that were folded are in cells first .. last. */
struct cell_range {
    uint32_t first, last;
};

static void end_fold(struct archive_cells *p, struct cell_range cells)
{
    if (!(p->frames > 0))
        return;
    reduce_fold(p);
    for (uint32_t cell = cells.first; cell <= cells.last; cell++)
        add_to_cell(p, cell);
    p->frames = 0;
}

static void add_facts(struct archive_cells *p, uint32_t cell, const struct archive_row *row)
{
    p->out.breaks[cell] |= (uint8_t)row->breaks;
    p->out.lost[cell] += row->lost;
}

/*
 * A row belongs to its period, although its last frame may reach into the next one. Of a tier that
 * is coarser than the cells, it is in all cells of its time.
 */
static bool find_cells(const struct archive_cells *p, const struct archive_row *row,
                       uint64_t period_ns, int64_t from_ns, int64_t to_ns, struct cell_range *cells)
{
    const int64_t period = (int64_t)period_ns;
    const int64_t slot = archive_slot(row->time_ns, period);
    int64_t end = row->time_ns + row->duration_ns;
    if (end > (slot + 1) * period && row->duration_ns < 2 * period)
        end = (slot + 1) * period;
    const int64_t from = row->time_ns > from_ns ? row->time_ns : from_ns;
    const int64_t last = (end < to_ns ? end : to_ns) - 1;
    if (last < from || last < p->out.start_ns)
        return false;
    const int64_t first = from > p->out.start_ns ? from - p->out.start_ns : 0;
    const uint64_t a = (uint64_t)(first / p->out.row_ns);
    const uint64_t b = (uint64_t)((last - p->out.start_ns) / p->out.row_ns);
    cells->first = (uint32_t)(a < p->out.rows ? a : p->out.rows);
    cells->last = (uint32_t)(b < p->out.rows ? b : p->out.rows - 1);
    return cells->first <= cells->last;
}

int archive_cells_add(struct archive_cells *p, struct block_reader *block, int64_t from_ns,
                      int64_t to_ns)
{
    const struct block_levels levels = {.mean_power = p->out.detector == MEAN ? p->stored : NULL,
                                        .max_db = p->out.detector == MAX ? p->stored : NULL,
                                        .min_db = p->out.detector == MIN ? p->stored : NULL};
    if (!(block->head.layout.detectors & 1U << p->out.detector))
        return 0;
    map_columns(p, &block->head.layout);
    struct cell_range now = {0, 0};
    for (uint32_t i = 0; i < block->head.rows; i++) {
        const struct archive_row *row = &block->row[i];
        struct cell_range cells;
        if (block_next_row(block, &levels) < 0)
            break;
        if (!find_cells(p, row, block->head.period_ns, from_ns, to_ns, &cells))
            continue;
        if (cells.first != now.first || cells.last != now.last)
            end_fold(p, now);
        now = cells;
        add_to_fold(p, block->head.layout.columns, (float)row->frames);
        for (uint32_t cell = cells.first; cell <= cells.last; cell++)
            add_facts(p, cell, row);
    }
    end_fold(p, now);
    return 0;
}

void archive_cells_complete(struct archive_cells *p, struct archive_picture *out)
{
    const size_t cells = (size_t)p->out.rows * p->out.columns;
    for (size_t i = 0; p->out.detector == MEAN && i < cells; i++)
        p->out.level[i] = 10 * log10f(p->out.level[i]);
    *out = p->out;
    p->out = (struct archive_picture){0};
}
