/*
 * output.h - writes lines as rows to a file or a pipe, on a thread of its own.
 *
 * In replay every line is a row. In real time a slow reader of the pipe gets fewer rows: lines that
 * arrive while a row is being written are folded into the next row (mean weighted by frames,
 * maximum, minimum, or newest sample) and counted. An output never blocks other threads in real
 * time.
 *
 * When the reader closes a pipe the output ends without an error. In replay, any other fault ends
 * it. In real time it drops lines, counts them, and tries again: see row_file.h.
 */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUT_H
#define FFTD_DAEMON_OUTPUT_OUTPUT_H

#include "daemon/calibration/active_calibration.h"
#include "daemon/files/out_file.h"
#include "daemon/line/line_ring.h"
#include "daemon/output/row.h"
#include "daemon/status/output_state.h"
#include "daemon/trigger/event_marks.h"

struct output_config {
    const char *name; /* "csv", "json": for the status */
    struct out_file_config file;
    void (*row)(struct text *out, const struct row *row);
    unsigned detector_index;
    bool whole_run; /* all lines are folded into one row, which is written at the end */
    bool lossless;
    struct event_marks *marks; /* events for rows; NULL: none */
    struct line_ring *lines;
    struct active_calibration *active_calibration; /* NULL: none */
    void (*ended)(void *user); /* called on the output's thread after the last row */
    void *user;
};

struct reason;
struct output;

/*
 * Opens the file and reads lines from now on. Errors name the file. A FIFO may get its reader
 * later. Until output_start_writing nothing is written and the content of an old file is kept.
 */
int output_start(struct output **out, const struct output_config *config, struct reason *why);
/*
 * Called once, when lines are certain to come: writes after the rows of an old file, or empties it
 * if so configured. -errno with one line in *why.
 */
int output_start_writing(struct output *o, struct reason *why);
/* Opens what has the file's name now, after the row that is being written. */
void output_reopen(struct output *o);
void output_state(struct output *o, struct output_state *out);
/* Ends the thread now. Rows that are not written yet are lost. */
void output_stop(struct output *o);
void output_destroy(struct output *o); /* NULL is fine */

#endif
