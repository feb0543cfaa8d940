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
#include <stddef.h>
#include <stdint.h>

struct control;
struct frame;
struct live;
struct measure_snapshot;
struct reason;
struct subscriber;

enum {
    OWN_MESSAGES_PER_S = 50,    /* of one client */
    OWN_MEASUREMENTS = 16,      /* of one client */
    OWN_MEASUREMENTS_ALL = 128, /* of all clients */
};

struct own_measure_news {
    struct measure_snapshot *newest; /* held */
    uint32_t last_owner;             /* counts clients with measurements */
};

/* Those of a client. */
struct own_measures {
    uint32_t owner;   /* its number; 0: it never had any */
    uint32_t count;   /* how many */
    uint64_t next_ns; /* no results before */
};

void own_measure_push(struct live *l); /* makes results due for the clients that have new ones */
/* If it is too early, sets the client's timer. */
bool own_measure_is_due(const struct subscriber *u);
struct frame *own_measure_next(struct subscriber *u); /* NULL: no memory */
/* Sets up or removes one. One line in error. */
int own_measure_change(struct subscriber *u, const struct control *m, struct reason *why);
void own_measure_leave(struct subscriber *u); /* removes all */
void own_measure_finish(struct own_measure_news *news);

#endif
