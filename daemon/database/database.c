/* database.c - opens small SQLite databases, renews their tables, and runs small statements. */
#include "daemon/database/database.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/system/interrupt.h"

enum { BUSY_TIMEOUT_MS = 5000 }; /* a person may look into the file with the sqlite3 tool */

static int errno_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
        return 0;
    case SQLITE_NOMEM:
        return -ENOMEM;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return -EINVAL;
    case SQLITE_INTERRUPT:
        return -EINTR;
    default:
        return -EIO;
    }
}

/* ---- small statements ------------------------------------------------------------------- */

static int prepare(sqlite3 *db, const char *sql, const int64_t *values, int count,
                   sqlite3_stmt **out)
{
    int code = sqlite3_prepare_v2(db, sql, -1, out, NULL);
    for (int i = 0; code == SQLITE_OK && i < count; i++)
        code = sqlite3_bind_int64(*out, i + 1, values[i]);
    return code;
}

int database_run(sqlite3 *db, const char *sql, const int64_t *values, int count)
{
    sqlite3_stmt *statement = NULL;
    int code = prepare(db, sql, values, count, &statement);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? 0 : errno_of(code);
}

int database_read_number(sqlite3 *db, const char *sql, const int64_t *values, int count,
                         int64_t absent, int64_t *out)
{
    sqlite3_stmt *query = NULL;
    *out = absent;
    int code = prepare(db, sql, values, count, &query);
    if (code == SQLITE_OK)
        code = sqlite3_step(query);
    if (code == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        *out = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : errno_of(code);
}

/* ---- checks ----------------------------------------------------------------------------- */

/* Counts in the reference: what belongs to this table, and what is this very object. */
static const char find_object[] =
    "SELECT (SELECT count(*) FROM sqlite_master WHERE tbl_name = ?3 COLLATE NOCASE), (SELECT "
    "count(*) FROM sqlite_master WHERE type IS ?1 AND name IS ?2 AND tbl_name IS ?3 AND sql IS ?4)";

/* Whether what belongs to the reference's tables is what the reference has: no trigger more. */
static int compare(sqlite3_stmt *objects, sqlite3_stmt *find, int64_t all)
{
    int code;
    bool same = true;
    while (same && (code = sqlite3_step(objects)) == SQLITE_ROW) {
        for (int i = 0; i < 4; i++)
            sqlite3_bind_value(find, i + 1, sqlite3_column_value(objects, i));
        same = sqlite3_step(find) == SQLITE_ROW;
        const bool ours = same && sqlite3_column_int64(find, 0) > 0;
        same = same && (!ours || sqlite3_column_int64(find, 1) == 1);
        all -= ours;
        sqlite3_reset(find);
    }
    return same && code != SQLITE_DONE ? errno_of(code) : same && all == 0 ? 0 : -EINVAL;
}

static int compare_with(sqlite3 *db, sqlite3 *reference, const struct database_schema *schema)
{
    sqlite3_stmt *objects = NULL, *find = NULL;
    const char *sql = "SELECT type, name, tbl_name, sql FROM sqlite_master";
    int64_t all = 0;
    int code = SQLITE_OK;
    for (unsigned i = 0; code == SQLITE_OK && i < schema->count; i++)
        code = sqlite3_exec(reference, schema->steps[i], NULL, NULL, NULL);
    int err = code != SQLITE_OK
                  ? -EIO
                  : database_read_number(reference, "SELECT count(*) FROM sqlite_master", NULL, 0,
                                         0, &all);
    if (err == 0)
        err = errno_of(sqlite3_prepare_v2(db, sql, -1, &objects, NULL));
    if (err == 0)
        err = errno_of(sqlite3_prepare_v2(reference, find_object, -1, &find, NULL));
    if (err == 0)
        err = compare(objects, find, all);
    sqlite3_finalize(objects);
    sqlite3_finalize(find);
    return err;
}

/* Against a database in memory that the same steps made. */
static int check_schema(sqlite3 *db, const char *path, const struct database_schema *schema,
                        struct reason *why)
{
    sqlite3 *reference = NULL;
    const int code = sqlite3_open(":memory:", &reference);
    const int err = code == SQLITE_OK ? compare_with(db, reference, schema) : errno_of(code);
    sqlite3_close(reference);
    if (err == -EINVAL)
        return reason_set(why, err, "%s: its tables are not from fftd", path);
    return err < 0 ? reason_set(why, err, "%s: %s", path, sqlite3_errmsg(db)) : 0;
}

static int is_interrupted(void *user)
{
    (void)user;
    return interrupt_requested();
}

int database_check(sqlite3 *db, const char *path, struct reason *why)
{
    enum { STEPS = 10000 }; /* of SQLite's machine: a millisecond */
    sqlite3_stmt *query = NULL;
    sqlite3_progress_handler(db, STEPS, is_interrupted, NULL);
    int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &query, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(query);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(query, 0) : NULL;
    int err = code == SQLITE_ROW ? -EINVAL : errno_of(code);
    if (text && strcmp(text, "ok") == 0)
        err = 0;
    if (err < 0)
        reason_set(why, err, "%s: %s", path, text ? text : sqlite3_errmsg(db));
    sqlite3_finalize(query);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    return err;
}

/* The database with its log: "", "-wal", ... */
static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
enum { PARTS = sizeof parts / sizeof parts[0] };

/*
 * SQLite would follow links, and wait for the reader of a FIFO. A reader changes no rows: a file
 * that a backup has too may be read. It does write to the log's index.
 */
static int check_files(const char *path, bool reads, struct reason *why)
{
    for (int i = 0; i < PARTS; i++) {
        char name[PATH_MAX];
        if (snprintf(name, sizeof name, "%s%s", path, parts[i]) >= (int)sizeof name)
            return reason_set(why, -ENAMETOOLONG, "%s: the name is too long", path);
        const int err = own_file_check(name);
        if (err == -ELOOP || err == -EISDIR || err == -ENODEV ||
            (err == -EMLINK && !(reads && i == 0)))
            return reason_set(why, err, "%s: %s", name, own_file_describe(err));
    }
    return 0;
}

int database_move_aside(const char *path, const char *why)
{
    unsigned number = 0;
    const int err = own_file_move_aside(path, why, &number);
    for (int i = 1; err == 0 && i < PARTS; i++) {
        char name[PATH_MAX];
        struct stat st;
        if (snprintf(name, sizeof name, "%s%s", path, parts[i]) < (int)sizeof name &&
            lstat(name, &st) == 0)
            own_file_move_aside(name, "it belongs to a damaged database", &number);
    }
    return err;
}

/* ---- opening ---------------------------------------------------------------------------- */

static int run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* A step and its version number in one transaction: a kill between them leaves the old version. */
static int apply_step(sqlite3 *db, const char *step, unsigned version)
{
    char number[48];
    snprintf(number, sizeof number, "PRAGMA user_version = %u", version);
    int code = run(db, "BEGIN IMMEDIATE");
    if (code != SQLITE_OK)
        return code;
    code = run(db, step);
    if (code == SQLITE_OK)
        code = run(db, number);
    return code == SQLITE_OK ? run(db, "COMMIT") : code; /* closing rolls back */
}

static int renew(sqlite3 *db, const char *path, const struct database_schema *schema,
                 struct reason *why)
{
    int64_t version = 0;
    int code = run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (code == SQLITE_OK && database_read_number(db, "PRAGMA user_version", NULL, 0, 0, &version))
        code = sqlite3_errcode(db);
    if (code == SQLITE_OK && version > (int64_t)schema->count)
        return reason_set(why, -ENOTSUP, "%s: a newer fftd wrote it (version %lld)", path,
                          (long long)version);
    for (unsigned i = (unsigned)version; code == SQLITE_OK && i < schema->count; i++)
        code = apply_step(db, schema->steps[i], i + 1);
    if (code == SQLITE_OK)
        return check_schema(db, path, schema, why);
    const int err = code == SQLITE_ERROR ? -EINVAL : errno_of(code); /* tables of somebody else */
    return reason_set(why, err, "%s: %s", path, sqlite3_errmsg(db));
}

static int open_file(sqlite3 **db, const char *path, bool reads, struct reason *why)
{
    const int flags = SQLITE_OPEN_READWRITE | (reads ? 0 : SQLITE_OPEN_CREATE);
    *db = NULL;
    const int err = check_files(path, reads, why);
    if (err < 0)
        return err;
    const int code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return reason_set(why, errno_of(code), "%s: %s", path,
                          *db ? sqlite3_errmsg(*db) : "no memory");
    sqlite3_busy_timeout(*db, BUSY_TIMEOUT_MS);
    /* Somebody else may have written the file: nothing in its schema is trusted. */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    return 0;
}

static int close_failed(sqlite3 **db, int err)
{
    if (err < 0) {
        database_close(*db);
        *db = NULL;
    }
    return err;
}

int database_open(sqlite3 **db, const char *path, const struct database_schema *schema,
                  struct reason *why)
{
    int err = open_file(db, path, false, why);
    if (err == 0)
        err = renew(*db, path, schema, why);
    return close_failed(db, err);
}

int database_open_to_read(sqlite3 **db, const char *path, struct reason *why)
{
    struct stat st;
    *db = NULL;
    const int err = lstat(path, &st) < 0 ? -errno : 0;
    if (err == -ENOENT)
        return reason_set(why, err, "%s: there is no such file", path);
    if (err < 0)
        return reason_set(why, err, "%s: %s", path, strerror(-err));
    /* Readers write to the shared index of the log. */
    return close_failed(db, open_file(db, path, true, why));
}

void database_close(sqlite3 *db)
{
    sqlite3_close(db);
}
