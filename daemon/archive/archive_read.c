/* archive_read.c - chooses tiers, and folds their rows into the cells of a picture. */
#include "daemon/archive/archive_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/archive_cells.h"
#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/database/database.h"

struct reading {
    sqlite3 *db;
    const char *folder;
    struct archive_query query;
    struct archive_span span;
    uint64_t period_ns[ARCHIVE_TIERS];
    int tiers;
    struct archive_cells cells;
    /* the part that is being read, and with which tier */
    int64_t from_ns, to_ns;
};

/* ---- what is asked for ------------------------------------------------------------------ */

/* The index of the coarsest tier that is fine enough, and that is not too many rows. */
static int choose_tier(const struct reading *r)
{
    const uint64_t span = (uint64_t)r->span.to_ns - (uint64_t)r->span.from_ns;
    const uint64_t cell = span / r->query.rows;
    int i = 0;
    while (i + 1 < r->tiers &&
           (r->period_ns[i + 1] <= cell || span / r->period_ns[i] > ARCHIVE_READ_ROWS))
        i++;
    return i;
}

/* Cells are whole periods, so that a row of the chosen tier is in one of them. */
static void divide_time(struct reading *r, uint64_t period_ns, struct archive_picture *p)
{
    const struct archive_span *q = &r->span;
    const int64_t period = (int64_t)period_ns;
    int64_t cell = (int64_t)(((uint64_t)q->to_ns - (uint64_t)q->from_ns) / r->query.rows);
    cell = cell > period ? (cell + period - 1) / period * period : period;
    for (;; cell += period) {
        p->start_ns = archive_slot(q->from_ns, cell) * cell;
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
    return archive_cells_add(&r->cells, block, r->from_ns, r->to_ns);
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
    if (archive_find_start(r->db, r->period_ns[tier], &r->span, &start) < 0 ||
        archive_find_end(r->db, r->period_ns[tier], &r->span, &end) < 0)
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
    int64_t newest = r->span.from_ns;
    for (int i = tier + 1; i < r->tiers; i++) {
        int64_t from = r->span.from_ns, to = r->span.to_ns;
        if (find_cover(r, i, &from, &to) && to > newest)
            newest = to;
    }
    return newest;
}

static int read_all(struct reading *r, int tier)
{
    const struct archive_span *q = &r->span;
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
                                              .from_ns = r->span.from_ns,
                                              .to_ns = r->span.to_ns,
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
    r->tiers = archive_find_tiers(r->db, r->query.from, r->query.to, r->period_ns, &r->span);
    if (r->tiers < 0)
        return r->tiers;
    const int tier = choose_tier(r);
    struct archive_picture *p = &r->cells.out;
    p->detector = r->query.detector;
    p->period_ns = r->period_ns[tier];
    divide_time(r, p->period_ns, p);
    int err = find_newest(r, tier);
    if (err == 0)
        err = archive_cells_init(&r->cells);
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
        archive_cells_complete(&r.cells, out);
    else
        archive_picture_finish(&r.cells.out);
    archive_cells_finish(&r.cells);
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
