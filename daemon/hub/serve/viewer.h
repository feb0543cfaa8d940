/* viewer.h - what a websocket of a hub wants, and has. Loop thread. */
#ifndef FFTD_DAEMON_HUB_SERVE_VIEWER_H
#define FFTD_DAEMON_HUB_SERVE_VIEWER_H

#include "daemon/hub/frame_log.h"
#include "daemon/hub/viewer_message.h"
#include "daemon/live/client.h"

/* A radio that a viewer wants. */
struct hub_wanted {
    struct hub_wanted *after, **link; /* of those who want it; link: what points to this one */
    struct client *client;
    uint32_t id;
    struct frame_cursor at;
};

/* The state of its client (live/client.h). */
struct viewer {
    struct hub_wanted wanted[VIEWER_RADIOS];
    uint32_t count, turn; /* turn: whose frames are sent next */
    uint64_t list_number; /* of the list that it has; 0: none */
    uint64_t round;       /* of the rows that it has; 0: none */
    uint64_t dropped, dropped_sent;
    double requests;             /* to sensors that it may send now; grows with time */
    uint64_t requests_filled_ns; /* time of `requests` */
};

static inline struct viewer *viewer_of(const struct client *c)
{
    return client_state(c);
}

#endif
