/*
 * link_requests.h - requests of a hub on its connection, and their answers: messages of two inboxes
 * in the form of hub_requests.h.
 */
#ifndef FFTD_DAEMON_HUB_LINK_REQUESTS_H
#define FFTD_DAEMON_HUB_LINK_REQUESTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "daemon/nats/inbox.h"
#include "daemon/nats/link_broker.h"

enum { LINK_REPLY = 40 };

/* A subject that nobody else reads: "_INBOX." and 32 random digits. 0 or -errno. */
int link_reply_create(char into[LINK_REPLY]);

struct link_requests {
    struct inbox *out, *in;
    void (*changed)(void *user); /* something came */
    void *user;
    atomic_bool no_answers; /* the broker does not let this connection read them */

    /* the link's thread, as the functions below */
    char reply[LINK_REPLY];       /* subject of answers, up to the number */
    char subject[LINK_REPLY + 2]; /* of all of them */
};

int link_requests_init(struct link_requests *r); /* the subjects. 0 or -errno */
/* For a new connection. Requests that waited for it are void. */
void link_requests_open(struct link_requests *r);
bool link_requests_send(struct link_requests *r, struct link_broker *to); /* false: it is over */
void link_requests_take_answer(struct link_requests *r, const struct link_frame *answer);
/*
 * The broker has refused something: `text` says what. True: a request or the answers, so that the
 * connection is of use nevertheless.
 */
bool link_requests_refused(struct link_requests *r, const char *text);

#endif
