/*
 * output.h - lines to a file or a pipe, on a thread of its own.
 *
 * In replay every line is a row. In real time a reader that does not keep up gets fewer rows: the
 * lines that came meanwhile are folded into the next one (mean weighted by frames, max, min,
 * newest sample), and counted. A reader that goes away ends the output cleanly. Nobody is blocked.
 */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUT_H
#define FFTD_DAEMON_OUTPUT_OUTPUT_H

#include "daemon/line/line_ring.h"
#include "daemon/output/row.h"

struct output_config {
    const char *path; /* "-": standard output */
    void (*row)(struct text *out, const struct row *row);
    unsigned trace_index;
    bool lossless;
    struct line_ring *lines;
    void (*ended)(void *user); /* on the output's thread, when no further row will be written */
    void *user;
};

struct output_report {
    bool ended;
    int error;                     /* why it ended before the lines did; 0 and -EPIPE are clean */
    uint64_t rows, folded, missed; /* lines folded into others; lines that no row shows */
};

struct output;

/*
 * Opens the file and takes lines from now on; errors name the file. A FIFO may get its reader
 * later. Nothing is written, and what an old file holds is kept, until output_start_writing.
 */
int output_start(struct output **out, const struct output_config *config, char *error,
                 size_t error_size);
/* Once, when it is sure that there will be lines: empties the file and lets rows out. -errno. */
int output_start_writing(struct output *o);
void output_report(struct output *o, struct output_report *out);
/* Ends it now: rows that its reader did not take are given up. */
void output_stop(struct output *o);
void output_destroy(struct output *o); /* NULL is fine */

#endif
