/*
 * outputs.h - all that a run writes about its lines: --csv, --json, the measurements with
 * --measure-json, the events of --events, and the samples of --channel. Loop thread.
 */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUTS_H
#define FFTD_DAEMON_OUTPUT_OUTPUTS_H

#include "daemon/config/config.h"
#include "daemon/measure/measure_thread.h"
#include "daemon/status/status.h"
#include "daemon/trigger/event.h"

struct channels;
struct reason;
struct outputs;

struct outputs_config {
    const struct config *config; /* checked; outlives the outputs */
    struct line_ring *lines;
    struct reference_store *references;            /* NULL: none */
    struct active_calibration *active_calibration; /* outlives the outputs; NULL: none */
    struct spurs *spurs;                           /* the same */
    bool lossless;
    void (*ended)(void *user);    /* any thread: an output or the measurements ended */
    void (*measured)(void *user); /* the measure thread: there are new results */
    struct measure_feed *feed;    /* (optional) gets them */
    struct event_marks *marks;    /* (optional) events for JSON rows */
    void *user;
};

/* Opens the files and starts the threads. One line in *why names the file. */
int outputs_start(struct outputs **out, const struct outputs_config *config, struct reason *why);
/* The output of --channel, if it is given. Before the first sample is read. */
int outputs_start_channel(struct outputs *o, struct channels *channels, struct reason *why);
/* When lines are certain to come: writes after what old files have, or empties them. */
int outputs_start_writing(struct outputs *o, struct reason *why);
/* For SIGHUP: each output opens what has the name of its file now. */
void outputs_reopen(struct outputs *o);
/* On the trigger thread: an event has ended. */
void outputs_push_event(struct outputs *o, const struct event *e);
void outputs_end_events(struct outputs *o); /* none will follow; may be called again */
/* True if all have written everything, and nothing will follow. */
bool outputs_ended(struct outputs *o);
/* True if there are outputs and nobody reads any of them any more. */
bool outputs_closed(struct outputs *o);
/*
 * Gives a slow disk or pipe patience_ms for the last rows, then ends all threads. The line ring
 * must be closed. False: an output failed.
 */
bool outputs_stop(struct outputs *o, int patience_ms);
void outputs_destroy(struct outputs *o); /* NULL is fine */

void outputs_state(struct outputs *o, struct status *out); /* fills its part of the status */
struct measure_thread *outputs_measure_thread(struct outputs *o);
struct measure_thread *
outputs_own_measure_thread(struct outputs *o); /* of the measurements that browsers own */
struct iq_tap *outputs_tap(struct outputs *o);
/* Logs the newest result of each measurement. */
void outputs_log_results(struct outputs *o);

#endif
