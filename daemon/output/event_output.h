/*
 * event_output.h - writes the events of triggers as rows of CSV, on a thread of its own.
 *
 * A row is an event that has ended. The trigger thread never waits: up to 65536 events wait for a
 * slow file, and those beyond are missed and counted.
 */
#ifndef FFTD_DAEMON_OUTPUT_EVENT_OUTPUT_H
#define FFTD_DAEMON_OUTPUT_EVENT_OUTPUT_H

#include "daemon/output/output_queue.h"
#include "daemon/trigger/event.h"

struct reason;

int event_output_start(struct output_queue **out, const struct output_queue_config *config,
                       struct reason *why);
/* On the trigger thread. */
void event_output_push(struct output_queue *q, const struct event *e);

#endif
