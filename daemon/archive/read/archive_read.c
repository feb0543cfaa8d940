/* archive_read.c - chooses tiers, and folds their rows into the cells of a picture. */
#include "daemon/archive/read/archive_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/reduce.h"
#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/archive/store/block.h"
#include "daemon/database/database.h"

struct cells {
    struct archive_picture out; /* its size is set, its arrays are not */
    float *weight;              /* [rows][columns] frames of a mean so far */
    float *stored;              /* [ARCHIVE_COLUMNS] of a block's row */
    float *fold, *row; /* [ARCHIVE_COLUMNS] of its rows in one cell, [columns] the same, reduced */
    float frames;      /* of `fold`; 0: nothing */
    uint32_t (*range)[2]; /* [columns] from the first to after the last stored column */
};

enum { MEAN, MAX, MIN };

/* -ENOMEM: finish it all the same. */
static int init_cells(struct cells *p)
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

/* Leaves `out` alone. */
static void finish_cells(struct cells *p)
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
static void map_columns(struct cells *p, const struct archive_layout *l)
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
static void reduce_fold(struct cells *p)
{
    for (uint32_t c = 0; c < p->out.columns; c++) {
        const uint32_t from = p->range[c][0], to = p->range[c][1];
        p->row[c] = from < to ? archive_reduce(p->out.detector, p->fold + from, to - from) : NAN;
    }
}

/* ---- time ------------------------------------------------------------------------------- */

/* Adds the stored row to those of the same cell, before columns are combined. */
static void add_to_fold(struct cells *p, uint32_t columns, float frames)
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

static void add_to_cell(struct cells *p, uint32_t cell)
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

static void end_fold(struct cells *p, struct cell_range cells)
{
    if (!(p->frames > 0))
        return;
    reduce_fold(p);
    for (uint32_t cell = cells.first; cell <= cells.last; cell++)
        add_to_cell(p, cell);
    p->frames = 0;
}

static void add_facts(struct cells *p, uint32_t cell, const struct archive_row *row)
{
    p->out.breaks[cell] |= (uint8_t)row->breaks;
    p->out.lost[cell] += row->lost;
}

/*
 * A row belongs to its period, although its last frame may reach into the next one. Of a tier that
 * is coarser than the cells, it is in all cells of its time.
 */
static bool find_cells(const struct cells *p, const struct archive_row *row, uint64_t period_ns,
                       int64_t from_ns, int64_t to_ns, struct cell_range *cells)
{
    const int64_t period = (int64_t)period_ns;
    const int64_t index = archive_period_index(row->time_ns, period);
    int64_t end = row->time_ns + row->duration_ns;
    if (end > (index + 1) * period && row->duration_ns < 2 * period)
        end = (index + 1) * period;
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

/* Adds the rows of a block, as far as they are in [from_ns, to_ns). 0, also of a damaged block. */
static int add_block(struct cells *p, struct block_reader *block, int64_t from_ns, int64_t to_ns)
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

/* Moves the picture into *out, with levels in dB. */
static void complete_cells(struct cells *p, struct archive_picture *out)
{
    const size_t cells = (size_t)p->out.rows * p->out.columns;
    for (size_t i = 0; p->out.detector == MEAN && i < cells; i++)
        p->out.level[i] = 10 * log10f(p->out.level[i]);
    *out = p->out;
    p->out = (struct archive_picture){0};
}

struct reading {
    sqlite3 *db;
    const char *folder;
    struct archive_query query;
    struct archive_interval interval;
    uint64_t period_ns[ARCHIVE_TIERS];
    int tiers;
    struct cells cells;
    /* the part that is being read, and with which tier */
    int64_t from_ns, to_ns;
};

/* ---- what is asked for ------------------------------------------------------------------ */

/* The index of the coarsest tier that is fine enough, and that is not too many rows. */
static int choose_tier(const struct reading *r)
{
    const uint64_t length = (uint64_t)r->interval.to_ns - (uint64_t)r->interval.from_ns;
    const uint64_t cell = length / r->query.rows;
    int i = 0;
    while (i + 1 < r->tiers &&
           (r->period_ns[i + 1] <= cell || length / r->period_ns[i] > ARCHIVE_READ_ROWS))
        i++;
    return i;
}

/* Cells are whole periods, so that a row of the chosen tier is in one of them. */
static void divide_time(struct reading *r, uint64_t period_ns, struct archive_picture *p)
{
    const struct archive_interval *q = &r->interval;
    const int64_t period = (int64_t)period_ns;
    int64_t cell = (int64_t)(((uint64_t)q->to_ns - (uint64_t)q->from_ns) / r->query.rows);
    cell = cell > period ? (cell + period - 1) / period * period : period;
    for (;; cell += period) {
        p->start_ns = archive_period_index(q->from_ns, cell) * cell;
        const uint64_t rows =
            ((uint64_t)(q->to_ns - p->start_ns) + (uint64_t)cell - 1) / (uint64_t)cell;
        p->rows = (uint32_t)rows;
        p->row_ns = cell;
        if (rows <= r->query.rows)
            return;
    }
}

/* Columns as wide as asked for, and not narrower than those that are stored. */
static void divide_frequency(const struct archive_query *q, const struct block_head *newest,
                             struct archive_picture *p)
{
    const struct archive_layout *l = &newest->layout;
    const double low = isnan(q->low_hz) ? l->low_hz : q->low_hz;
    const double high = isnan(q->high_hz) ? l->low_hz + l->columns * l->column_hz : q->high_hz;
    const double stored = fmax(1, round((high - low) / l->column_hz));
    p->low_hz = low;
    p->columns = stored < q->columns ? (uint32_t)stored : q->columns;
    p->column_hz = (high - low) / p->columns;
}

/* ---- reading ---------------------------------------------------------------------------- */

static int take_block(void *user, struct block_reader *block)
{
    struct reading *r = user;
    return add_block(&r->cells, block, r->from_ns, r->to_ns);
}

static int read_tier(struct reading *r, int tier, int64_t from_ns, int64_t to_ns)
{
    r->from_ns = from_ns;
    r->to_ns = to_ns;
    const struct archive_blocks which = {.db = r->db,
                                         .folder = r->folder,
                                         .period_ns = r->period_ns[tier],
                                         .from_ns = from_ns,
                                         .to_ns = to_ns,
                                         .after_ns = INT64_MIN};
    return from_ns < to_ns ? archive_find_blocks(&which, take_block, r) : 0;
}

/* The time that a tier covers; false: none of [from_ns, to_ns). */
static bool find_cover(struct reading *r, int tier, int64_t *from_ns, int64_t *to_ns)
{
    int64_t start, end;
    if (archive_find_start(r->db, r->period_ns[tier], &r->interval, &start) < 0 ||
        archive_find_end(r->db, r->period_ns[tier], &r->interval, &end) < 0)
        return false;
    *from_ns = start > *from_ns ? start : *from_ns;
    *to_ns = end < *to_ns ? end : *to_ns;
    return *from_ns < *to_ns;
}

/* Reads the tiers from `tier` on, in steps of +1 to coarser or -1 to finer ones. */
static int read_side(struct reading *r, int tier, int step, int64_t from_ns, int64_t to_ns)
{
    int err = 0;
    for (; err == 0 && tier >= 0 && tier < r->tiers && from_ns < to_ns; tier += step) {
        int64_t from = from_ns, to = to_ns;
        if (!find_cover(r, tier, &from, &to))
            continue;
        err = read_tier(r, tier, step > 0 ? from : from_ns, step > 0 ? to_ns : to);
        if (step > 0)
            to_ns = from;
        else
            from_ns = to;
    }
    return err;
}

/* Where coarser tiers end, if the tier itself has nothing. */
static int64_t find_coarser_end(struct reading *r, int tier)
{
    int64_t newest = r->interval.from_ns;
    for (int i = tier + 1; i < r->tiers; i++) {
        int64_t from = r->interval.from_ns, to = r->interval.to_ns;
        if (find_cover(r, i, &from, &to) && to > newest)
            newest = to;
    }
    return newest;
}

static int read_all(struct reading *r, int tier)
{
    const struct archive_interval *q = &r->interval;
    int64_t from = q->from_ns, to = q->to_ns;
    if (!find_cover(r, tier, &from, &to))
        from = to = find_coarser_end(r, tier);
    int err = read_tier(r, tier, from, to);
    if (err == 0)
        err = read_side(r, tier + 1, 1, q->from_ns, from);
    return err < 0 ? err : read_side(r, tier - 1, -1, to, q->to_ns);
}

/* The newest block of the time in any tier, for its frequencies and facts. */
static int take_newest(void *user, struct block_reader *block)
{
    struct reading *r = user;
    struct archive_picture *p = &r->cells.out;
    if (!(block->head.layout.detectors & 1U << r->query.detector))
        return -ENODATA;
    divide_frequency(&r->query, &block->head, p);
    free(p->facts);
    p->facts = strdup(block->facts);
    return p->facts ? 1 : -ENOMEM;
}

static int find_newest(struct reading *r, int tier)
{
    for (int i = 0; i < r->tiers; i++) {
        const int at = (tier + i) % r->tiers;
        const struct archive_blocks newest = {.db = r->db,
                                              .folder = r->folder,
                                              .period_ns = r->period_ns[at],
                                              .from_ns = r->interval.from_ns,
                                              .to_ns = r->interval.to_ns,
                                              .after_ns = INT64_MIN,
                                              .newest = true};
        const int err = archive_find_blocks(&newest, take_newest, r);
        if (err != 0)
            return err < 0 ? err : 0;
    }
    return -ENODATA;
}

static int read_picture(struct reading *r)
{
    r->tiers = archive_find_tiers(r->db, r->query.from, r->query.to, r->period_ns, &r->interval);
    if (r->tiers < 0)
        return r->tiers;
    const int tier = choose_tier(r);
    struct archive_picture *p = &r->cells.out;
    p->detector = r->query.detector;
    p->period_ns = r->period_ns[tier];
    divide_time(r, p->period_ns, p);
    int err = find_newest(r, tier);
    if (err == 0)
        err = init_cells(&r->cells);
    if (err == 0)
        err = read_all(r, tier);
    return err < 0 ? err : 0;
}

int archive_read(const char *folder, const struct archive_query *query, struct archive_picture *out)
{
    struct reading r = {.folder = folder, .query = *query};
    *out = (struct archive_picture){0};
    int err = archive_index_open_read(&r.db, folder);
    if (err == 0)
        err = read_picture(&r);
    if (err == 0)
        complete_cells(&r.cells, out);
    else
        archive_picture_finish(&r.cells.out);
    finish_cells(&r.cells);
    database_close(r.db);
    return err;
}

void archive_picture_finish(struct archive_picture *p)
{
    free(p->level);
    free(p->breaks);
    free(p->lost);
    free(p->facts);
    *p = (struct archive_picture){0};
}
