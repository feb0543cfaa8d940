/*
 * demand.h - has the daemon make what somebody reads, and no more. Loop thread.
 *
 * Density and the sample detector take time for each frame and memory in each line. They are made
 * only while somebody reads them: a websocket that subscribed or has such a view, a measurement, a
 * reference being taken, an output, or a program that asked over HTTP in the last minute. They go
 * on for five seconds after that, so that a client that comes and goes does not keep the daemon
 * making plans.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_DEMAND_H
#define FFTD_DAEMON_HTTP_STREAM_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

struct feed;
struct measure_thread;
struct radio_control;
struct reference_takes;
struct triggers;

struct demand {
    /* set by the owner: readers in addition to those below; NULL: none */
    struct radio_control *control;
    const struct feed *feed;
    const struct measure_thread *measure_thread, *own_measure_thread;
    struct triggers *triggers;
    const struct reference_takes *references;
    unsigned detectors; /* FFT_DETECTOR_ bits of outputs */

    uint32_t subscribers;                       /* websockets that want densities */
    uint64_t density_asked_ns, sample_asked_ns; /* clock_now_ns of the last request; 0: none */
    uint64_t density_ns, sample_ns;             /* clock_now_ns when somebody read it last */
    bool refused;                               /* a plan was refused; it is logged once */
};

/* Requests a plan with what is wanted, after who wants it has changed. Also once a second. */
void demand_update(struct demand *w);
/* For HTTP: false, the newest line lacks the detector, but the next ones may have it. */
bool demand_ask_detector(struct demand *w, unsigned index);
bool demand_ask_density(struct demand *w); /* the same of density */
/* Why there is no density now, for people; NULL: there is one, or will be. */
const char *demand_refuse_density(const struct demand *w);

#endif
