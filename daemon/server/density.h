/*
 * density.h - serves densities: frames for websockets, and what /api/v1/density answers. Loop
 * thread.
 *
 * Engines count density only while somebody wants it: a websocket that subscribed, or a program
 * that asked over HTTP in the last minute. They go on for five seconds after that, so that a client
 * that comes and goes does not keep the daemon making plans. Subscribers get a frame at most ten
 * times a second, with the hits of all lines since the one before. A client that has not taken a
 * frame by then misses it, and `frames before` in the next one tells how many frames that were.
 */
#ifndef FFTD_DAEMON_SERVER_DENSITY_H
#define FFTD_DAEMON_SERVER_DENSITY_H

#include "daemon/line/density.h"

struct server;
struct client;
struct request;
struct answer;

enum { DENSITY_PERSISTENCES = 4 }; /* different ones over HTTP at a time */

struct density_service {
    struct density unsent;  /* lines since the last frame for websockets */
    uint64_t frames_before; /* in all frames so far */
    uint64_t next_frame_ns;
    uint32_t subscribers;
    struct asked_density {
        struct density density;
        uint64_t asked_ns; /* clock_now_ns of the last request; 0: not in use */
    } asked[DENSITY_PERSISTENCES];
    uint64_t wanted_ns; /* clock_now_ns when somebody wanted it last */
    bool refused;       /* the plan with density was refused; it is logged once */
};

void density_on_line(struct server *s, const struct line *line);
void density_on_tick(struct server *s); /* once a second */
/* Idempotent. */
void density_subscribe(struct client *c, bool want);
void density_finish_service(struct server *s);

/* The density with this persistence, which counts from the first call on. NULL: too many. */
const struct density *density_ask(struct server *s, double persistence_s);
void answer_density(struct server *s, const struct request *r, struct answer *a);

#endif
