/*
 * live.h - the websockets of a radio: their views, and what each is told of the radio, one topic
 * after the other. Loop thread.
 *
 * Each topic is a file of message/. It has a part in struct live for what all clients get alike,
 * and may have one in struct subscriber for what is of one client.
 */
#ifndef FFTD_DAEMON_LIVE_LIVE_H
#define FFTD_DAEMON_LIVE_LIVE_H

#include "daemon/api/services.h"
#include "daemon/api/topics.h"
#include "daemon/client/feed.h"
#include "daemon/live/client.h"
#include "daemon/live/message/density_message.h"
#include "daemon/live/message/history_message.h"
#include "daemon/live/message/lease_message.h"
#include "daemon/live/message/marker_message.h"
#include "daemon/live/message/measure_message.h"
#include "daemon/live/message/own_measure.h"
#include "daemon/live/message/recording_message.h"
#include "daemon/live/message/replay_message.h"
#include "daemon/live/message/status_message.h"
#include "daemon/live/message/view_message.h"
#include "daemon/live/topic.h"

struct history_service;
struct radio_options;
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

extern const struct client_role live_role;

/*
 * Watches the radio for its clients. `clients` and what the owner sets are set, and the server that
 * they belong to opens next. 0 or -errno.
 */
int live_start(struct live *l);
void live_on_line(struct live *l, const struct line *line); /* before the feed has it */
void live_push(struct live *l); /* tells clients what is new; after lines, and once a second */
void live_tick(struct live *l); /* once a second */
bool live_has_told_end(const struct live *l); /* no client waits for a status */
void live_stop(struct live *l);               /* closes its handle of the loop */
void live_finish(struct live *l);             /* after the last client has left */

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
