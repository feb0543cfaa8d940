/*
 * event_log.h - stores events in the database `events.sqlite` of a folder, on a thread of its own.
 *
 * The event store, which keeps the newest EVENTS_KEPT events, is the queue of the thread: no other
 * thread waits for it. A transaction that fails is repeated once a second. Events that leave the
 * store before they are written are lost, counted and logged.
 */
#ifndef FFTD_DAEMON_TRIGGER_EVENT_LOG_H
#define FFTD_DAEMON_TRIGGER_EVENT_LOG_H

#include "daemon/figure/figure.h"
#include "daemon/trigger/event_table.h"

struct event_log_config {
    const char *folder; /* must exist */
    struct event_limits limits;
    struct event_store *events; /* ids go on after the newest of the database */
};

struct reason;
struct event_log;

/*
 * Opens or creates the database, before the first event, and starts the thread. Blocks on the disk.
 * -EBUSY: another fftd stores its events there; or as database_open. One line in *why.
 */
int event_log_start(struct event_log **out, const struct event_log_config *config,
                    struct reason *why);
/* Any thread: the store has changes. NULL is fine. */
void event_log_wake(struct event_log *l);
/* Writes the remaining events, and joins the thread. NULL is fine, as for the next one. */
void event_log_stop(struct event_log *l);
void event_log_destroy(struct event_log *l);

/* ---- any thread ---- */

struct event_log_state {
    bool on;         /* there is a database */
    uint64_t stored; /* events of this run that it got */
    uint64_t errors; /* transactions that failed */
};
extern const struct figure event_log_figures[];                         /* of the metrics */
void event_log_state(struct event_log *l, struct event_log_state *out); /* NULL: all zero */
/*
 * The events that pass the filter, of the store and of the database, oldest first, as a new JSON
 * list. NULL log: of the store alone. With a log it may block on the disk: not for the loop.
 * -EIO, -ENOMEM with one line in *why.
 */
int event_log_find(struct event_log *l, struct event_store *events,
                   const struct event_filter *filter, json_t **out, struct reason *why);

#endif
