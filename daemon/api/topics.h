/*
 * topics.h - what websockets get on their own, once they have subscribed to it. The rows are for
 * the messages that subscribe, and for the documents. Pure, any thread.
 */
#ifndef FFTD_DAEMON_API_TOPICS_H
#define FFTD_DAEMON_API_TOPICS_H

#include "daemon/api/resource.h"

/* Of these carriers know how they come; TOPICS + i is the state of the i-th resource with one. */
enum topic {
    TOPIC_STATUS,
    TOPIC_MEASUREMENTS,
    TOPIC_EVENTS,
    TOPIC_DENSITY,
    TOPIC_RECORDINGS,
    TOPIC_LEASE,
    TOPIC_PRESETS,
    TOPICS
};
enum { TOPIC_STATES_MAX = 16 };

struct api_topic {
    const char *name, *about;
    const char *message;        /* the heading of docs/protocol.md that describes what comes */
    const struct api_key *keys; /* in addition to the keys of every subscription; NULL: none */
};

extern const struct api_topic api_topics[TOPICS];
unsigned api_topic_count(void);
const char *api_topic_name(unsigned topic);
unsigned api_topic_find(const char *name); /* api_topic_count(): none of this name */
/* The resource whose state it is; NULL: one of enum topic, or none. */
const struct api_resource *api_topic_resource(unsigned topic);

#endif
