/*
 * soapy_clock.h - detects missing samples from the time stamps of a radio. Plain state, one thread.
 *
 * A stamp is the time of the first sample of a read. The next stamp is due (samples since) / rate
 * later; a later one means a gap, counted in samples. Small differences are jitter: up to 1 us plus
 * half a sample, or, for a clock that ran backwards by some time (stamps taken by software), up to
 * twice that time. A clock that steps back by over 100 ms, or ahead by 2 s more than the host
 * clock, was set: the number of lost samples is then unknown.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_CLOCK_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct soapy_clock {
    double rate_hz;
    double tolerance_ns;
    bool known;       /* there was a stamp */
    int64_t stamp_ns; /* the last one */
    int64_t host_ns;  /* clock_now_ns at that time */
    uint64_t since;   /* samples since then */
};

enum { SOAPY_CLOCK_SET = -1 };

void soapy_clock_init(struct soapy_clock *c, double rate_hz);
void soapy_clock_count(struct soapy_clock *c,
                       uint64_t samples); /* samples arrived, with or without stamp */
/* Call before counting its samples. Returns the samples missing before it, or SOAPY_CLOCK_SET. */
int64_t soapy_clock_stamp(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns);

#endif
