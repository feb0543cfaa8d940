/*
 * sample_rate.h - measures the rate of a radio's samples against the host's clock.
 *
 * The crystal of a radio is off by some ppm: a drift. A rate that is off by 1 % or more is another
 * rate than the radio says, and all frequencies are wrong by that factor; or the radio loses
 * samples without saying so. Single reads come late by the latency of driver and machine, so the
 * earliest reads of successive windows of 10 s are compared, and two in turn must be off alike.
 * Plain state, one thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SAMPLE_RATE_H
#define FFTD_DAEMON_SOURCE_SAMPLE_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct rate_point {
    uint64_t sample, now_ns;
};

/* Zeroed, but for window_ns. */
struct sample_rate {
    uint64_t window_ns;          /* 0: 10 s */
    bool has_window, has_before; /* the fields below are valid */
    uint64_t start_ns;           /* of this window */
    struct rate_point best;      /* the earliest read of this window, by its sample */
    struct rate_point before;    /* of the window before */
    double suspect;              /* measured by the last two windows, if it is off; else 0 */
};

/* Forgets all: after a change of the rate, and after a loss of unknown length. */
void sample_rate_reset(struct sample_rate *r);

/*
 * After a read up to `sample`, counting known losses, at clock_now_ns. 0, or the measured rate in
 * samples per second if it is certainly not `rate_hz`.
 */
double sample_rate_check(struct sample_rate *r, uint64_t sample, double rate_hz, uint64_t now_ns);

#endif
