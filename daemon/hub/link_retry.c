/* link_retry.c - logs failures of a connection, and waits before the next try. */
#include "daemon/hub/link_retry.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { RETRY_MS = 250, REFUSED_MS = 5000 };

void link_retry_report(struct link_retry *r, natsConnection *connection, natsStatus status)
{
    char why[LINK_REASON] = "";
    const char *text = NULL;
    if (connection)
        natsConnection_GetLastError(connection, &text);
    snprintf(why, sizeof why, "%s%s%s", natsStatus_GetText(status), text && *text ? ": " : "",
             text && *text ? text : "");
    if (strcmp(why, r->logged) != 0)
        log_warn("%s: %s: %s; %s", r->who, r->url, why, r->then);
    memcpy(r->logged, why, sizeof why);
}

void link_retry_connected(struct link_retry *r)
{
    r->logged[0] = '\0';
}

void link_retry_wait(natsStatus status, const atomic_bool *stop)
{
    const uint64_t until = clock_after_ms(status == NATS_NOT_PERMITTED ? REFUSED_MS : RETRY_MS);
    while (clock_now_ns() < until && !atomic_load(stop))
        uv_sleep(LINK_POLL_MS);
}
