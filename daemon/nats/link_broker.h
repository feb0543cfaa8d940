/*
 * link_broker.h - a connection to a NATS broker, in a process of its own (link_process.h says why).
 *
 * Nothing that a broker does blocks a call for longer than is stated here, nor ends fftd. The
 * thread that connects owns it, and starts the process: it must outlive it. A process that could
 * not connect tries again; one whose connection is over, or that does not answer, is killed.
 */
#ifndef FFTD_DAEMON_NATS_LINK_BROKER_H
#define FFTD_DAEMON_NATS_LINK_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/nats/link_arguments.h"
#include "daemon/nats/link_check.h"
#include "daemon/nats/link_frame.h"
#include "daemon/nats/nats_options.h"

enum { LINK_CONNECT_WAIT_MS = 4500, LINK_WRITE_MS = 1000 };

struct reason;
struct link_broker;

struct link_broker_config {
    const struct nats_options *options; /* outlives it */
    const char *name;                   /* of the client; outlives it */
    const char *subject[LINK_SUBJECTS]; /* the subjects to subscribe to; they outlive it */
    unsigned subjects;
    bool ping; /* a broker that is silent for 4 s is lost */
};

int link_broker_create(struct link_broker **out, const struct link_broker_config *config);
/* Ends the process, at once. NULL is fine. */
void link_broker_destroy(struct link_broker *b);

/*
 * Connects and subscribes: within LINK_CONNECT_WAIT_MS, or until give_up(user) is true. False:
 * link_broker_why.
 */
bool link_broker_connect(struct link_broker *b, bool (*give_up)(void *user), void *user);
void link_broker_disconnect(struct link_broker *b);
/* After a failure and link_broker_disconnect: one line, valid until the next call. */
const char *link_broker_why(const struct link_broker *b);
/* The broker of the last link_broker_connect accepted this client, also if that failed then. */
bool link_broker_accepted(const struct link_broker *b);
/* The process crashed: the broker did what libnats does not bear. */
bool link_broker_crashed(const struct link_broker *b);

/* Any thread, within LINK_WRITE_MS. False: the connection is over, or the subject is too long. */
bool link_broker_publish(struct link_broker *b, enum link_frame_kind kind, const char *subject,
                         const char *reply, const void *data, size_t size);
/*
 * The next frame of the kinds MESSAGE, NOBODY and REFUSED, valid until the next call: 1. None
 * within timeout_ms: 0. The connection is over: -1.
 */
int link_broker_next(struct link_broker *b, int timeout_ms, struct link_frame *out);
/* Messages that had no room in the process, since the last call. */
uint64_t link_broker_take_dropped(struct link_broker *b);

#endif
