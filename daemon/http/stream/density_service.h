/*
 * density_service.h - serves densities: frames for websockets, and what /api/v1/density answers.
 * Loop thread.
 *
 * Engines count density only while somebody wants it (wishes.h). Subscribers get a frame at most
 * ten times a second, with the hits of all lines since the one before. A client that has not taken
 * a frame by then misses it, and `frames before` in the next one tells how many frames that were.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_DENSITY_SERVICE_H
#define FFTD_DAEMON_HTTP_STREAM_DENSITY_SERVICE_H

#include "daemon/line/density_sum.h"

struct server;
struct client;
struct request;
struct answer;

enum {
    DENSITY_PERSISTENCES = 4,  /* different ones over HTTP at a time */
    DENSITY_FRAMES_PER_S = 10, /* to websockets */
};

struct density_service {
    struct density unsent;  /* lines since the last frame for websockets */
    uint64_t frames_before; /* in all frames so far */
    uint64_t round;         /* how many times frames were sent */
    uint64_t next_frame_ns;
    uint32_t subscribers;
    struct asked_density {
        struct density density;
        uint64_t asked_ns; /* clock_now_ns of the last request; 0: not in use */
    } asked[DENSITY_PERSISTENCES];
    uint64_t percentiles_ns; /* clock_now_ns of the last request for a percentile; 0: none */
};

void density_on_line(struct server *s, const struct line *line);
void density_on_tick(struct server *s); /* once a second */
/* Why there is none now, for people; NULL: there is one, or will be. */
const char *density_refusal(struct server *s);
bool density_is_wanted(const struct server *s); /* wishes.h makes a plan of it */
/* Idempotent. */
void density_subscribe(struct client *c, bool want);
void density_finish_service(struct server *s);

/* The density with this persistence, which counts from the first call on. NULL: too many. */
const struct density *density_ask(struct server *s, double persistence_s);
/* Counts from the first call on. False: the newest line has no density yet. */
bool density_ask_percentiles(struct server *s);
void answer_density(struct server *s, const struct request *r, struct answer *a);

#endif
