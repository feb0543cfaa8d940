/*
 * soapy_clock.h - detects missing samples from the time stamps of a radio. Plain state, one thread.
 *
 * A stamp is the time of the first sample of a read. The next stamp is due (samples since) / rate
 * later; a later one means a gap, counted in samples. Small differences are jitter: up to 1 us plus
 * half a sample, or, for a clock that ran backwards by some time (stamps taken by software), up to
 * twice that time.
 *
 * A stamp that steps back by over 100 ms, or ahead by 2 s more than the host clock, is set aside.
 * If the next stamp follows it, the clock was set: the number of lost samples is then unknown.
 * Otherwise the stamp was absurd, and nothing was lost.
 *
 * Stamps may also run at another rate than the samples. Then nearly every one is off, and the
 * host's clock agrees with the samples and not with the stamps: soapy_clock_wrong_rate.
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

    bool has_aside; /* the stamp before this one was set aside */
    int64_t aside_ns;
    uint64_t aside_since; /* samples since that stamp */
    uint64_t stamps, absurd;

    /* since the clock became known or was set */
    int64_t first_stamp_ns, first_host_ns;
    uint64_t samples, checked, off; /* off: checked stamps that are not jitter */
};

enum { SOAPY_CLOCK_SET = -1, SOAPY_CLOCK_ASIDE = -2 };

void soapy_clock_init(struct soapy_clock *c, double rate_hz);
void soapy_clock_count(struct soapy_clock *c,
                       uint64_t samples); /* samples arrived, with or without stamp */
/*
 * Call before counting its samples. Returns the samples missing before it, or SOAPY_CLOCK_SET, or
 * SOAPY_CLOCK_ASIDE: do not use this stamp.
 */
int64_t soapy_clock_stamp(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns);

/* 0, or the rate of the stamps by that of the samples, if it is certainly not 1. */
double soapy_clock_wrong_rate(const struct soapy_clock *c);
/* 0, or n: about one stamp in n is absurd. Needs eight of them. */
uint64_t soapy_clock_absurd(const struct soapy_clock *c);

#endif
