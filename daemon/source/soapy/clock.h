/*
 * clock.h - finds missing samples by a radio's time stamps. Plain state, one thread.
 *
 * A stamp is the time of the first sample of a read. The next one is due `samples since` / rate
 * later; what comes later than that is a gap, counted in samples. Small differences are jitter: up
 * to 1 us + half a sample, and for a clock that has been seen to run backwards by some time (stamps
 * taken by software), up to twice that time. A clock that steps back by over 100 ms, or ahead by
 * 2 s more than went by on our own clock, was set: nothing can be said about lost samples then.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_CLOCK_H
#define FFTD_DAEMON_SOURCE_SOAPY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct soapy_clock {
    double rate_hz;
    double tolerance_ns;
    bool known;       /* there was a stamp */
    int64_t stamp_ns; /* the last one */
    int64_t host_ns;  /* our monotonic clock at that time */
    uint64_t since;   /* samples since then */
};

enum { SOAPY_CLOCK_SET = -1 };

void soapy_clock_init(struct soapy_clock *c, double rate_hz);
void soapy_clock_count(struct soapy_clock *c, uint64_t samples); /* they arrived, stamped or not */
/* Before counting the samples it belongs to. Samples missing before it, 0, or SOAPY_CLOCK_SET. */
int64_t soapy_clock_stamp(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns);

#endif
