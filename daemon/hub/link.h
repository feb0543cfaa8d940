/*
 * link.h - what a sensor has to do with its broker, on a thread of its own. link_broker.h has the
 * connection.
 *
 * Sends what is in the outbox. The broker confirms by an echo: the thread publishes its run and the
 * number of the last message at SUBJECT.echo, which it subscribes to, once a second or after 16
 * messages; the broker keeps the order of a connection's messages. An echo that takes more than 5 s
 * ends the connection. What the broker forbids ends it, too, unless it concerns requests and
 * replies only. After a loss, or without a broker, the thread tries again four times a
 * second.
 */
#ifndef FFTD_DAEMON_HUB_LINK_H
#define FFTD_DAEMON_HUB_LINK_H

#include "daemon/config/nats_options.h"
#include "daemon/hub/inbox.h"
#include "daemon/hub/outbox.h"

struct link;

enum { LINK_SERVICES = 2 };

/* Requests that come at SUBJECT.name, and the replies to them. */
struct link_service {
    const char *name;
    struct inbox *requests, *replies; /* the subject of a message is where the reply goes */
    void (*arrived)(void *user);      /* (optional) requests came; on the link's thread */
    void *user;
};

struct link_config {
    const struct nats_options *options; /* outlives the link */
    const char *subject;                /* PREFIX.SITE.RADIO; outlives the link */
    struct outbox *outbox;
    struct link_service service[LINK_SERVICES];
    unsigned services;
    uint32_t run; /* of the sensor: tells its echoes from those of another one by the same name */
};

/* Reads the files. -errno with one line in error. */
int link_check(const struct nats_options *options, char *error, size_t error_size);
/* Files are read at once: -errno with one line in error. The broker may come later. */
int link_start(struct link **out, const struct link_config *config, char *error, size_t error_size);
/* Sends what waits, for at most patience_ms, and joins the thread. NULL is fine. */
void link_stop(struct link *l, int patience_ms);
void link_destroy(struct link *l); /* NULL is fine */

#endif
