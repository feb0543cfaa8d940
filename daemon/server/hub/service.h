/*
 * service.h - the radios of a hub for its viewers: from the broker's messages to frames and JSON.
 * Loop thread.
 *
 * Frames pass through as sensors made them. A viewer keeps the number of the next frame of each
 * radio that it wants, so frames are in memory once, and a slow viewer delays no other.
 */
#ifndef FFTD_DAEMON_SERVER_HUB_SERVICE_H
#define FFTD_DAEMON_SERVER_HUB_SERVICE_H

#include "daemon/config/archive_options.h"
#include "daemon/hub/collector.h"
#include "daemon/hub/link_reader.h"
#include "daemon/hub/radio_news.h"
#include "daemon/hub/wish.h"
#include "daemon/server/internal.h"

enum {
    HUB_PACE_MS = 10,         /* messages that come within it are handled together */
    HUB_LIST_NS = 2000000000, /* between two rounds of rows */
};

struct hub_service {
    struct radios radios;
    struct inbox *inbox;
    struct link_reader *reader;
    struct nats_options nats;
    struct archive_options archive; /* folder NULL: the hub keeps no archives */
    struct collector *collector;    /* the same */
    uv_async_t arrived;
    uv_timer_t pace;
    bool opened; /* the handles are */
    struct radio_news news;
    uint64_t list_due_ns;   /* with the next round of rows */
    uint64_t frames, bytes; /* sent to viewers */
    uint64_t dropped;       /* frames that viewers were too late for */
};

/* One viewer, beside its struct client. */
struct hub_viewer {
    struct {
        uint32_t id;
        uint64_t next; /* number of the frame that it gets next */
    } wanted[WISH_RADIOS];
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

/*
 * hub_archive.c: the archives of the radios. hub_archive_start: -errno with one line in error.
 * hub_archive_answer: false if the name is none of SITE.RADIO/archive and SITE.RADIO/survey.
 */
int hub_archive_start(struct server *s, char *error, size_t error_size);
void hub_archive_update(struct hub_service *h);
bool hub_archive_answer(struct server *s, const struct request *r, const char *name,
                        struct answer *a);

void hub_link_state(const struct hub_service *h, struct link_reader_state *out);

#endif
