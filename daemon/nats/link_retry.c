/* link_retry.c - logs failures of a connection, and waits before the next try. */
#include "daemon/nats/link_retry.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { RETRY_MS = 250, SELDOM_MS = 5000, FIRST_LINES = 6, MINUTE_MS = 60000 };

static uint64_t since_ms(uint64_t ns)
{
    return (clock_now_ns() - ns) / 1000000;
}

static void note_line(struct link_retry *r)
{
    r->lines++;
    r->logged_ns = clock_now_ns();
    r->unlogged = 0;
}

/* ---- connected --------------------------------------------------------------------------- */

void link_retry_opened(struct link_retry *r)
{
    r->connected_ns = clock_now_ns();
    r->logged_up = true;
}

bool link_retry_connected(struct link_retry *r)
{
    const bool first = r->lines < FIRST_LINES;
    r->logged[0] = '\0';
    link_retry_opened(r);
    r->logged_up = first;
    if (first)
        note_line(r);
    return first;
}

void link_retry_holds(struct link_retry *r)
{
    if (r->connected_ns == 0 || since_ms(r->connected_ns) < LINK_HOLDS_MS)
        return;
    if (!r->logged_up)
        log_info("%s: %s: the connection holds now, after %u that did not", r->who, r->url,
                 r->ended);
    r->logged_up = true;
    r->lines = r->ended = 0;
    r->unlogged = 0;
}

/* ---- failed ------------------------------------------------------------------------------ */

static void write_line(struct link_retry *r, const char *why)
{
    char more[96] = "";
    if (r->unlogged > 0)
        snprintf(more, sizeof more, " (as before; %llu more failures since the last line)",
                 (unsigned long long)r->unlogged);
    log_warn("%s: %s: %s; %s%s", r->who, r->url, why, r->then, more);
    note_line(r);
}

void link_retry_report(struct link_retry *r, const char *why)
{
    link_retry_holds(r); /* up to now */
    if (r->connected_ns != 0 && since_ms(r->connected_ns) < LINK_HOLDS_MS)
        r->ended++;
    r->connected_ns = 0;
    if (!why) {
        r->logged[0] = '\0';
        return;
    }
    const bool again = strncmp(why, r->logged, sizeof r->logged - 1) == 0;
    snprintf(r->logged, sizeof r->logged, "%s", why);
    if (again)
        return;
    if (r->lines < FIRST_LINES || since_ms(r->logged_ns) >= MINUTE_MS)
        write_line(r, why);
    else
        r->unlogged++;
}

/* ---- waiting ----------------------------------------------------------------------------- */

/* The first end may be a restart of the broker. */
unsigned link_retry_delay_ms(const struct link_retry *r, bool seldom)
{
    unsigned delay_ms = seldom ? SELDOM_MS : RETRY_MS;
    for (unsigned i = 1; i < r->ended && delay_ms < SELDOM_MS; i++)
        delay_ms *= 2;
    return delay_ms < SELDOM_MS ? delay_ms : SELDOM_MS;
}

void link_retry_wait(const struct link_retry *r, bool seldom, const atomic_bool *stop)
{
    const uint64_t until = clock_after_ms((int)link_retry_delay_ms(r, seldom));
    while (clock_now_ns() < until && !atomic_load(stop))
        uv_sleep(LINK_POLL_MS);
}
