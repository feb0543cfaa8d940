/* link_control.h - requests and replies on the connection of a sensor. The link's thread. */
#ifndef FFTD_DAEMON_HUB_LINK_CONTROL_H
#define FFTD_DAEMON_HUB_LINK_CONTROL_H

#include <nats/nats.h>

#include "daemon/hub/inbox.h"

/* Those that wait, each with the subject of its reply; "": it wants none. */
natsStatus link_read_requests(natsSubscription *from, struct inbox *into);
natsStatus link_send_replies(natsConnection *to, struct inbox *from);

#endif
