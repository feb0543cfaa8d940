/* link_retry.c - logs failures of a connection, and waits before the next try. */
#include "daemon/hub/link_retry.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { RETRY_MS = 250, SELDOM_MS = 5000 };

void link_retry_report(struct link_retry *r, const char *why)
{
    if (strncmp(why, r->logged, sizeof r->logged - 1) != 0)
        log_warn("%s: %s: %s; %s", r->who, r->url, why, r->then);
    snprintf(r->logged, sizeof r->logged, "%s", why);
}

void link_retry_connected(struct link_retry *r)
{
    r->logged[0] = '\0';
}

void link_retry_wait(bool seldom, const atomic_bool *stop)
{
    const uint64_t until = clock_after_ms(seldom ? SELDOM_MS : RETRY_MS);
    while (clock_now_ns() < until && !atomic_load(stop))
        uv_sleep(LINK_POLL_MS);
}
