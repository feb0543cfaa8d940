/*
 * wishes.h - has the daemon make what somebody reads, and no more. Loop thread.
 *
 * Density and the sample detector take time for each frame and memory in each line. They are made
 * only while somebody reads them: a websocket that subscribed or has such a view, a measurement, a
 * reference being taken, an output, or a program that asked over HTTP in the last minute. They go
 * on for five seconds after that, so that a client that comes and goes does not keep the daemon
 * making plans.
 */
#ifndef FFTD_DAEMON_SERVER_WISHES_H
#define FFTD_DAEMON_SERVER_WISHES_H

#include <stdbool.h>
#include <stdint.h>

struct server;

struct wishes {
    uint64_t density_ns, sample_ns; /* clock_now_ns when somebody read it last */
    uint64_t asked_ns;              /* clock_now_ns of the last request for sample; 0: none */
    bool refused;                   /* a plan was refused; it is logged once */
};

/* Requests a plan with what is wanted, after who wants it has changed. Also once a second. */
void wishes_update(struct server *s);
/* For HTTP: false, the newest line lacks the detector, but the next ones may have it. */
bool wishes_ask_detector(struct server *s, unsigned index);

#endif
