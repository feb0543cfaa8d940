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
#include "daemon/archive/read/archive_past.h"
#include "daemon/client/feed.h"
#include "daemon/client/history_request.h"
#include "daemon/control/lease.h"
#include "daemon/line/density_sum.h"
#include "daemon/line/line.h"
#include "daemon/live/client.h"
#include "daemon/live/topic.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/wire/density_frame.h"

struct band_rules;
struct ws_message;
struct history_service;
struct measure_snapshot;
struct radio_options;
struct spur_table;
struct demand;

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
struct status_topic {
    uint64_t number;            /* counts them, from 1 */
    json_t *json;               /* NULL before the first */
    struct ws_message *all;     /* NULL before the first */
    struct ws_message *changes; /* since the one before; NULL: not known */
};

struct measure_topic {
    struct ws_message *frame;          /* NULL before the first */
    struct measure_snapshot *measured; /* a reference: what it says */
    bool changed;                      /* measurements or the clients that want them */
    uint64_t next_ns;                  /* not before */
};

struct own_measure_topic {
    struct measure_snapshot *newest; /* a reference */
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
    bool taken;             /* it lost the lease to another client, and has no message of it yet */
    char name[CLIENT_NAME]; /* for people; "": not given */
};

/* Of the view in one slot. */
struct view_sent {
    bool reports;            /* the client gets messages of this view */
    uint32_t trace, changes; /* what the client got last */
};

/* The newest recordings, as they were sent. */
enum { RECORDINGS_SENT = 20 };
struct recording_topic {
    uint64_t number;            /* counts the messages, from 1 */
    struct ws_message *all;     /* NULL before the first */
    struct ws_message *changes; /* since the one before */
    struct record_info sent[RECORDINGS_SENT];
    size_t count;
    uint64_t look_ns, progress_ns; /* not before */
};

enum { REPLAY_ANCHORS = 128 }; /* the newest ones, for browsers that connect */

/* The anchors, and the first line of each (line/line.h). */
struct replay_topic {
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
    struct ws_message *frame;
};

/* What a client wants of the history. */
struct history_wait {
    struct history_request request; /* asked for, if turn is not 0 */
    uint64_t turn;                  /* smaller numbers are answered first */
    struct ws_message *rows;        /* not sent yet; NULL: none */
};

struct density_topic {
    struct density unsent;  /* lines since the last frame */
    uint64_t frames_before; /* in all frames so far */
    uint64_t round;         /* how many times frames were sent */
    uint64_t next_frame_ns;
};

/* What a client has of the densities. */
struct density_share {
    struct density_form form;
    uint64_t round;           /* of the frames that it got last */
    struct ws_message *frame; /* the newest, not sent yet; NULL: none */
};

/* What markers leave out, of the newest line read. */
struct marker_rules {
    struct spur_table *table; /* a reference; NULL: none */
    struct band_rules *rules; /* NULL: none yet */
};

/* ---- all clients, and one --------------------------------------------------------------- */

struct live {
    struct clients clients;
    /* set by the owner */
    struct feed *feed;
    const struct services *services;
    struct measure_thread
        *own_measure_thread; /* of the measurements that clients own; NULL: none */
    struct demand *demand;
    const struct history_service *history;

    struct radio_options *radio; /* a reference; NULL: no radio is open */
    struct status_topic status;
    struct measure_topic measures;
    struct own_measure_topic own_measures;
    struct recording_topic recordings;
    struct replay_topic replay;
    struct density_topic density;
    struct history_turns turns;
    struct marker_rules rules;
};

/* A websocket of a radio: the state of its client (client.h). */
struct subscriber {
    struct live *live;
    struct feed_client feed;
    struct topic_state topic[LIVE_TOPICS];
    struct topic_state states[TOPIC_STATES_MAX]; /* of resources; number: of the version */
    bool status_changes;                         /* it wants changes only */
    struct lease_holder lease;
    struct own_measures own;
    struct view_sent views[FEED_SLOTS];
    struct density_share density;
    struct history_wait history;
    struct marker_choice *markers; /* NULL: none are wanted */
};

/* Marks the topic as pending for its subscribers. */
void live_mark_pending(struct live *l, enum live_topic topic);

static inline struct subscriber *live_subscriber(const struct client *c)
{
    return client_state(c);
}
static inline struct client *live_client(const struct subscriber *u)
{
    return client_of_state(u);
}

#endif
