/*
 * live.h - the state of the websockets of a radio: what each topic has for all clients alike, and
 * what it has of one client. Loop thread.
 *
 * Each topic is a file of message/, which alone changes its part. live_service.h has the order in
 * which topics are sent.
 */
#ifndef FFTD_DAEMON_LIVE_LIVE_H
#define FFTD_DAEMON_LIVE_LIVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "daemon/api/services.h"
#include "daemon/api/topics.h"
#include "daemon/archive/archive_past.h"
#include "daemon/client/feed.h"
#include "daemon/client/history_request.h"
#include "daemon/control/lease.h"
#include "daemon/line/density_sum.h"
#include "daemon/line/line.h"
#include "daemon/live/client.h"
#include "daemon/live/topic.h"
#include "daemon/record/recorder.h"
#include "daemon/wire/density_frame.h"

struct band_rules;
struct frame;
struct history_service;
struct measure_snapshot;
struct radio_options;
struct spur_table;
struct wishes;

/* In the order in which they are sent: markers are read on the line of the spectra that follow. */
enum live_topic {
    LIVE_STATUS,
    LIVE_MEASURES,
    LIVE_OWN_MEASURES,
    LIVE_STATES,
    LIVE_CHOICES,
    LIVE_PRESETS,
    LIVE_LEASE,
    LIVE_VIEWS,
    LIVE_RECORDINGS,
    LIVE_EVENTS,
    LIVE_REPLAY,
    LIVE_HISTORY,
    LIVE_DENSITY,
    LIVE_MARKERS,
    LIVE_SPECTRA,
    LIVE_TOPICS
};

/* ---- what a topic has ------------------------------------------------------------------- */

/* The newest status. */
struct status_news {
    uint64_t number;       /* counts them, from 1 */
    json_t *json;          /* NULL before the first */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before; NULL: not known */
};

struct measure_news {
    struct frame *frame;               /* NULL before the first */
    struct measure_snapshot *measured; /* held: what it says */
    bool changed;                      /* measurements or the clients that want them */
    uint64_t next_ns;                  /* not before */
};

struct own_measure_news {
    struct measure_snapshot *newest; /* held */
    uint32_t last_owner;             /* counts clients with measurements */
};

/* The measurements of a client. */
struct own_measures {
    uint32_t owner;   /* its number; 0: it never had any */
    uint32_t count;   /* how many */
    uint64_t next_ns; /* no results before */
};

/* What a client has of the lease. */
struct lease_holder {
    bool taken;             /* it lost the lease to another, and was not told yet */
    char name[CLIENT_NAME]; /* for people; "": not given */
};

/* Of the view in one slot. */
struct view_told {
    bool tells;
    uint32_t trace, news; /* what the client was told last */
};

/* The newest recordings, as they were sent. */
enum { RECORDINGS_TOLD = 20 };
struct recording_news {
    uint64_t number;       /* counts the messages, from 1 */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before */
    struct record_info told[RECORDINGS_TOLD];
    size_t count;
    uint64_t look_ns, progress_ns; /* not before */
};

enum { REPLAY_ANCHORS = 128 }; /* the newest ones, for browsers that connect */

/* The anchors, and the first line of each (line/line.h). */
struct replay_news {
    struct {
        uint64_t line;
        double rate_hz;
        struct line_anchor anchor;
    } anchors[REPLAY_ANCHORS]; /* a ring */
    uint64_t count;            /* of all so far */
};

/* Answers from the history. Zeroed: nobody has asked. */
struct history_turns {
    uint64_t count;
    /* the answer that is being made */
    uv_work_t work;
    bool running;
    struct live *live;
    struct subscriber *subscriber; /* NULL: it has left */
    struct history_request request;
    struct past_source past;
    struct frame *frame;
};

/* What a client wants of the history. */
struct history_wait {
    struct history_request request; /* asked for, if turn is not 0 */
    uint64_t turn;                  /* smaller numbers are answered first */
    struct frame *rows;             /* not sent yet; NULL: none */
};

struct density_news {
    struct density unsent;  /* lines since the last frame */
    uint64_t frames_before; /* in all frames so far */
    uint64_t round;         /* how many times frames were sent */
    uint64_t next_frame_ns;
};

/* What a client has of the densities. */
struct density_share {
    struct density_form form;
    uint64_t round;      /* of the frames that it got last */
    struct frame *frame; /* the newest, not sent yet; NULL: none */
};

/* What markers leave out, of the newest line read. */
struct marker_rules {
    struct spur_table *table; /* held; NULL: none */
    struct band_rules *rules; /* NULL: none yet */
};

/* ---- all clients, and one --------------------------------------------------------------- */

struct live {
    struct clients clients;
    /* set by the owner */
    struct feed *feed;
    const struct services *services;
    struct measurer *own_measurer; /* of the measurements that clients own; NULL: none */
    struct wishes *wishes;
    const struct history_service *history;

    struct radio_options *radio; /* held; NULL: no radio is open */
    struct status_news status;
    struct measure_news measures;
    struct own_measure_news own_measures;
    struct recording_news recordings;
    struct replay_news replay;
    struct density_news density;
    struct history_turns turns;
    struct marker_rules rules;
};

/* A websocket of a radio: the state of its client (client.h). */
struct subscriber {
    struct live *live;
    struct feed_client feed;
    struct topic_state topic[LIVE_TOPICS];
    struct topic_state states[TOPIC_STATES_MAX]; /* of resources; number: of the version */
    bool status_changes;                         /* it wants no more than changes */
    struct lease_holder lease;
    struct own_measures own;
    struct view_told views[FEED_SLOTS];
    struct density_share density;
    struct history_wait history;
    struct marker_choice *markers; /* NULL: none are wanted */
};

/* There is news of the topic for those who want it. */
void live_make_due(struct live *l, enum live_topic topic);

static inline struct subscriber *live_subscriber(const struct client *c)
{
    return client_state(c);
}
static inline struct client *live_client(const struct subscriber *u)
{
    return client_of_state(u);
}

#endif
