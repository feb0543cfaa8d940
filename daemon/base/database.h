/*
 * database.h - opens a small SQLite database in a file, renews its tables, and runs small
 * statements.
 *
 * The journal is a write-ahead log with `synchronous = NORMAL`: a process that is killed at any
 * moment loses nothing that it had committed; a machine that loses its power may lose the last
 * transactions, and never the file. One thread uses a connection. Blocks on the disk: not for the
 * dsp and loop threads.
 */
#ifndef FFTD_DAEMON_BASE_DATABASE_H
#define FFTD_DAEMON_BASE_DATABASE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* The tables of a database, version by version: SQL that makes version i + 1 out of version i. */
struct database_schema {
    const char *const *steps;
    unsigned count;
};

/*
 * Opens `path`, creates a missing file, and applies the steps that the file lacks. The caller
 * closes *db with database_close(). -EINVAL: the file is no database, or a newer fftd wrote it.
 * -EIO, -ENOMEM: the file cannot be opened or written. On failure *db is NULL.
 */
int database_open(sqlite3 **db, const char *path, const struct database_schema *schema, char *error,
                  size_t error_size);
/*
 * Opens a database that another connection has opened with database_open(): nothing is created or
 * renewed. -ENOENT: there is no such file. Otherwise as database_open().
 */
int database_open_to_read(sqlite3 **db, const char *path, char *error, size_t error_size);
/* NULL is fine. Every statement of it must have been finalized. */
void database_close(sqlite3 *db);

/* Both bind `count` whole numbers, and return 0, or -EIO, -EINVAL, -ENOMEM: sqlite3_errmsg(). */
int database_run(sqlite3 *db, const char *sql, const int64_t *values, int count);
/* *out: the first column of the first row; `absent` if it is NULL or there is no row. */
int database_read_number(sqlite3 *db, const char *sql, const int64_t *values, int count,
                         int64_t absent, int64_t *out);

#endif
