/*
 * link_requests.h - requests of a hub on its connection, and their answers: messages of two inboxes
 * in the form of hub_requests.h.
 */
#ifndef FFTD_DAEMON_HUB_LINK_REQUESTS_H
#define FFTD_DAEMON_HUB_LINK_REQUESTS_H

#include <nats/nats.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "daemon/hub/inbox.h"

enum { LINK_REPLY_SUBJECT = 80 };

struct link_requests {
    struct inbox *out, *in;
    void (*changed)(void *user); /* something came. Any thread */
    void *user;
    atomic_int *open;       /* of link_subscription.h */
    atomic_bool no_answers; /* the broker does not let this connection read them */

    /* the link's thread */
    char reply[LINK_REPLY_SUBJECT]; /* subject of answers, up to the number */
    natsSubscription *answers;
};

/* Of a new connection. Requests that waited for it are void. The link's thread, as the next two. */
natsStatus link_requests_open(struct link_requests *r, natsConnection *connection);
void link_requests_close(struct link_requests *r);
natsStatus link_requests_send(struct link_requests *r, natsConnection *connection);
/*
 * The broker has refused something: `text` says what. True: a request or the answers, so that the
 * connection is of use nevertheless. Any thread.
 */
bool link_requests_refused(struct link_requests *r, const char *text);

#endif
