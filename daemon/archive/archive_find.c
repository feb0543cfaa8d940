/* archive_find.c - finds blocks through the index, and reads them from their segments. */
#include "daemon/archive/archive_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/database.h"
#include "daemon/base/log.h"

static const uint64_t hour_ns = UINT64_C(3600) * 1000000000;

int archive_find_end(sqlite3 *db, uint64_t period_ns, int64_t *end_ns)
{
    const int64_t period = (int64_t)period_ns;
    return database_read_number(db, "SELECT max(last) FROM segment WHERE period = ?", &period, 1,
                                INT64_MIN, end_ns);
}

int archive_find_start(sqlite3 *db, uint64_t period_ns, int64_t *start_ns)
{
    const int64_t period = (int64_t)period_ns;
    return database_read_number(db, "SELECT min(first) FROM segment WHERE period = ?", &period, 1,
                                INT64_MAX, start_ns);
}

int archive_find_periods(sqlite3 *db, uint64_t *period_ns, int room)
{
    sqlite3_stmt *query;
    int count = 0;
    const char *sql = "SELECT DISTINCT period FROM segment WHERE bytes > 0 ORDER BY period";
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    while (count < room && sqlite3_step(query) == SQLITE_ROW)
        period_ns[count++] = (uint64_t)sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return count;
}

int archive_find_span(sqlite3 *db, const uint64_t *period_ns, int tiers, struct archive_time from,
                      struct archive_time to, struct archive_span *out)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int i = 0; i < tiers; i++) {
        int64_t start, end;
        if (archive_find_start(db, period_ns[i], &start) < 0 ||
            archive_find_end(db, period_ns[i], &end) < 0)
            return -EIO;
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    if (first >= last)
        return -ENODATA;
    const int64_t a = from.relative ? last + from.ns : from.ns;
    const int64_t b = to.relative ? last + to.ns : to.ns;
    *out = (struct archive_span){a > first ? a : first, b < last ? b : last};
    return out->from_ns < out->to_ns ? 0 : -ENODATA;
}

int archive_find_tiers(sqlite3 *db, struct archive_time from, struct archive_time to,
                       uint64_t period_ns[ARCHIVE_TIERS], struct archive_span *span)
{
    const int tiers = archive_find_periods(db, period_ns, ARCHIVE_TIERS);
    const int err = tiers > 0 ? archive_find_span(db, period_ns, tiers, from, to, span) : -ENODATA;
    return tiers < 0 ? tiers : err < 0 ? err : tiers;
}

static int add_segment(struct archive_segment **list, int count, sqlite3_stmt *query)
{
    struct archive_segment *grown = realloc(*list, ((size_t)count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    *list = grown;
    grown[count] = (struct archive_segment){.id = sqlite3_column_int64(query, 0),
                                            .first_ns = sqlite3_column_int64(query, 1),
                                            .last_ns = sqlite3_column_int64(query, 2)};
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
    size_t room;
};

static int open_segment(struct reading *r, const char *name)
{
    char *path = NULL;
    if (r->fd >= 0 && strcmp(r->name, name) == 0)
        return 0;
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    if (asprintf(&path, "%s/%s", r->folder, name) < 0)
        return -ENOMEM;
    r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const int err = r->fd < 0 ? -errno : 0;
    free(path);
    snprintf(r->name, sizeof r->name, "%s", name);
    return err;
}

static int read_bytes(struct reading *r, uint64_t offset, size_t size)
{
    if (size > r->room) {
        uint8_t *grown = realloc(r->bytes, size);
        if (!grown)
            return -ENOMEM;
        r->bytes = grown;
        r->room = size;
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

static int64_t before(int64_t time_ns, uint64_t span_ns)
{
    int64_t result;
    return __builtin_sub_overflow(time_ns, (int64_t)span_ns, &result) ? INT64_MIN : result;
}

/* first > ?2: no block is longer, unless a line is. So the key finds the first one. */
#define BLOCKS                                                                                     \
    "SELECT b.offset, b.size, s.name FROM block b JOIN segment s ON s.id = b.segment WHERE "       \
    "b.period = ?1 AND b.first > ?2 AND b.first < ?3 AND b.last > ?4 AND "                         \
    "(?5 = 0 OR b.segment = ?5) ORDER BY b.first"

int archive_find_blocks(const struct archive_blocks *w,
                        int (*take)(void *user, struct block_reader *r), void *user)
{
    sqlite3_stmt *query;
    struct reading r = {.folder = w->folder, .fd = -1};
    const char *sql = w->newest ? BLOCKS " DESC LIMIT 1" : BLOCKS;
    if (sqlite3_prepare_v2(w->db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    const uint64_t longest_ns = (uint64_t)2 * ARCHIVE_ROWS * w->period_ns + hour_ns;
    const int64_t first_ns = before(w->from_ns, longest_ns);
    sqlite3_bind_int64(query, 1, (int64_t)w->period_ns);
    sqlite3_bind_int64(query, 2, w->after_ns > first_ns ? w->after_ns : first_ns);
    sqlite3_bind_int64(query, 3, w->to_ns);
    sqlite3_bind_int64(query, 4, w->from_ns);
    sqlite3_bind_int64(query, 5, w->segment);
    const int err = each_block(&r, query, take, user);
    sqlite3_finalize(query);
    if (r.fd >= 0)
        close(r.fd);
    free(r.bytes);
    return err;
}
