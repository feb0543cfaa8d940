/* link_subscription.h - subscriptions whose messages a thread of libnats delivers. */
#ifndef FFTD_DAEMON_HUB_LINK_SUBSCRIPTION_H
#define FFTD_DAEMON_HUB_LINK_SUBSCRIPTION_H

#include <stdatomic.h>

#include <nats/nats.h>

/*
 * Any number of messages may wait: `deliver` is quick, and the bound is that of its inbox. It owns
 * each message. The caller destroys *out. *open counts subscriptions of which messages may still
 * come, also after they are destroyed; it outlives them.
 */
natsStatus link_subscribe(natsSubscription **out, natsConnection *connection, const char *subject,
                          natsMsgHandler deliver, void *user, atomic_int *open);
/*
 * Waits until *open is 0, for at most 2 s. To be called before nats_CloseAndWait, once all are
 * destroyed: libnats 3.4.1 may end the thread that frees messages first, which then stay.
 */
void link_subscriptions_wait(const atomic_int *open);

#endif
