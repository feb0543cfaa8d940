/*
 * own_measure.h - measurements that a client sets up for itself, and the message "own_measure" with
 * their results. Loop thread.
 *
 * They need no control: their number and memory are bounded, and the thread that makes them has the
 * lowest priority. They end with the client.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_OWN_MEASURE_H
#define FFTD_DAEMON_LIVE_MESSAGE_OWN_MEASURE_H

#include <stdbool.h>

struct ws_message;
struct live;
struct option_text;
struct own_measure_topic;
struct reason;
struct subscriber;

enum {
    OWN_MESSAGES_PER_S = 50,    /* of one client */
    OWN_MEASUREMENTS = 16,      /* of one client */
    OWN_MEASUREMENTS_ALL = 128, /* of all clients */
};

void own_measure_push(struct live *l); /* marks results as pending for clients with new ones */
/* If it is too early, sets the client's timer. */
bool own_measure_is_pending(const struct subscriber *u);
struct ws_message *own_measure_next(struct subscriber *u); /* NULL: no memory */
/* Sets one up, or replaces it. text: its name and keys. 0, or -errno with one line in *why. */
int own_measure_set(struct subscriber *u, const struct option_text *text, struct reason *why);
/* -ENOENT: there is none of this name */
int own_measure_remove(struct subscriber *u, const char *name, struct reason *why);
void own_measure_leave(struct subscriber *u); /* removes all */
void own_measure_finish(struct own_measure_topic *topic);

#endif
