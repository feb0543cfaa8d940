/*
 * pacer.h - hands out samples at the rate of the real-time clock.
 *
 * What is due is counted from the start, never from the last block: no drift, and after being late
 * the missing samples are due at once. One thread.
 */
#ifndef FFTD_DAEMON_BASE_PACER_H
#define FFTD_DAEMON_BASE_PACER_H

#include <stdint.h>

struct pacer {
    double rate_hz;
    uint64_t start_ns; /* CLOCK_MONOTONIC */
    uint64_t given;    /* samples since then, lost ones included */
};

void pacer_start(struct pacer *p, double rate_hz, uint64_t now_ns);
uint64_t pacer_due(const struct pacer *p, uint64_t now_ns); /* samples, less those given */
/*
 * Sleeps until a block of 5 ms (or `samples`, if that is less) is due. Returns how many of
 * `samples` may be given now, 0: none within timeout_ms. The caller adds to `given` what it gave.
 */
uint32_t pacer_wait(const struct pacer *p, uint32_t samples, int timeout_ms);

uint64_t pacer_now_ns(void);

#endif
