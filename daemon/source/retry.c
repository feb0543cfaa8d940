/* retry.c - doubles the time between the tries to open a device. */
#include "daemon/source/retry.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { FIRST_MS = 500, LAST_MS = 10000 };

static uint64_t limit_ns(const struct retry *r, double limit_s)
{
    return r->first_ns + (uint64_t)(limit_s * 1e9);
}

static void log_wait(double limit_s)
{
    if (limit_s > 0)
        log_info("source: waiting for it at most %g s (--wait-device)", limit_s);
    else
        log_info("source: waiting for it");
}

void retry_later(struct retry *r, double limit_s)
{
    uint64_t wait_ms = FIRST_MS;
    for (uint32_t i = 0; i < r->failures && wait_ms < LAST_MS; i++)
        wait_ms *= 2;
    if (wait_ms > LAST_MS)
        wait_ms = LAST_MS;
    const uint64_t now = clock_now_ns();
    if (r->failures++ == 0) {
        r->first_ns = now;
        log_wait(limit_s);
    }
    r->next_ns = now + wait_ms * 1000000;
    if (limit_s > 0 && r->next_ns > limit_ns(r, limit_s))
        r->next_ns = limit_ns(r, limit_s);
}

bool retry_over(const struct retry *r, double limit_s)
{
    return limit_s > 0 && r->failures > 0 && clock_now_ns() >= limit_ns(r, limit_s);
}
