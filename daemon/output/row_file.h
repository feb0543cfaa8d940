/*
 * row_file.h - a file, pipe or device that gets whole rows. The output's thread.
 *
 * With `retries`, a full disk, a file that has reached its limit of size, a FIFO whose reader left,
 * or a name that now belongs to somebody else's file is no end: the row is taken back and written
 * again, after a time that doubles from 100 ms to 5 s (400 ms for a FIFO). A regular file is cut
 * back to its last whole row. A FIFO gets the row from its start, once it has another reader. Where
 * neither is possible the rest of the row follows. A row whose beginning somebody cut off, as
 * logrotate's copytruncate does, is written again as a whole.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_FILE_H
#define FFTD_DAEMON_OUTPUT_ROW_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/files/out_file.h"

enum { OUTPUT_WAIT_MS = 100 }; /* of an output's thread, before it looks whether it has to end */

struct row_file {
    struct out_file file;
    bool retries;
    size_t chunk;      /* bytes that one write cannot block on after poll reported room */
    struct text row;   /* being written: the head of a file, if it has one, and the row */
    size_t head;       /* bytes of the head, which only an empty file gets */
    size_t from;       /* where the written part begins: 0, or after the head */
    size_t written;    /* where it ends */
    bool begun;        /* a part may be written: no other file gets the rest */
    bool has_head;     /* a pipe or device */
    off_t start;       /* of the row in a regular file */
    int error;         /* -errno while writing fails and is tried again; 0: it works */
    struct reason why; /* the whole line about it; "": strerror says it */
    uint64_t retry_ns; /* the next try */
    int delay_ms;      /* before the try after that */
};

/* As out_file_open. row_file_close accepts a failed one. */
int row_file_open(struct row_file *f, const struct out_file_config *config, bool retries,
                  struct reason *why);
/* As out_file_begin; the head of an empty file waits to be written. */
int row_file_begin(struct row_file *f, struct reason *why);
/* Clears `row` for the next one, except the head. */
struct text *row_file_next(struct row_file *f);
bool row_file_busy(const struct row_file *f); /* true: a part of the row is not written yet */
/*
 * Writes as much of the row as the file accepts; waits for room at most timeout_ms. 0, also if
 * f->error is set and the next try has to wait; -errno: it will never be written.
 */
int row_file_write(struct row_file *f, int timeout_ms);
/* As above, for the last rows: tries now, for OUTPUT_WAIT_MS. -errno if that fails. */
int row_file_write_last(struct row_file *f);
/* Opens what has the name now, between two rows only. 0 as row_file_write; -EAGAIN: in a row. */
int row_file_reopen(struct row_file *f);
/* Logs a change of `error`, and how many rows were dropped until then. */
void row_file_log(const struct row_file *f, uint64_t dropped);
/* Takes back an unfinished row. */
void row_file_close(struct row_file *f);

#endif
