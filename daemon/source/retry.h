/* retry.h - when to try again to open a device, and when to give up. Source thread. */
#ifndef FFTD_DAEMON_SOURCE_RETRY_H
#define FFTD_DAEMON_SOURCE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: no failure yet. */
struct retry {
    uint32_t failures;
    uint64_t first_ns, next_ns; /* clock_now_ns of the first failure, and of the next try */
};

/*
 * Counts a failure; the first is logged. The next try is 0.5 s to 10 s later, and at the latest
 * when `limit_s` seconds have passed since the first failure; 0: no limit.
 */
void retry_later(struct retry *r, double limit_s);
/* True if the limit has passed since the first failure. */
bool retry_over(const struct retry *r, double limit_s);

#endif
