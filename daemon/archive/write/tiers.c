/* tiers.c - folds rows from tier to tier, and collects them into blocks. */
#include "daemon/archive/write/tiers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/reduce.h"
#include "daemon/archive/store/archive_find.h"
#include "daemon/base/clock.h"
#include "daemon/base/level.h"

struct tier {
    const struct archive_tier *option;
    struct archive_fold_row fold; /* the row that is not complete */
    int64_t period_index;         /* of its rows: time / period */
    struct archive_rows rows;
    uint64_t steady_ns; /* when the first of `rows` came */
};

struct tiers {
    struct archive_store *store;
    struct archive_tiers options;
    float step_db;
    uint32_t columns; /* of a row, at most */
    uint64_t min_free;
    struct tier tier[ARCHIVE_TIERS];
    bool alone; /* rows are not passed on to the next tier */
    struct text block;
    struct tiers_totals totals;
};

/* ---- memory ----------------------------------------------------------------------------- */

static int init_tier(struct tier *t, const struct archive_tier *option, uint32_t columns)
{
    int err = archive_fold_init(&t->fold, columns);
    t->option = option;
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        t->rows.db[d] = malloc((size_t)ARCHIVE_ROWS * columns * sizeof *t->rows.db[d]);
        err = t->rows.db[d] ? err : -ENOMEM;
    }
    return err;
}

int tiers_create(struct tiers **out, struct archive_store *store,
                 const struct archive_options *options)
{
    struct tiers *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return -ENOMEM;
    t->store = store;
    t->step_db = (float)options->step_db;
    t->columns = options->columns;
    t->min_free = options->min_free;
    int err = archive_tiers_parse(options->tiers, &t->options);
    for (unsigned i = 0; err == 0 && i < t->options.count; i++)
        err = init_tier(&t->tier[i], &t->options.tier[i], options->columns);
    if (err < 0) {
        tiers_destroy(t);
        return err;
    }
    *out = t;
    return 0;
}

void tiers_destroy(struct tiers *t)
{
    if (!t)
        return;
    for (unsigned i = 0; i < ARCHIVE_TIERS; i++) {
        archive_fold_finish(&t->tier[i].fold);
        for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
            free(t->tier[i].rows.db[d]);
    }
    text_finish(&t->block);
    free(t);
}

void tiers_totals(const struct tiers *t, struct tiers_totals *out)
{
    *out = t->totals;
}

/* ---- blocks ----------------------------------------------------------------------------- */

static void write_rows(struct tiers *t, struct tier *tier)
{
    struct archive_rows *rows = &tier->rows;
    if (rows->count == 0)
        return;
    text_clear(&t->block);
    t->block.failed = false;
    block_write(&t->block, rows, tier->option->period_ns, t->step_db);
    const int err = t->block.failed
                        ? -ENOMEM
                        : archive_store_append(t->store, tier->option, &t->block, t->min_free);
    t->totals.failure = err;
    if (err < 0)
        t->totals.lost_rows += rows->count;
    else
        t->totals.rows += rows->count;
    rows->count = 0;
}

/* A block has rows of 64 periods at most, in ascending order. */
static bool continues_block(const struct archive_rows *rows, const struct archive_fold_row *row,
                            uint64_t period_ns)
{
    const int64_t since = row->row.time_ns - rows->row[0].time_ns;
    return rows->count < ARCHIVE_ROWS && since >= 0 && (uint64_t)since < ARCHIVE_ROWS * period_ns &&
           row->row.time_ns >= rows->row[rows->count - 1].time_ns &&
           archive_layout_equal(&rows->layout, &row->layout) &&
           strcmp(rows->facts, row->facts) == 0;
}

static void append_row(struct tiers *t, struct tier *tier, const struct archive_fold_row *row)
{
    struct archive_rows *rows = &tier->rows;
    const uint32_t columns = row->layout.columns;
    if (rows->count > 0 && !continues_block(rows, row, tier->option->period_ns))
        write_rows(t, tier);
    if (rows->count == 0) {
        rows->layout = row->layout;
        memcpy(rows->facts, row->facts, sizeof rows->facts);
        tier->steady_ns = clock_now_ns();
    }
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        float *db = rows->db[d] + (size_t)rows->count * columns;
        for (uint32_t c = 0; row->layout.detectors & 1U << d && c < columns; c++)
            db[c] = (float)level_dbfs(row->power[d][c]);
    }
    rows->row[rows->count++] = row->row;
    if (rows->count == ARCHIVE_ROWS)
        write_rows(t, tier);
}

/* ---- from tier to tier ------------------------------------------------------------------ */

static void add(struct tiers *t, unsigned i, const struct archive_fold_row *row);

static void end_fold(struct tiers *t, unsigned i)
{
    struct tier *tier = &t->tier[i];
    if (tier->fold.row.lines == 0)
        return;
    append_row(t, tier, &tier->fold);
    if (i + 1 < t->options.count && !t->alone)
        add(t, i + 1, &tier->fold);
    tier->fold.row.lines = 0;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are tiers */
static void add(struct tiers *t, unsigned i, const struct archive_fold_row *row)
{
    struct tier *tier = &t->tier[i];
    const int64_t index = archive_period_index(row->row.time_ns, (int64_t)tier->option->period_ns);
    if (tier->fold.row.lines > 0 &&
        (index != tier->period_index || !archive_fold_fits(&tier->fold, row) ||
         row->row.time_ns < tier->fold.row.time_ns))
        end_fold(t, i);
    tier->period_index = index;
    archive_fold_add(&tier->fold, row);
}

void tiers_add(struct tiers *t, const struct archive_fold_row *line)
{
    add(t, 0, line);
}

void tiers_flush_before(struct tiers *t, uint64_t steady_ns)
{
    if (t->tier[0].rows.count > 0 && t->tier[0].steady_ns < steady_ns)
        write_rows(t, &t->tier[0]);
}

void tiers_flush(struct tiers *t)
{
    for (unsigned i = 0; i < t->options.count; i++) {
        end_fold(t, i);
        write_rows(t, &t->tier[i]);
    }
}

/* ---- after a kill ----------------------------------------------------------------------- */

struct catching_up {
    struct tiers *tiers;
    unsigned tier;      /* that rows are added to */
    int64_t covered_ns; /* where it ends */
    struct archive_fold_row row;
};

static int take_block(void *user, struct block_reader *r)
{
    struct catching_up *c = user;
    struct archive_fold_row *f = &c->row;
    if (r->head.layout.columns > c->tiers->columns)
        return 0; /* archive-columns is less than it was */
    f->layout = r->head.layout;
    memcpy(f->facts, r->facts, strlen(r->facts) + 1);
    float *max = f->power[1], *min = f->power[2];
    const struct block_levels levels = {.mean_power = f->power[0], .max_db = max, .min_db = min};
    for (uint32_t i = 0; i < r->head.rows; i++) {
        if (block_next_row(r, &levels) < 0)
            return 0;
        f->row = r->row[i];
        if (f->row.lines == 0 || archive_row_end_ns(&f->row) <= c->covered_ns)
            continue;
        f->row.breaks |= ARCHIVE_REFOLDED;
        archive_to_power(max, f->layout.columns);
        archive_to_power(min, f->layout.columns);
        add(c->tiers, c->tier, f);
    }
    return 0;
}

/*
 * Folds what the next finer tier has after this one's end. Where the finer one was written last at
 * an earlier time, the clock was set back since: then all of its segments that are newer count.
 */
static int read_finer(struct catching_up *c, const struct archive_last *end)
{
    const struct tiers *t = c->tiers;
    sqlite3 *db = archive_store_database(t->store);
    struct archive_blocks which = {.db = db,
                                   .folder = archive_store_folder(t->store),
                                   .period_ns = t->options.tier[c->tier - 1].period_ns,
                                   .from_ns = end->end_ns,
                                   .to_ns = INT64_MAX,
                                   .after_ns = INT64_MIN};
    struct archive_last finer;
    const int err = archive_find_last(db, which.period_ns, &finer);
    which.to_ns = finer.end_ns; /* later rows are from a clock that was ahead, and were folded */
    if (finer.segment > end->segment && finer.end_ns <= end->start_ns) {
        which.from_ns = INT64_MIN;
        which.to_ns = INT64_MAX;
        which.after_segment = end->segment;
    }
    c->covered_ns = which.from_ns;
    return err < 0 ? err : archive_find_blocks(&which, take_block, c);
}

int tiers_catch_up(struct tiers *t)
{
    struct catching_up c = {.tiers = t};
    struct archive_last end;
    int err = archive_fold_init(&c.row, t->columns);
    t->alone = true;
    for (unsigned i = 1; err == 0 && i < t->options.count; i++) {
        c.tier = i;
        err =
            archive_find_last(archive_store_database(t->store), t->options.tier[i].period_ns, &end);
        if (err == 0)
            err = read_finer(&c, &end);
        end_fold(t, i);
        write_rows(t, &t->tier[i]);
    }
    t->alone = false;
    archive_fold_finish(&c.row);
    return err;
}
