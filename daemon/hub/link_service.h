/*
 * link_service.h - requests and replies on the connection of a sensor: a service has a subject,
 * where requests come, and two inboxes. The link's thread.
 */
#ifndef FFTD_DAEMON_HUB_LINK_SERVICE_H
#define FFTD_DAEMON_HUB_LINK_SERVICE_H

#include <nats/nats.h>

#include "daemon/hub/link.h"

/* Those that wait, each with the subject of its reply; "": it wants none. */
natsStatus link_read_requests(natsSubscription *from, const struct link_service *to);
natsStatus link_send_replies(natsConnection *to, struct inbox *from);

#endif
