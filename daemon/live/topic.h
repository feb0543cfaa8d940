/*
 * topic.h - what a client gets of one subject: whether it wants it, how often, and whether there is
 * a message for it. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_TOPIC_H
#define FFTD_DAEMON_LIVE_TOPIC_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/clock.h"

struct topic_state {
    bool on;
    bool pending;      /* a message is to be sent */
    uint64_t number;   /* of the newest that it has; 0: none */
    uint64_t every_ns; /* from one message to the next, at least; 0: as they come */
    uint64_t next_ns;  /* no message before */
};

/* rate_hz: messages a second at most; 0: as they come. The first one may be sent at once. */
void topic_set(struct topic_state *t, bool on, double rate_hz);
void topic_sent(struct topic_state *t); /* the message */
/* It is on, and its next message may be sent now. Asked for each topic before each frame. */
static inline bool topic_is_open(const struct topic_state *t)
{
    return t->on && (t->every_ns == 0 || clock_now_ns() >= t->next_ns);
}

#endif
