/*
 * pacer.h - releases samples at the rate of the monotonic clock.
 *
 * The samples due are counted from the start, not from the last block. So the pace does not drift,
 * and after a delay the missing samples are due at once. One thread.
 */
#ifndef FFTD_DAEMON_SOURCE_PACER_H
#define FFTD_DAEMON_SOURCE_PACER_H

#include <stdint.h>

struct pacer {
    double rate_hz;
    uint64_t start_ns; /* clock_now_ns */
    uint64_t given;    /* samples since then, including lost ones */
};

void pacer_start(struct pacer *p, double rate_hz, uint64_t now_ns);
uint64_t pacer_due(const struct pacer *p,
                   uint64_t now_ns); /* samples that are due and not given yet */
/*
 * Sleeps until `samples` are due, or those of 20 ms if they are fewer. Returns how many of
 * `samples` are due now; 0: none within timeout_ms. The caller adds the samples that it releases to
 * `given`.
 */
uint32_t pacer_wait(const struct pacer *p, uint32_t samples, int timeout_ms);

#endif
