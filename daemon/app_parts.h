/* app_parts.h - the parts of the daemon, for the files that start, run and stop them. */
#ifndef FFTD_DAEMON_APP_PARTS_H
#define FFTD_DAEMON_APP_PARTS_H

#include <limits.h>
#include <stdatomic.h>
#include <uv.h>

#include "daemon/api/reference_takes.h"
#include "daemon/api/services.h"
#include "daemon/api/spur_learning.h"
#include "daemon/archive/archiver.h"
#include "daemon/config/config.h"
#include "daemon/control/radio_control.h"
#include "daemon/format/band_plan.h"
#include "daemon/output/outputs.h"
#include "daemon/record/recorder.h"
#include "daemon/run/acquisition.h"
#include "daemon/sensor/sensor.h"
#include "daemon/server/server.h"
#include "daemon/status/summary.h"
#include "daemon/trigger/event_log.h"
#include "daemon/trigger/triggers.h"
#include "daemon/trigger/webhook/webhook.h"

struct reason;

struct app {
    struct config *config;
    uv_loop_t loop;
    uv_async_t bell; /* rings for a line, the end of the line ring, the end of an output */
    uv_signal_t on_int, on_term, on_hup, on_usr1;
    uv_timer_t tick;
    struct line_ring *lines;
    struct acquisition *acquisition;
    struct radio_control control;
    struct server *server; /* NULL: none configured */
    /* For calls through a broker without a server, which reads no lines: nothing is learnt. */
    struct services services;
    struct reference_takes no_references;
    struct spur_learning no_learning;
    struct outputs *outputs;
    struct calibrator *calibrator;
    struct reference_store *references;
    struct spurs *spurs;
    struct band_plan band_plan;
    char spurs_file[PATH_MAX]; /* in the state directory; "": none */
    struct measure_feed *measure_feed;
    struct event_marks *event_marks;
    struct event_store *events;
    struct event_log *event_log; /* NULL: events are in memory only */
    struct iq_tap *trigger_tap;
    struct triggers *triggers;
    struct webhooks *webhooks;
    /* app_actions.c; the trigger thread sets them */
    atomic_bool hold;
    atomic_ullong held_event, last_event, last_recording; /* ids; 0: none */
    struct recorder *recorder;                            /* NULL: no --record */
    struct archiver *archiver;                            /* NULL: no --archive */
    struct sensor *sensor;                                /* NULL: no --nats */
    struct summary stats;
    bool stopping;
    bool warned_calibration;    /* that the table in force is for another radio */
    bool progress;              /* shown on the terminal */
    enum acquisition_rest rest; /* threads that still run after the stop */
    int signal;                 /* that stopped it before the last line; 0: none */
    int exit_status;
};

/* Starts all parts. < 0: the reason is in `error`; those that were started still run. */
int app_start(struct app *a, struct reason *why);

void app_status(struct app *a, struct status *out); /* of all parts */

/* Reads the tables of calibration and spurs and the band plan, at the start and again at a reload.
 */
int app_load_tables(struct app *a, struct reason *why);

/* app_triggers.c: the triggers of the configuration, and the tap that they read. */
int app_start_triggers(struct app *a, struct reason *why);
bool app_triggers_ended(const struct app *a); /* every line is decided, and every action done */
/* What the triggers found, in the summary at the end. */
void app_log_triggers(const struct app *a);
void app_fire_triggers(const struct app *a); /* SIGUSR1 */
/* app_actions.c. On the trigger thread: the event has these consequences for the run. */
void app_note_action(struct app *a, const struct trigger_setup *setup, const struct event *e);
bool app_take_actions(struct app *a);                           /* on the loop; true: stop now */
void app_destroy_triggers(struct app *a);                       /* after the dsp thread has ended */
int app_check_config(struct config *fresh, struct reason *why); /* for a reload */

/* Wakes the loop: `user` is the app. Any thread. */
void app_ring_bell(void *user);

#endif
