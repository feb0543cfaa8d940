/* archive_past.c - reads rows of the archive, newest first, as rows of the history. */
#include "daemon/archive/read/archive_past.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/facts.h"
#include "daemon/archive/reduce.h"
#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/log.h"
#include "daemon/database/database.h"
#include "daemon/line/history/history_grid.h"
#include "daemon/line/history/history_levels.h"

enum { ROWS_OF_AGE = 300 }; /* of a tier that is chosen, between its row and the newest */
static const int64_t era_us = INT64_C(4102444800000000); /* 2100-01-01 */

struct reading {
    const struct history_query *query;
    sqlite3 *db;
    const char *folder;
    uint64_t period_ns[ARCHIVE_TIERS];
    int64_t start_ns[ARCHIVE_TIERS]; /* of each tier's oldest row */
    int tiers;
    struct archive_interval interval;
    int64_t from_ns, to_ns; /* of the rows that are being read */
    float *level, *power;   /* [ARCHIVE_COLUMNS], [query->columns] */
    /* of one tier, oldest first */
    struct history_result part;
    uint32_t part_capacity;
    int64_t end_ns; /* of the last row of the part */
    bool rate_assumed;
    struct history_result *out;
};

/* ---- numbers ---------------------------------------------------------------------------- */

static uint64_t number_of(int64_t time_ns)
{
    return (uint64_t)(archive_period_index(time_ns, 1000) - era_us);
}

static int64_t time_of(uint64_t number)
{
    int64_t us, ns;
    if (__builtin_add_overflow((int64_t)number, era_us, &us) ||
        __builtin_mul_overflow(us, 1000, &ns))
        return INT64_MIN;
    return ns;
}

static bool is_archived(uint64_t before)
{
    return before != UINT64_MAX && (int64_t)before < 0;
}

/* ---- a row ------------------------------------------------------------------------------ */

/* True: the part has room for one more row of `columns`. */
static bool grow(struct reading *r, uint32_t columns)
{
    struct history_result *part = &r->part;
    if (part->rows < r->part_capacity)
        return true;
    const uint32_t capacity = r->part_capacity ? 2 * r->part_capacity : 64;
    struct history_line *line = realloc(part->line, capacity * sizeof *line);
    part->line = line ? line : part->line;
    uint8_t *levels = realloc(part->levels, (size_t)capacity * columns);
    part->levels = levels ? levels : part->levels;
    r->part_capacity = line && levels ? capacity : r->part_capacity;
    return line && levels;
}

static void reduce(struct reading *r, const struct history_grid *g)
{
    const float *level = r->level + g->first;
    uint32_t at = 0;
    for (uint32_t i = 0; i < g->columns; i++) {
        const uint32_t end = history_grid_start(g, i + 1);
        r->power[i] = archive_reduce(1, level + at, end - at);
        at = end;
    }
    archive_to_power(r->power, g->columns);
}

static struct history_row describe(struct reading *r, const struct archive_layout *l,
                                   const struct archive_row *row, uint64_t period_ns)
{
    struct history_result *part = &r->part;
    struct history_row *before = part->rows ? &part->line[part->rows - 1].row : NULL;
    const bool apart = before && row->time_ns - r->end_ns > (int64_t)period_ns / 2;
    const uint64_t first = number_of(row->time_ns), length_us = (uint64_t)row->duration_ns / 1000;
    if (before && before->line >= first && first > before->first_line)
        before->line = first - 1;
    return (struct history_row){
        .first_line = first,
        .line = first + (length_us > 0 ? length_us - 1 : 0),
        .frames = row->frames,
        .lines = row->lines,
        .time_ns = row->time_ns,
        .low_hz = l->low_hz,
        .column_hz = l->column_hz,
        .columns = l->columns,
        .bins = l->bins,
        .gain_db = NAN,
        .lost = row->lost,
        .detectors = l->detectors,
        .rate_assumed = r->rate_assumed,
        .archived = true,
        .breaks = (uint8_t)((row->breaks & ARCHIVE_LOSS ? HISTORY_LOSS : 0) |
                            (apart || row->breaks & ARCHIVE_GAP ? HISTORY_RESTART : 0) |
                            (row->breaks & ARCHIVE_MISSED ? HISTORY_MISSED : 0))};
}

static int add_row(struct reading *r, const struct block_reader *block,
                   const struct archive_row *row)
{
    const unsigned d = r->query->detector;
    struct history_result *part = &r->part;
    struct history_row h = describe(r, &block->head.layout, row, block->head.period_ns);
    const struct history_grid g = history_grid_make(r->query, &h);
    if (!grow(r, r->query->columns))
        return -ENOMEM;
    reduce(r, &g);
    h.columns = g.columns;
    h.low_hz = g.low_hz;
    h.column_hz = g.column_hz;
    levels_quantise(r->power, g.columns, part->levels + (size_t)part->rows * r->query->columns,
                    &h.offset_db[d], &h.step_db[d]);
    part->line[part->rows++] = (struct history_line){.row = h, .finest = g.columns == g.bins};
    r->end_ns = row->time_ns + row->duration_ns;
    return 0;
}

static int take_block(void *user, struct block_reader *block)
{
    struct reading *r = user;
    const unsigned d = r->query->detector;
    const struct block_levels levels = {.mean_db = d == 0 ? r->level : NULL,
                                        .max_db = d == 1 ? r->level : NULL,
                                        .min_db = d == 2 ? r->level : NULL};
    int err = 0;
    r->rate_assumed = facts_rate_assumed(block->facts);
    if (!(block->head.layout.detectors & 1U << d))
        return 0;
    for (uint32_t i = 0; err == 0 && i < block->head.rows; i++) {
        const struct archive_row *row = &block->row[i];
        if (block_next_row(block, &levels) < 0)
            break;
        if (row->time_ns >= r->from_ns && row->time_ns < r->to_ns && row->lines > 0)
            err = add_row(r, block, row);
    }
    return err;
}

/* ---- parts ------------------------------------------------------------------------------ */

/* Rows of this number of levels still fit into the answer. */
static uint32_t rows_left(const struct reading *r)
{
    const struct history_query *q = r->query;
    const size_t levels = (q->levels - r->out->level_count) / q->columns;
    const uint32_t rows = q->rows - r->out->rows;
    return levels < rows ? (uint32_t)levels : rows;
}

/* Newest first, behind those of the answer. */
static int take_part(struct reading *r)
{
    struct history_result *part = &r->part;
    const uint32_t left = rows_left(r), count = part->rows < left ? part->rows : left;
    struct history_result turned = {.line = calloc(count + 1U, sizeof *turned.line),
                                    .levels = malloc((size_t)(count + 1U) * r->query->columns)};
    if (!turned.line || !turned.levels) {
        history_result_finish(&turned);
        return -ENOMEM;
    }
    for (; turned.rows < count; turned.rows++) {
        const uint32_t from = part->rows - 1 - turned.rows;
        struct history_row *row = &part->line[from].row;
        const uint64_t last = number_of(r->to_ns) - 1;
        if (turned.rows == 0 && row->line > last && last >= row->first_line)
            row->line = last;
        if (row->lines > row->line - row->first_line + 1)
            row->lines = (uint32_t)(row->line - row->first_line + 1);
        turned.line[turned.rows] = part->line[from];
        memcpy(turned.levels + turned.level_count, part->levels + (size_t)from * r->query->columns,
               row->columns);
        turned.level_count += row->columns;
    }
    const int err = history_result_join(r->out, &turned);
    if (err < 0)
        history_result_finish(&turned);
    return err;
}

/* The tier for rows that begin before this time, which some tier has. */
static int choose_tier(const struct reading *r, int64_t before_ns)
{
    for (int i = r->tiers - 1; i > 0; i--)
        if (r->start_ns[i] < before_ns &&
            ROWS_OF_AGE * (int64_t)r->period_ns[i] <= r->interval.to_ns - before_ns)
            return i;
    for (int i = 0; i < r->tiers; i++)
        if (r->start_ns[i] < before_ns)
            return i;
    return -ENODATA;
}

/* How far back a tier is read: as many rows as fit, up to where a coarser one is chosen. */
static int64_t find_low(const struct reading *r, int tier, int64_t before_ns)
{
    int64_t length, low;
    if (__builtin_mul_overflow(rows_left(r), (int64_t)r->period_ns[tier], &length) ||
        __builtin_sub_overflow(before_ns, length, &low))
        low = ARCHIVE_TIME_LEAST;
    for (int i = tier + 1; i < r->tiers; i++) {
        const int64_t border = r->interval.to_ns - ROWS_OF_AGE * (int64_t)r->period_ns[i];
        if (border < before_ns && border > low)
            low = border;
    }
    return low > r->start_ns[tier] ? low : r->start_ns[tier];
}

static int read_parts(struct reading *r, int64_t before_ns)
{
    int64_t to_ns =
        archive_time_bound(before_ns < r->interval.to_ns ? before_ns : r->interval.to_ns);
    int err = 0;
    while (err == 0 && rows_left(r) > 0) {
        const int tier = to_ns > r->query->from_ns ? choose_tier(r, to_ns) : -ENODATA;
        if (tier < 0) {
            r->out->oldest = to_ns > r->query->from_ns;
            return 0;
        }
        r->to_ns = to_ns;
        r->from_ns = to_ns = find_low(r, tier, to_ns);
        if (r->from_ns < r->query->from_ns)
            r->from_ns = r->query->from_ns;
        r->part.rows = 0;
        const struct archive_blocks which = {.db = r->db,
                                             .folder = r->folder,
                                             .period_ns = r->period_ns[tier],
                                             .from_ns = r->from_ns,
                                             .to_ns = r->to_ns,
                                             .after_ns = INT64_MIN};
        err = archive_find_blocks(&which, take_block, r);
        if (err == 0)
            err = take_part(r);
    }
    return err;
}

/* ---- opening ---------------------------------------------------------------------------- */

static int open_archive(struct reading *r)
{
    const struct archive_time oldest = {INT64_MIN, false}, newest = {INT64_MAX, false};
    int err = archive_index_open_read(&r->db, r->folder);
    if (err < 0)
        return err;
    r->tiers = archive_find_tiers(r->db, oldest, newest, r->period_ns, &r->interval);
    for (int i = 0; err == 0 && i < r->tiers; i++)
        err = archive_find_start(r->db, r->period_ns[i], &r->interval, &r->start_ns[i]);
    return r->tiers < 0 ? r->tiers : err;
}

static int read_archive(const char *folder, const struct history_query *query, int64_t before_ns,
                        struct history_result *out)
{
    struct reading r = {.query = query, .folder = folder, .out = out};
    out->oldest = true;
    r.level = malloc(ARCHIVE_COLUMNS * sizeof *r.level);
    r.power = malloc(query->columns * sizeof *r.power);
    int err = r.level && r.power ? open_archive(&r) : -ENOMEM;
    if (err == 0) {
        out->oldest = false;
        err = read_parts(&r, before_ns);
    }
    if (err == -EIO)
        log_warn("archive: its index cannot be read");
    free(r.level);
    free(r.power);
    history_result_finish(&r.part);
    database_close(r.db);
    return err == -ENOMEM ? err : 0;
}

/* Where the archive takes over: at the oldest row of the memory. */
static int64_t find_border(const struct past_source *past, const struct history_query *query,
                           const struct history_result *newer)
{
    struct history_state state;
    int64_t border;
    if (is_archived(query->before)) {
        border = time_of(query->before);
    } else if (newer->rows > 0) {
        border = newer->line[newer->rows - 1].row.time_ns;
    } else {
        history_state(past->history, &state);
        border = state.rows > 0 ? state.oldest_ns : INT64_MAX;
    }
    return border < query->to_ns ? border : query->to_ns;
}

int archive_past_read(const struct past_source *past, const struct history_query *query,
                      struct history_result *out)
{
    struct history_query recent = *query;
    if (is_archived(query->before))
        recent.rows = 0; /* the memory has no such lines */
    int err = history_read(past->history, &recent, out);
    out->oldest = out->oldest || recent.rows == 0;
    if (err < 0 || !past->folder || query->lines > 1)
        return err;
    if (is_archived(query->before) || (out->oldest && out->rows < query->rows))
        err = read_archive(past->folder, query, find_border(past, query, out), out);
    else
        out->oldest = false; /* the archive's rows are on the next page */
    if (err < 0)
        history_result_finish(out);
    return err;
}
