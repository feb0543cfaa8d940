/*
 * link_reader.h - subscribes to what sensors publish at a NATS broker, on a thread of its own.
 *
 * Messages go into the inbox, in the order of each sensor. Requests to sensors wait for the
 * thread in an inbox of their own. After a loss, or without a
 * broker, the thread tries again four times a second. A broker that is silent for 4 s is lost.
 */
#ifndef FFTD_DAEMON_HUB_LINK_READER_H
#define FFTD_DAEMON_HUB_LINK_READER_H

#include "daemon/hub/reader_state.h"
#include "daemon/nats/inbox.h"
#include "daemon/nats/nats_options.h"

struct reason;
struct link_reader;

struct link_reader_config {
    const struct nats_options *options; /* outlives the reader */
    struct inbox *inbox;
    struct inbox *requests, *answers; /* hub_requests.h; the reader empties `requests` */
    void (*changed)(void *user);      /* a message came, or the state is another one. Any thread */
    void *user;
};

/* Files are read at once: -errno with one line in *why. The broker may come later. */
int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      struct reason *why);
void link_reader_state(struct link_reader *l, struct link_reader_state *out);
void link_reader_stop(struct link_reader *l); /* afterwards nothing comes. NULL is fine */
void link_reader_destroy(struct link_reader *l);

#endif
