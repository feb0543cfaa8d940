/*
 * hub_service.h - the radios of a hub for its viewers: from the broker's messages to frames and
 * JSON. Loop thread.
 *
 * Frames pass through as sensors made them. A viewer has a cursor in the log of each radio that it
 * wants, so frames are in memory once, and a slow viewer delays no other.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_HUB_SERVICE_H
#define FFTD_DAEMON_HUB_SERVE_HUB_SERVICE_H

#include "daemon/config/archive_options.h"
#include "daemon/http/internal.h"
#include "daemon/hub/copies/collector.h"
#include "daemon/hub/hub_requests.h"
#include "daemon/hub/link_reader.h"
#include "daemon/hub/radio_news.h"
#include "daemon/hub/wish.h"

struct reason;

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
    struct frame_cursor at;
};

struct hub_service {
    struct radios radios;
    struct hub_wanted *wanted[RADIOS_MAX]; /* by the radio's place: radios_place */
    struct inbox *inbox;
    struct inbox *to_sensors, *answers; /* hub_requests.h */
    struct hub_requests requests;
    struct link_reader *reader;
    struct nats_options nats;
    struct archive_options archive; /* folder NULL: the hub keeps no archives */
    struct collector *collector;    /* the same */
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
    double requests;             /* to sensors that it may send now; grows with time */
    uint64_t requests_filled_ns; /* time of `requests` */
};

/* viewer.c: the hooks of the role (role.h) for websockets */
void viewer_join(struct client *c);
void viewer_leave(struct client *c);
bool viewer_has_output(struct client *c);
struct frame *viewer_next_frame(struct client *c);
int viewer_on_message(struct client *c);
/* Gives a turn to the viewers of the radios that have new frames. */
void viewers_make_due(struct hub_service *h);

/*
 * hub_archive.c: the archives of the radios. hub_archive_start: -errno with one line in error.
 * hub_archive_answer: false if the name is none of SITE.RADIO/archive and SITE.RADIO/survey.
 */
int hub_archive_start(struct server *s, struct reason *why);
void hub_archive_update(struct hub_service *h);
bool hub_archive_answer(struct server *s, const struct request *r, const char *name,
                        struct answer *a);
/* viewer_request.c: requests of viewers to sensors. 0, or -1: the connection must be closed. */
int viewer_request(struct client *c, const struct wish *w);
int viewer_refuse_request(struct client *c, uint32_t radio, const char *message);
void hub_take_answers(struct server *s); /* answers viewers whose requests are decided */

const struct radio *hub_find_radio(const struct hub_service *h, const char *name); /* SITE.RADIO */
/* NULL, or why the radio gets no request. */
const char *hub_check_radio(const struct hub_service *h, const struct radio *radio, uint32_t id,
                            struct reason *why);
struct hub_sending {
    void *viewer; /* or the call */
    const struct radio *radio;
    bool is_call;
    uint8_t *data; /* HUB_REQUEST_HEAD bytes of room, then the message [size]; NULL: no memory */
    size_t size;
};
/* NULL, or why it is not on its way. */
const char *hub_send_request(struct hub_service *h, const struct hub_sending *what,
                             struct reason *why);

/*
 * remote_call.c: /api/v1/radios/SITE.RADIO/ and what follows /api/v1/ at that radio. The hooks of
 * the role for changes; a GET (false: the path is no resource); and what came of a call.
 */
const struct api_resource *remote_call_resource(const char *path);
const char *remote_call_admit(struct server *s, struct lws *wsi, char *credential, unsigned *status,
                              struct reason *why);
void remote_call_change(struct rest_change *c, struct answer *a);
bool remote_call_read(struct server *s, const struct request *r, struct answer *a);
/* Every second: the connections of calls that wait stay open. */
void remote_calls_keep(const struct hub_service *h);
void remote_call_done(struct server *s, const struct hub_request *request,
                      const struct hub_answer *answer);

void hub_link_state(const struct hub_service *h, struct link_reader_state *out);

#endif
