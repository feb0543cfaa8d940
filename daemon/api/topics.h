/*
 * topics.h - what websockets get on their own, once they have subscribed to it. The rows are for
 * the messages that subscribe, and for the documents. Pure, any thread.
 */
#ifndef FFTD_DAEMON_API_TOPICS_H
#define FFTD_DAEMON_API_TOPICS_H

#include "daemon/api/resource.h"

enum topic { TOPIC_STATUS, TOPIC_MEASUREMENTS, TOPIC_EVENTS, TOPIC_DENSITY, TOPICS };

struct api_topic {
    const char *name, *about;
    const char *message;        /* the heading of docs/protocol.md that describes what comes */
    const struct api_key *keys; /* beside those of every subscription; NULL: none */
};

extern const struct api_topic api_topics[TOPICS];
/* TOPICS: there is none of this name. */
enum topic api_topic_find(const char *name);

#endif
