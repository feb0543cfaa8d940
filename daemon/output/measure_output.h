/*
 * measure_output.h - writes the results of measurements as rows of JSON, on a thread of its own.
 *
 * In replay every line's results are written. In real time the measure thread never waits: results
 * that do not fit into the queue are missed and counted.
 */
#ifndef FFTD_DAEMON_OUTPUT_MEASURE_OUTPUT_H
#define FFTD_DAEMON_OUTPUT_MEASURE_OUTPUT_H

#include "daemon/measure/report.h"
#include "daemon/output/output_queue.h"

struct reason;

int measure_output_start(struct output_queue **out, const struct output_queue_config *config,
                         struct reason *why);
/* On the measure thread. */
void measure_output_push(struct output_queue *q, struct measure_snapshot *s);

#endif
