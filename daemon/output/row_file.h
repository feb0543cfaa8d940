/*
 * row_file.h - a file, pipe or device that gets whole rows. The output's thread.
 *
 * With `retries`, a full disk, a file that has reached its limit of size, or a FIFO whose reader
 * left is no end: the row is taken back and written again, after a time that doubles from 100 ms to
 * 5 s (400 ms for a FIFO). A regular file is cut back to its last whole row. A FIFO gets the row
 * from its start, once it has another reader. Where neither is possible the rest of the row
 * follows.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_FILE_H
#define FFTD_DAEMON_OUTPUT_ROW_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/base/text.h"

struct row_file {
    const char *path; /* "-": standard output */
    int fd;           /* -1: a FIFO without a reader */
    bool retries;
    bool regular, fifo; /* a FIFO with a name can be opened again */
    size_t chunk;       /* bytes that one write cannot block on after poll reported room */
    struct text row;    /* being written */
    size_t written;     /* bytes of it */
    off_t start;        /* of the row in a regular file */
    int error;          /* -errno while writing fails and is tried again; 0: it works */
    uint64_t retry_ns;  /* the next try */
    int delay_ms;       /* before the try after that */
};

/* 0 or -errno; a FIFO without a reader is no error. row_file_close accepts a failed one. */
int row_file_open(struct row_file *f, const char *path, bool retries);
/* Empties a regular file with a name. 0 or -errno. */
int row_file_truncate(struct row_file *f);
/* Clears `row` for the next one. */
struct text *row_file_next(struct row_file *f);
bool row_file_busy(const struct row_file *f); /* true: a part of the row is not written yet */
/*
 * Writes as much of the row as the file accepts; waits for room at most timeout_ms. 0, also if
 * f->error is set and the next try has to wait; -errno: it will never be written.
 */
int row_file_write(struct row_file *f, int timeout_ms);
/* As above, for the last rows: tries now. -errno if that fails. */
int row_file_write_last(struct row_file *f, int timeout_ms);
/* Logs a change of `error`, and how many rows were dropped until then. */
void row_file_log(const struct row_file *f, uint64_t dropped);
/* Takes back an unfinished row. */
void row_file_close(struct row_file *f);

#endif
