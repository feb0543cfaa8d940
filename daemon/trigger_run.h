/*
 * trigger_run.h - the triggers of a run, and what their events cause in its other parts. The loop
 * thread, except where a comment names another.
 */
#ifndef FFTD_DAEMON_TRIGGER_RUN_H
#define FFTD_DAEMON_TRIGGER_RUN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "daemon/config/config.h"
#include "daemon/output/outputs.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/sensor/sensor.h"
#include "daemon/status/status.h"
#include "daemon/trigger/event_log.h"
#include "daemon/trigger/triggers.h"
#include "daemon/trigger/webhook/webhook.h"

struct reason;

/* Parts of the run that events concern. All outlive the triggers. */
struct trigger_run_use {
    const struct config *config;
    struct line_ring *lines;
    struct outputs *outputs;
    struct recorder *recorder; /* NULL: none */
    struct sensor *sensor;     /* NULL: none */
    struct measure_feed *feed;
    struct event_marks *marks;
    bool lossless;
    void (*wake)(void *user); /* any thread: wakes the loop */
    void *user;
};

/* Zeroed: not started; every function but fire accepts it. */
struct trigger_run {
    struct trigger_run_use use;
    struct event_store *events;
    struct event_log *log; /* NULL: events are in memory only */
    struct iq_tap *tap;
    struct triggers *triggers;
    struct webhooks *webhooks;
    /* the trigger thread sets them */
    atomic_bool hold;
    atomic_ullong held_event, last_event, last_recording; /* ids; 0: none */
};

/* On a failure, what was started still runs. */
int trigger_run_start(struct trigger_run *t, const struct trigger_run_use *use, struct reason *why);
/* Before the recorder is finished: the triggers start and end recordings. */
void trigger_run_stop(struct trigger_run *t, int patience_ms);
void trigger_run_destroy(struct trigger_run *t); /* after the dsp thread has ended */

bool trigger_run_ended(const struct trigger_run *t); /* every line decided, every request done */
bool trigger_run_holds(struct trigger_run *t);       /* an event holds the replay: true once */
bool trigger_run_stops(const struct trigger_run *t); /* an event ends the run, and is recorded */
void trigger_run_fire(const struct trigger_run *t);  /* those of the type external */
void trigger_run_status(const struct trigger_run *t, struct status *out);
/* What the triggers found, in the summary at the end. */
void trigger_run_log(const struct trigger_run *t, bool with_events);

#endif
