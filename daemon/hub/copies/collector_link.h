/*
 * collector_link.h - a hub's second connection to the broker: requests to the archives of sensors,
 * and their replies. Blocks do not delay lines, which have a connection of their own.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COLLECTOR_LINK_H
#define FFTD_DAEMON_HUB_COPIES_COLLECTOR_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/nats/inbox.h"
#include "daemon/nats/nats_options.h"

struct reason;
struct collector_link;

struct collector_link_config {
    const struct nats_options *options; /* their url is that of the hub's broker; outlives it */
    struct inbox *replies;              /* subjects: see collector_link_read_subject */
    void (*changed)(void *user);        /* on a thread of the link: a reply, up or down */
    void *user;
};

/* -errno with one line in *why. */
int collector_link_start(struct collector_link **out, const struct collector_link_config *config,
                         struct reason *why);
/* Any thread. False: the connection is down. */
bool collector_link_is_up(struct collector_link *l);
bool collector_link_ask(struct collector_link *l, const char *site, const char *radio,
                        uint32_t owner, uint32_t number, const char *text);
/* The numbers of the request that a reply is for. False: it has none. Pure. */
bool collector_link_read_subject(const char *subject, uint32_t *owner, uint32_t *number);
/* Joins the thread: `changed` is not called any more. */
void collector_link_stop(struct collector_link *l);
void collector_link_destroy(struct collector_link *l); /* stopped, or NULL */

#endif
