/*
 * database.h - opens a small SQLite database in a file, renews its tables, and runs small
 * statements.
 *
 * The journal is a write-ahead log with `synchronous = NORMAL`: a process that is killed at any
 * moment loses nothing that it had committed; a machine that loses its power may lose the last
 * transactions, and never the file. One thread uses a connection. Blocks on the disk: not for the
 * dsp and loop threads.
 */
#ifndef FFTD_DAEMON_DATABASE_DATABASE_H
#define FFTD_DAEMON_DATABASE_DATABASE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

/* The tables of a database, version by version: SQL that makes version i + 1 out of version i. */
struct database_schema {
    const char *const *steps;
    unsigned count;
};

/*
 * Opens `path`, creates a missing file, and applies the steps that the file lacks. The caller
 * closes *db with database_close(). On failure *db is NULL. -EINVAL: the file is no database, is
 * damaged, or has other tables, or a trigger; -ENOTSUP: a newer fftd wrote it; -ELOOP, -ENODEV,
 * -EMLINK: it or its log is a link, no regular file, or has another name; -EIO, -ENOMEM: it cannot
 * be opened or written.
 */
int database_open(sqlite3 **db, const char *path, const struct database_schema *schema,
                  struct reason *why);
/*
 * Opens a database that another connection has opened with database_open(): nothing is created or
 * renewed. -ENOENT: there is no such file. Otherwise as database_open().
 */
int database_open_to_read(sqlite3 **db, const char *path, struct reason *why);
/* Reads all of it. -EINVAL: it is damaged; -EINTR: interrupt_requested(). */
int database_check(sqlite3 *db, const char *path, struct reason *why);
/* For a database that no process has open: see own_file_move_aside(). Moves its log, too. */
int database_move_aside(const char *path, const char *why);
/* NULL is fine. Every statement of it must have been finalized. */
void database_close(sqlite3 *db);

/* Both bind `count` whole numbers, and return 0, or -EIO, -EINVAL, -ENOMEM: sqlite3_errmsg(). */
int database_run(sqlite3 *db, const char *sql, const int64_t *values, int count);
/* *out: the first column of the first row; `absent` if it is NULL or there is no row. */
int database_read_number(sqlite3 *db, const char *sql, const int64_t *values, int count,
                         int64_t absent, int64_t *out);

#endif
