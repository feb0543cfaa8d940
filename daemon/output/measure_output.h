/*
 * measure_output.h - writes the results of measurements as rows of JSON, on a thread of its own.
 *
 * In replay every line's results are written. In real time the measure thread never waits: results
 * that do not fit into the queue are missed and counted. Trouble with the file is as in output.h.
 */
#ifndef FFTD_DAEMON_OUTPUT_MEASURE_OUTPUT_H
#define FFTD_DAEMON_OUTPUT_MEASURE_OUTPUT_H

#include "daemon/measure/report.h"
#include "daemon/status/output_state.h"

struct measure_output_config {
    const char *path; /* "-": standard output */
    bool lossless;
    void (*ended)(void *user); /* on the output's thread, after the last row */
    void *user;
};

struct measure_output;

/* As output_start and output_start_writing. */
int measure_output_start(struct measure_output **out, const struct measure_output_config *config,
                         char *error, size_t error_size);
int measure_output_start_writing(struct measure_output *o);
/* On the measure thread: the next results; or that none will follow. */
void measure_output_push(struct measure_output *o, struct measure_snapshot *s);
void measure_output_close(struct measure_output *o);
void measure_output_state(struct measure_output *o, struct output_state *out);
/* Ends the thread now. Rows that are not written yet are lost. NULL is fine. */
void measure_output_stop(struct measure_output *o);
void measure_output_destroy(struct measure_output *o); /* NULL is fine */

#endif
