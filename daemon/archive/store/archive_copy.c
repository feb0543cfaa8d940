/* archive_copy.c - finds blocks in the order in which they were appended, and reads their bytes. */
#include "daemon/archive/store/archive_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/log.h"

/* Where a block is. */
struct place {
    int64_t segment, offset, size;
    char name[128]; /* of the segment */
};

#define PLACE                                                                                      \
    "SELECT b.segment, b.offset, b.size, s.name FROM block b JOIN segment s ON s.id = b.segment "

static void read_place(sqlite3_stmt *query, struct place *out)
{
    out->segment = sqlite3_column_int64(query, 0);
    out->offset = sqlite3_column_int64(query, 1);
    out->size = sqlite3_column_int64(query, 2);
    const char *name = (const char *)sqlite3_column_text(query, 3);
    snprintf(out->name, sizeof out->name, "%s", name ? name : "");
}

static int prepare(sqlite3 *db, const char *sql, const int64_t *values, int count,
                   sqlite3_stmt **out)
{
    if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
        return -EIO;
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(*out, i + 1, values[i]);
    return 0;
}

/* The first row. -ENODATA: there is none. */
static int find_place(sqlite3 *db, const char *sql, const int64_t *values, int count,
                      struct place *out)
{
    sqlite3_stmt *query;
    if (prepare(db, sql, values, count, &query) < 0)
        return -EIO;
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW)
        read_place(query, out);
    sqlite3_finalize(query);
    return code == SQLITE_ROW ? 0 : code == SQLITE_DONE ? -ENODATA : -EIO;
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* -EBADMSG: the segment ends before. */
static int read_bytes(const char *folder, const struct place *p, uint8_t *into, size_t size)
{
    const int fd = archive_store_open_segment(folder, p->name);
    int err = fd < 0 ? fd : 0;
    if (err == 0 && pread(fd, into, size, (off_t)p->offset) != (ssize_t)size)
        err = -EBADMSG;
    if (fd >= 0)
        close(fd);
    return err;
}

static int read_head(const char *folder, const struct place *p, struct block_head *out)
{
    uint8_t bytes[BLOCK_HEAD];
    const int err = read_bytes(folder, p, bytes, sizeof bytes);
    return err < 0 ? err : block_read_head(bytes, out);
}

static int grow(struct archive_copy_block *b, size_t size)
{
    if (size <= b->capacity)
        return 0;
    uint8_t *grown = realloc(b->bytes, size);
    if (!grown)
        return -ENOMEM;
    b->bytes = grown;
    b->capacity = size;
    return 0;
}

/* A whole, sound block, or -EBADMSG. */
static int read_block(const char *folder, const struct place *p, struct archive_copy_block *out)
{
    if (p->size <= BLOCK_HEAD || p->size > INT32_MAX)
        return -EBADMSG;
    int err = grow(out, (size_t)p->size);
    if (err == 0)
        err = read_bytes(folder, p, out->bytes, (size_t)p->size);
    if (err == 0)
        err = block_read_head(out->bytes, &out->head);
    if (err == 0)
        err = out->head.size == p->size ? block_check(out->bytes, &out->head) : -EBADMSG;
    out->size = err == 0 ? (size_t)p->size : 0;
    return err;
}

void archive_copy_finish(struct archive_copy_block *b)
{
    free(b->bytes);
    *b = (struct archive_copy_block){0};
}

/* ---- places ------------------------------------------------------------------------------ */

/* The first of the query's rows whose file says that it is this block. */
static int find_checksum(sqlite3_stmt *query, const char *folder, uint32_t checksum,
                         struct place *out)
{
    struct block_head head;
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW) {
        read_place(query, out);
        if (read_head(folder, out, &head) == 0 && head.checksum == checksum)
            return 0;
    }
    return code == SQLITE_DONE ? -ENODATA : -EIO;
}

/* *at: where it is; without a segment: wherever. */
static int find_id(sqlite3 *db, const char *folder, uint64_t period_ns, struct block_id id,
                   const struct block_place *at, struct place *out)
{
    const int64_t values[] = {(int64_t)period_ns, id.start_ns, at->segment, at->offset};
    sqlite3_stmt *query;
    const char *sql = PLACE "WHERE b.period = ?1 AND b.first = ?2 AND (?3 = 0 OR (b.segment = ?3 "
                            "AND b.offset = ?4)) ORDER BY b.segment, b.offset";
    if (prepare(db, sql, values, 4, &query) < 0)
        return -EIO;
    const int err = find_checksum(query, folder, id.checksum, out);
    sqlite3_finalize(query);
    return err;
}

/* At its place, or elsewhere if the index was made again. */
static int find_after(const struct archive_copy_query *q, struct place *out)
{
    const struct block_place anywhere = {0};
    const int err = find_id(q->db, q->folder, q->period_ns, q->after, &q->after_place, out);
    return err != -ENODATA || q->after_place.segment == 0
               ? err
               : find_id(q->db, q->folder, q->period_ns, q->after, &anywhere, out);
}

int archive_copy_has(sqlite3 *db, const char *folder, uint64_t period_ns, struct block_id id)
{
    const struct block_place anywhere = {0};
    struct place place;
    const int err = find_id(db, folder, period_ns, id, &anywhere, &place);
    return err == 0 ? 1 : err == -ENODATA ? 0 : err;
}

int archive_copy_newest(sqlite3 *db, const char *folder, uint64_t period_ns, struct block_id *out)
{
    const int64_t period = (int64_t)period_ns;
    struct place place;
    struct block_head head;
    const char *sql = PLACE "WHERE b.segment = (SELECT max(id) FROM segment WHERE period = ?1 AND "
                            "bytes > 0) ORDER BY b.offset DESC LIMIT 1";
    int err = find_place(db, sql, &period, 1, &place);
    if (err == 0)
        err = read_head(folder, &place, &head);
    if (err == 0)
        *out = (struct block_id){head.start_ns, head.checksum};
    return err == -EBADMSG || err == -ENOENT ? -ENODATA : err;
}

/* The next place in the segment *p is in, or in a later one. first_ns: blocks begin after it. */
static int find_next(const struct archive_copy_query *q, int64_t first_ns, struct place *p)
{
    const char *in_segment = PLACE "WHERE b.segment = ?1 AND b.offset > ?2 AND b.last > ?3 AND "
                                   "b.first > ?4 ORDER BY b.offset LIMIT 1";
    const char *segments = "SELECT id, 0, 0, name FROM segment WHERE period = ?1 AND id > ?2 AND "
                           "last > ?3 AND last > ?4 ORDER BY id LIMIT 1";
    for (;;) {
        const int64_t in[] = {p->segment, p->offset, q->from_ns, first_ns};
        int err = find_place(q->db, in_segment, in, 4, p);
        if (err != -ENODATA)
            return err;
        const int64_t after[] = {(int64_t)q->period_ns, p->segment, q->from_ns, first_ns};
        err = find_place(q->db, segments, after, 4, p);
        if (err < 0)
            return err;
        p->offset = -1;
    }
}

int archive_copy_next(const struct archive_copy_query *q, struct archive_copy_block *out)
{
    struct place p = {0};
    int64_t first_ns = INT64_MIN;
    out->gap = false;
    int err = q->has_after ? find_after(q, &p) : 0;
    if (err == -ENODATA) {
        p = (struct place){0};
        first_ns = q->after.start_ns;
        out->gap = true;
        err = 0;
    }
    while (err == 0 && (err = find_next(q, first_ns, &p)) == 0) {
        err = read_block(q->folder, &p, out);
        out->place = (struct block_place){p.segment, p.offset};
        if (err != -EBADMSG && err != -ENOENT) /* retention deletes segments meanwhile */
            return err;
        if (err == -EBADMSG)
            log_warn("archive: %s: a block is damaged", p.name);
        err = 0;
    }
    return err;
}
