/*
 * sample_clock.h - the Unix time of samples, counted from one sample whose time is known.
 *
 * The host's clock may be set meanwhile (a Raspberry Pi learns the time after its start), and the
 * rate of a radio is off by some ppm. Both move the counted time away from the host's. A difference
 * beyond a bound gives a correction: at once after a step of the host's clock, and after a window
 * of 10 s for a drift, because single reads come late by the latency of driver and machine. Plain
 * state, one thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SAMPLE_CLOCK_H
#define FFTD_DAEMON_SOURCE_SAMPLE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct sample_clock {
    int64_t time_ns; /* Unix time of sample number `sample` */
    uint64_t sample;
    bool has_offset, has_lag; /* the fields below were measured */
    int64_t offset_ns;        /* Unix time - clock_now_ns, since the last step */
    int64_t lag_ns;     /* the least lag of reads behind the host's clock, in the first window */
    int64_t least_ns;   /* in this window */
    uint64_t window_ns; /* clock_now_ns at its start; 0: none */
};

void sample_clock_set(struct sample_clock *c, int64_t time_ns, uint64_t sample);
int64_t sample_clock_at(const struct sample_clock *c, uint64_t sample, double rate_hz);

enum sample_clock_change { SAMPLE_CLOCK_KEPT, SAMPLE_CLOCK_STEP, SAMPLE_CLOCK_DRIFT };

/* After a read up to `sample`, at these times of both clocks. *by_ns: the correction made. */
enum sample_clock_change sample_clock_check(struct sample_clock *c, uint64_t sample, double rate_hz,
                                            uint64_t now_ns, int64_t unix_ns, int64_t *by_ns);

#endif
