/* archive_store_index.c - the index of the archive: which block has which time, in which segment.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/database/database.h"

static const char *const steps[] = {
    "CREATE TABLE segment (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, period INTEGER NOT "
    "NULL, bytes INTEGER NOT NULL, first INTEGER, last INTEGER);"
    "CREATE TABLE block (period INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, "
    "segment INTEGER NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL, "
    "PRIMARY KEY (period, first, segment, offset)) WITHOUT ROWID;"
    "CREATE INDEX block_of_segment ON block (segment)"};
static const struct database_schema schema = {steps, sizeof steps / sizeof steps[0]};

int archive_index_run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -EIO;
}

/* Of rows that fftd did not write, or that lead out of the folder. */
static const char count_wrong[] =
    "SELECT (SELECT count(*) FROM segment WHERE id NOT BETWEEN 1 AND 4503599627370496 OR "
    "typeof(name) <> 'text' OR name NOT GLOB 'spectra_*.fsa' OR name GLOB '*/*' OR "
    "length(name) > 100 OR typeof(period) <> 'integer' OR period <= 0 OR "
    "typeof(bytes) <> 'integer' OR bytes < 0 OR "
    "ifnull(typeof(first) <> 'integer' AND first IS NOT NULL, 0) OR "
    "ifnull(typeof(last) <> 'integer' AND last IS NOT NULL, 0) OR "
    "abs(ifnull(first, 0)) > 4611686018427387904 OR abs(ifnull(last, 0)) > 4611686018427387904) + "
    "(SELECT count(*) FROM block WHERE typeof(period) <> 'integer' OR typeof(first) <> 'integer' "
    "OR typeof(last) <> 'integer' OR typeof(segment) <> 'integer' OR typeof(offset) <> 'integer' "
    "OR offset < 0 OR typeof(size) <> 'integer' OR size <= 0)";

/* sqlite finds most damage when it reads: a check of all of it finds it first. */
static int check_index(sqlite3 *db, const char *path, struct reason *why)
{
    int64_t wrong = 0;
    int err = database_check(db, path, why);
    if (err == 0 && database_read_number(db, count_wrong, NULL, 0, 0, &wrong) < 0)
        wrong = 1; /* abs() of the smallest number fails */
    return err == 0 && wrong > 0 ? reason_set(why, -EINVAL, "%s: fftd did not write its rows", path)
                                 : err;
}

static int open_checked(sqlite3 **db, const char *path, bool check, struct reason *why)
{
    int err = database_open(db, path, &schema, why);
    if (err == 0 && check)
        err = check_index(*db, path, why);
    if (err < 0) {
        database_close(*db);
        *db = NULL;
    }
    return err;
}

static int open_index(sqlite3 **db, const char *folder, bool check, struct reason *why)
{
    char *path = NULL;
    *db = NULL;
    if (asprintf(&path, "%s/%s", folder, ARCHIVE_INDEX) < 0)
        return reason_set(why, -ENOMEM, "%s: no memory", folder);
    int err = open_checked(db, path, check, why);
    const char *what = err == -EMLINK
                           ? "it has a second name, and an index is made again from the segments"
                           : "a damaged index, which is made again from the segments";
    if ((err == -EINVAL || err == -ENOTSUP || err == -EMLINK) &&
        database_move_aside(path, what) == 0)
        err = open_checked(db, path, check, why);
    free(path);
    return err;
}

int archive_index_open(sqlite3 **db, const char *folder, struct reason *why)
{
    return open_index(db, folder, true, why);
}

int archive_index_reopen(sqlite3 **db, const char *folder, struct reason *why)
{
    return open_index(db, folder, false, why);
}

int archive_index_open_read(sqlite3 **db, const char *folder)
{
    char *path = NULL;
    *db = NULL;
    if (asprintf(&path, "%s/%s", folder, ARCHIVE_INDEX) < 0)
        return -ENOMEM;
    const int err = database_open_to_read(db, path, NULL);
    free(path);
    return err;
}

static int find_segment(sqlite3 *db, const char *name, int64_t *id, uint64_t *bytes)
{
    sqlite3_stmt *query;
    const char *sql = "SELECT id, bytes FROM segment WHERE name = ?";
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW) {
        *id = sqlite3_column_int64(query, 0);
        *bytes = (uint64_t)sqlite3_column_int64(query, 1);
    }
    sqlite3_finalize(query);
    return code == SQLITE_ROW ? 0 : code == SQLITE_DONE ? -ENOENT : -EIO;
}

int archive_index_segment(sqlite3 *db, const char *name, uint64_t period_ns, int64_t *id,
                          uint64_t *bytes)
{
    sqlite3_stmt *insert;
    const int err = find_segment(db, name, id, bytes);
    if (err != -ENOENT)
        return err;
    const char *sql = "INSERT INTO segment (name, period, bytes) VALUES (?, ?, 0)";
    if (sqlite3_prepare_v2(db, sql, -1, &insert, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, (int64_t)period_ns);
    const int code = sqlite3_step(insert);
    sqlite3_finalize(insert);
    *id = sqlite3_last_insert_rowid(db);
    *bytes = 0;
    return code == SQLITE_DONE ? 0 : -EIO;
}

static int add_block(sqlite3 *db, int64_t segment, uint64_t offset, const struct block_head *head)
{
    const int64_t block[] = {(int64_t)head->period_ns, head->start_ns,     head->end_ns, segment,
                             (int64_t)offset,          (int64_t)head->size};
    const int64_t sums[] = {segment, (int64_t)(offset + head->size), head->start_ns, head->end_ns};
    const int err =
        database_run(db, "INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?, ?, ?)", block, 6);
    return err < 0 ? err
                   : database_run(db,
                                  "UPDATE segment SET bytes = max(bytes, ?2), "
                                  "first = min(ifnull(first, ?3), ?3), "
                                  "last = max(ifnull(last, ?4), ?4) WHERE id = ?1",
                                  sums, 4);
}

/* Of its own or within a transaction of the caller. */
static int in_savepoint(sqlite3 *db, int err)
{
    if (err < 0)
        archive_index_run(db, "ROLLBACK TO one");
    const int end = archive_index_run(db, "RELEASE one");
    return err < 0 ? err : end;
}

int archive_index_add(sqlite3 *db, int64_t segment, uint64_t offset, const struct block_head *head)
{
    const int err = archive_index_run(db, "SAVEPOINT one");
    return err < 0 ? err : in_savepoint(db, add_block(db, segment, offset, head));
}

int archive_index_remove(sqlite3 *db, int64_t segment)
{
    int err = archive_index_run(db, "SAVEPOINT one");
    if (err < 0)
        return err;
    err = database_run(db, "DELETE FROM block WHERE segment = ?", &segment, 1);
    if (err == 0)
        err = database_run(db, "DELETE FROM segment WHERE id = ?", &segment, 1);
    return in_savepoint(db, err);
}

void archive_index_totals(sqlite3 *db, struct archive_store_totals *out)
{
    sqlite3_stmt *query;
    const char *sql = "SELECT ifnull(sum(bytes), 0), count(*), ifnull(min(first), 0), "
                      "ifnull(max(last), 0) FROM segment";
    *out = (struct archive_store_totals){0};
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return;
    if (sqlite3_step(query) == SQLITE_ROW)
        *out = (struct archive_store_totals){.bytes = (uint64_t)sqlite3_column_int64(query, 0),
                                             .segments = (uint64_t)sqlite3_column_int64(query, 1),
                                             .oldest_ns = sqlite3_column_int64(query, 2),
                                             .newest_ns = sqlite3_column_int64(query, 3)};
    sqlite3_finalize(query);
}
