/* link_subscription.c - subscribes, and counts the subscriptions that are not over. */
#include "daemon/hub/link_subscription.h"

#include <uv.h>

#include "daemon/base/clock.h"

enum { WAIT_MS = 2000, POLL_MS = 2 };

/* The thread of libnats has delivered the last message, and freed what it had of its own. */
static void on_complete(void *user)
{
    atomic_int *open = user;
    atomic_fetch_sub(open, 1);
}

natsStatus link_subscribe(natsSubscription **out, natsConnection *connection, const char *subject,
                          natsMsgHandler deliver, void *user, atomic_int *open)
{
    natsStatus s = natsConnection_Subscribe(out, connection, subject, deliver, user);
    if (s != NATS_OK)
        return s;
    atomic_fetch_add(open, 1);
    s = natsSubscription_SetOnCompleteCB(*out, on_complete, open);
    if (s != NATS_OK)
        atomic_fetch_sub(open, 1);
    return s == NATS_OK ? natsSubscription_SetPendingLimits(*out, -1, -1) : s;
}

void link_subscriptions_wait(const atomic_int *open)
{
    const uint64_t until = clock_after_ms(WAIT_MS);
    while (atomic_load(open) > 0 && clock_now_ns() < until)
        uv_sleep(POLL_MS);
}
