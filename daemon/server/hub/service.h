/*
 * service.h - the radios of a hub for its viewers: from the broker's messages to frames and JSON.
 * Loop thread.
 *
 * Frames pass through as sensors made them. A viewer keeps the number of the next frame of each
 * radio that it wants, so frames are in memory once, and a slow viewer delays no other.
 */
#ifndef FFTD_DAEMON_SERVER_HUB_SERVICE_H
#define FFTD_DAEMON_SERVER_HUB_SERVICE_H

#include "daemon/hub/link_reader.h"
#include "daemon/hub/radio_news.h"
#include "daemon/hub/wish.h"
#include "daemon/server/internal.h"

enum {
    HUB_PACE_MS = 10,         /* messages that come within it are handled together */
    HUB_LIST_NS = 2000000000, /* between two rounds of rows */
    HUB_REST_NS = 400000000,  /* after it, for viewers without a frame meanwhile */
};

/* A radio that a viewer wants. */
struct hub_wanted {
    struct hub_wanted *after, **link; /* of those who want it; link: what points to this one */
    struct client *client;
    uint32_t id;
    uint64_t next; /* number of the frame that it gets next */
};

struct hub_service {
    struct radios radios;
    struct hub_wanted *wanted[RADIOS_MAX]; /* by the radio's place: radios_place */
    struct inbox *inbox;
    struct link_reader *reader;
    struct nats_options nats;
    uv_async_t arrived;
    uv_timer_t pace;
    bool opened; /* the handles are */
    struct radio_news news;
    uint64_t list_due_ns;   /* with the next round of rows */
    uint64_t rest_due_ns;   /* when this round goes to the viewers that lack it; 0: it went */
    uint64_t frames, bytes; /* sent to viewers */
    uint64_t dropped;       /* frames that viewers were too late for */
};

/* One viewer, beside its struct client. */
struct hub_viewer {
    struct hub_wanted wanted[WISH_RADIOS];
    uint32_t count, turn; /* turn: whose frames are sent next */
    uint64_t list_number; /* of the list that it has; 0: none */
    uint64_t round;       /* of the rows that it has; 0: none */
    uint64_t dropped, dropped_told;
};

/* viewer.c: the hooks of the role (role.h) for websockets */
void viewer_join(struct client *c);
void viewer_leave(struct client *c);
bool viewer_has_output(struct client *c);
struct frame *viewer_next_frame(struct client *c);
int viewer_on_message(struct client *c);
/* Gives a turn to the viewers of the radios that have new frames. */
void viewers_make_due(struct hub_service *h);

void hub_link_state(const struct hub_service *h, struct link_reader_state *out);

#endif
