/* database.c - opens small SQLite databases, renews their tables, and runs small statements. */
#include "daemon/base/database.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"

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

static int renew(sqlite3 *db, const char *path, const struct database_schema *schema, char *error,
                 size_t error_size)
{
    int64_t version = 0;
    int code = run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (code == SQLITE_OK && database_read_number(db, "PRAGMA user_version", NULL, 0, 0, &version))
        code = sqlite3_errcode(db);
    if (code == SQLITE_OK && version > (int64_t)schema->count)
        return reason_set(error, error_size, -EINVAL, "%s: a newer fftd wrote it (version %lld)",
                          path, (long long)version);
    for (unsigned i = (unsigned)version; code == SQLITE_OK && i < schema->count; i++)
        code = apply_step(db, schema->steps[i], i + 1);
    if (code == SQLITE_OK)
        return 0;
    return reason_set(error, error_size, errno_of(code), "%s: %s", path, sqlite3_errmsg(db));
}

static int open_file(sqlite3 **db, const char *path, int flags, char *error, size_t error_size)
{
    const int code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return reason_set(error, error_size, errno_of(code), "%s: %s", path,
                          *db ? sqlite3_errmsg(*db) : "no memory");
    sqlite3_busy_timeout(*db, BUSY_TIMEOUT_MS);
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

int database_open(sqlite3 **db, const char *path, const struct database_schema *schema, char *error,
                  size_t error_size)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int err = open_file(db, path, flags, error, error_size);
    if (err == 0)
        err = renew(*db, path, schema, error, error_size);
    return close_failed(db, err);
}

int database_open_to_read(sqlite3 **db, const char *path, char *error, size_t error_size)
{
    *db = NULL;
    const int err = access(path, F_OK) < 0 ? -errno : 0;
    if (err == -ENOENT)
        return reason_set(error, error_size, err, "%s: there is no such file", path);
    if (err < 0)
        return reason_set(error, error_size, err, "%s: %s", path, strerror(-err));
    /* Readers write to the shared index of the log. */
    return close_failed(db, open_file(db, path, SQLITE_OPEN_READWRITE, error, error_size));
}

void database_close(sqlite3 *db)
{
    sqlite3_close(db);
}
