/*
 * link_service.h - requests and replies on the connection of a sensor: a service has a subject,
 * where requests come, and two inboxes. The link's thread.
 */
#ifndef FFTD_DAEMON_HUB_LINK_SERVICE_H
#define FFTD_DAEMON_HUB_LINK_SERVICE_H

#include "daemon/hub/link.h"
#include "daemon/hub/link_broker.h"

/* A request, with the subject of its reply; "": it wants none. */
void link_take_request(const struct link_service *to, const struct link_frame *request);
/* False: the connection is over. */
bool link_send_replies(struct link_broker *to, struct inbox *from);

#endif
