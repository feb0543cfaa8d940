/* archive_find.c - finds blocks through the index, and reads them from their segments. */
#include "daemon/archive/store/archive_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/unix_time.h"
#include "daemon/database/database.h"
#include "daemon/files/age_clock.h"

static const int64_t hour_ns = INT64_C(3600) * 1000000000;
static const int64_t day_ns = INT64_C(86400) * 1000000000;
static const int64_t plausible_ns = INT64_C(3652) * 86400 * 1000000000; /* ten years */

/* No block of a tier is longer, unless a line is. */
static int64_t longest_ns(uint64_t period_ns)
{
    return INT64_C(2) * ARCHIVE_ROWS * (int64_t)period_ns + hour_ns;
}

/* ---- times ------------------------------------------------------------------------------ */

int archive_find_last(sqlite3 *db, uint64_t period_ns, struct archive_last *out)
{
    sqlite3_stmt *query;
    const char *sql = "SELECT first, last, segment FROM block WHERE segment = (SELECT max(id) FROM "
                      "segment WHERE period = ?1 AND bytes > 0) ORDER BY offset DESC LIMIT 1";
    *out = (struct archive_last){.start_ns = INT64_MIN, .end_ns = INT64_MIN};
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_int64(query, 1, (int64_t)period_ns);
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW)
        *out = (struct archive_last){.start_ns = archive_time_bound(sqlite3_column_int64(query, 0)),
                                     .end_ns = archive_time_bound(sqlite3_column_int64(query, 1)),
                                     .segment = sqlite3_column_int64(query, 2)};
    sqlite3_finalize(query);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : -EIO;
}

/* Of one tier: the end of the block that was written last, and of the newest row up to now. */
struct tier_ends {
    int64_t written_ns, segment; /* -1: there is no block */
    int64_t present_ns;          /* INT64_MIN: there is none */
};

static int find_tier_ends(sqlite3 *db, uint64_t period_ns, int64_t now_ns, struct tier_ends *out)
{
    sqlite3_stmt *query;
    const char *sql =
        "SELECT (SELECT last FROM block WHERE segment = s.id ORDER BY offset DESC LIMIT 1), s.id, "
        "s.present FROM (SELECT max(CASE WHEN bytes > 0 THEN id END) AS id, max(CASE WHEN last <= "
        "?2 THEN last END) AS present FROM segment WHERE period = ?1) s";
    *out = (struct tier_ends){.segment = -1, .present_ns = INT64_MIN};
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_int64(query, 1, (int64_t)period_ns);
    sqlite3_bind_int64(query, 2, now_ns);
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL) {
        out->written_ns = archive_time_bound(sqlite3_column_int64(query, 0));
        out->segment = sqlite3_column_int64(query, 1);
    }
    if (code == SQLITE_ROW && sqlite3_column_type(query, 2) != SQLITE_NULL)
        out->present_ns = archive_time_bound(sqlite3_column_int64(query, 2));
    sqlite3_finalize(query);
    return code == SQLITE_ROW ? 0 : -EIO;
}

/* A tier is written after the finer one: its last block is newer only if its segment is, too. */
static int find_newest(sqlite3 *db, const uint64_t *period_ns, int tiers, int64_t *end_ns)
{
    const int64_t now_ns = clock_unix_ns();
    struct tier_ends newest = {.written_ns = INT64_MIN, .segment = -1, .present_ns = INT64_MIN};
    for (int i = 0; i < tiers; i++) {
        struct tier_ends t;
        if (find_tier_ends(db, period_ns[i], now_ns, &t) < 0)
            return -EIO;
        if (t.segment > newest.segment && t.written_ns > newest.written_ns) {
            newest.segment = t.segment;
            newest.written_ns = t.written_ns;
        }
        if (t.present_ns > newest.present_ns)
            newest.present_ns = t.present_ns;
    }
    const int64_t written = newest.written_ns, present = newest.present_ns;
    const bool future = now_ns >= AGE_CLOCK_FIRST_NS && written > unix_time_sum(now_ns, day_ns);
    *end_ns = present > written || (future && present != INT64_MIN) ? present : written;
    return 0;
}

int archive_find_newest(sqlite3 *db, int64_t *end_ns)
{
    uint64_t period_ns[ARCHIVE_TIERS];
    const int tiers = archive_find_periods(db, period_ns);
    return tiers < 0 ? tiers : find_newest(db, period_ns, tiers, end_ns);
}

int archive_find_end(sqlite3 *db, uint64_t period_ns, const struct archive_interval *interval,
                     int64_t *end_ns)
{
    const int64_t values[] = {(int64_t)period_ns, interval->from_ns, interval->to_ns};
    return database_read_number(db,
                                "SELECT max(last) FROM (SELECT last FROM block WHERE period = ?1 "
                                "AND first < ?3 AND last > ?2 ORDER BY first DESC LIMIT 8)",
                                values, 3, INT64_MIN, end_ns);
}

int archive_find_start(sqlite3 *db, uint64_t period_ns, const struct archive_interval *interval,
                       int64_t *start_ns)
{
    const int64_t values[] = {(int64_t)period_ns, interval->from_ns, interval->to_ns,
                              unix_time_sum(interval->from_ns, -longest_ns(period_ns))};
    return database_read_number(db,
                                "SELECT first FROM block WHERE period = ?1 AND first > ?4 AND "
                                "first < ?3 AND last > ?2 ORDER BY first LIMIT 1",
                                values, 4, INT64_MAX, start_ns);
}

int archive_find_periods(sqlite3 *db, uint64_t period_ns[ARCHIVE_TIERS])
{
    sqlite3_stmt *query;
    int count = 0;
    const char *sql = "SELECT DISTINCT period FROM segment WHERE bytes > 0 AND "
                      "period BETWEEN 1 AND 86400000000000 ORDER BY period";
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    while (count < ARCHIVE_TIERS && sqlite3_step(query) == SQLITE_ROW)
        period_ns[count++] = (uint64_t)sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return count;
}

static bool is_open(struct archive_time t)
{
    return t.relative || t.ns == INT64_MIN || t.ns == INT64_MAX;
}

/* The first and the last time of rows within `all`. */
static int find_bounds(sqlite3 *db, const uint64_t *period_ns, int tiers,
                       const struct archive_interval *all, struct archive_interval *out)
{
    *out = (struct archive_interval){INT64_MAX, INT64_MIN};
    for (int i = 0; i < tiers; i++) {
        int64_t start, end;
        if (archive_find_start(db, period_ns[i], all, &start) < 0 ||
            archive_find_end(db, period_ns[i], all, &end) < 0)
            return -EIO;
        out->from_ns = start < out->from_ns ? start : out->from_ns;
        out->to_ns = end > out->to_ns ? end : out->to_ns;
    }
    out->to_ns = out->to_ns < all->to_ns ? out->to_ns : all->to_ns;
    if (out->from_ns < out->to_ns) { /* the index is a file, too */
        out->from_ns = archive_time_bound(out->from_ns);
        out->to_ns = archive_time_bound(out->to_ns);
    }
    return 0;
}

int archive_find_interval(sqlite3 *db, const uint64_t *period_ns, int tiers,
                          struct archive_time from, struct archive_time to,
                          struct archive_interval *out)
{
    struct archive_interval all;
    int64_t newest;
    if (find_newest(db, period_ns, tiers, &newest) < 0)
        return -EIO;
    const struct archive_interval shown = {is_open(from) ? unix_time_sum(newest, -plausible_ns)
                                                         : INT64_MIN,
                                           is_open(to) ? newest : INT64_MAX};
    if (find_bounds(db, period_ns, tiers, &shown, &all) < 0)
        return -EIO;
    if (all.from_ns >= all.to_ns)
        return -ENODATA;
    const int64_t a = from.relative ? unix_time_sum(newest, from.ns) : from.ns;
    const int64_t b = to.relative ? unix_time_sum(newest, to.ns) : to.ns;
    *out =
        (struct archive_interval){a > all.from_ns ? a : all.from_ns, b < all.to_ns ? b : all.to_ns};
    return out->from_ns < out->to_ns ? 0 : -ENODATA;
}

int archive_find_tiers(sqlite3 *db, struct archive_time from, struct archive_time to,
                       uint64_t period_ns[ARCHIVE_TIERS], struct archive_interval *interval)
{
    const int tiers = archive_find_periods(db, period_ns);
    const int err =
        tiers > 0 ? archive_find_interval(db, period_ns, tiers, from, to, interval) : -ENODATA;
    return tiers < 0 ? tiers : err < 0 ? err : tiers;
}

static int add_segment(struct archive_segment **list, int count, sqlite3_stmt *query)
{
    struct archive_segment *grown = realloc(*list, ((size_t)count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    *list = grown;
    grown[count] =
        (struct archive_segment){.id = sqlite3_column_int64(query, 0),
                                 .first_ns = archive_time_bound(sqlite3_column_int64(query, 1)),
                                 .last_ns = archive_time_bound(sqlite3_column_int64(query, 2))};
    return count + 1;
}

int archive_find_segments(sqlite3 *db, uint64_t period_ns, int64_t from_ns, int64_t to_ns,
                          struct archive_segment **out)
{
    sqlite3_stmt *query;
    int count = 0, code = SQLITE_DONE;
    const char *sql = "SELECT id, first, last FROM segment WHERE period = ? AND last > ? AND "
                      "first < ? ORDER BY first, id";
    *out = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_int64(query, 1, (int64_t)period_ns);
    sqlite3_bind_int64(query, 2, from_ns);
    sqlite3_bind_int64(query, 3, to_ns);
    while (count >= 0 && (code = sqlite3_step(query)) == SQLITE_ROW)
        count = add_segment(out, count, query);
    sqlite3_finalize(query);
    if (count >= 0 && code != SQLITE_DONE)
        count = -EIO;
    if (count < 0) {
        free(*out);
        *out = NULL;
    }
    return count;
}

/* The segment that was read last stays open. */
struct reading {
    const char *folder;
    char name[128];
    int fd;
    uint8_t *bytes;
    size_t capacity;
};

static int open_segment(struct reading *r, const char *name)
{
    if (r->fd >= 0 && name && strcmp(r->name, name) == 0)
        return 0;
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    r->fd = archive_store_open_segment(r->folder, name);
    snprintf(r->name, sizeof r->name, "%s", name ? name : "");
    return r->fd < 0 ? r->fd : 0;
}

static int read_bytes(struct reading *r, uint64_t offset, size_t size)
{
    if (size > r->capacity) {
        uint8_t *grown = realloc(r->bytes, size);
        if (!grown)
            return -ENOMEM;
        r->bytes = grown;
        r->capacity = size;
    }
    const ssize_t n = pread(r->fd, r->bytes, size, (off_t)offset);
    return n == (ssize_t)size ? 0 : -EBADMSG;
}

/* Opens the block of the row that the query is at. */
static int open_block(struct reading *r, sqlite3_stmt *query, struct block_reader *block)
{
    const int64_t size = sqlite3_column_int64(query, 1);
    if (size < BLOCK_HEAD || size > INT32_MAX)
        return -EBADMSG;
    int err = open_segment(r, (const char *)sqlite3_column_text(query, 2));
    if (err == 0)
        err = read_bytes(r, (uint64_t)sqlite3_column_int64(query, 0), (size_t)size);
    return err < 0 ? err : block_open(block, r->bytes, (size_t)size);
}

static int each_block(struct reading *r, sqlite3_stmt *query,
                      int (*take)(void *user, struct block_reader *block), void *user)
{
    int err = 0, code = SQLITE_DONE;
    while (err == 0 && (code = sqlite3_step(query)) == SQLITE_ROW) {
        struct block_reader block;
        err = open_block(r, query, &block);
        if (err == -ENOMEM)
            break;
        if (err < 0) {
            if (err != -ENOENT) /* retention deletes segments while they are read */
                log_warn("archive: %s: a block is damaged", r->name);
            err = 0;
            continue;
        }
        err = take(user, &block);
        block_finish(&block);
    }
    return err != 0 ? err : code == SQLITE_DONE ? 0 : -EIO;
}

/* first > ?2: no block is longer, unless a line is. So the key finds the first one. */
#define BLOCKS                                                                                     \
    "SELECT b.offset, b.size, s.name FROM block b JOIN segment s ON s.id = b.segment WHERE "       \
    "b.period = ?1 AND b.first > ?2 AND b.first < ?3 AND b.last > ?4 AND "                         \
    "(?5 = 0 OR b.segment = ?5) AND b.segment > ?6 ORDER BY b.first"

int archive_find_blocks(const struct archive_blocks *w,
                        int (*take)(void *user, struct block_reader *r), void *user)
{
    sqlite3_stmt *query;
    struct reading r = {.folder = w->folder, .fd = -1};
    const char *sql = w->newest ? BLOCKS " DESC LIMIT 1" : BLOCKS;
    if (sqlite3_prepare_v2(w->db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    const int64_t first_ns = unix_time_sum(w->from_ns, -longest_ns(w->period_ns));
    sqlite3_bind_int64(query, 1, (int64_t)w->period_ns);
    sqlite3_bind_int64(query, 2, w->after_ns > first_ns ? w->after_ns : first_ns);
    sqlite3_bind_int64(query, 3, w->to_ns);
    sqlite3_bind_int64(query, 4, w->from_ns);
    sqlite3_bind_int64(query, 5, w->segment);
    sqlite3_bind_int64(query, 6, w->after_segment);
    const int err = each_block(&r, query, take, user);
    sqlite3_finalize(query);
    if (r.fd >= 0)
        close(r.fd);
    free(r.bytes);
    return err;
}
