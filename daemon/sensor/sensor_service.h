/*
 * sensor_service.h - requests and replies on the connection of a sensor: a service has a subject,
 * where requests come, and two inboxes. The link's thread.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_SERVICE_H
#define FFTD_DAEMON_SENSOR_SENSOR_SERVICE_H

#include "daemon/nats/inbox.h"
#include "daemon/nats/link_broker.h"

enum { SENSOR_SERVICES = 2 };

/* Requests that come at SUBJECT.name, and the replies to them. */
struct sensor_service {
    const char *name;
    struct inbox *requests, *replies; /* the subject of a message is where the reply goes */
    void (*arrived)(void *user);      /* (optional) requests came; on the link's thread */
    void *user;
};

/* A request, with the subject of its reply; "": it wants none. */
void sensor_service_take(const struct sensor_service *to, const struct link_frame *request);
/* False: the connection is over. */
bool sensor_service_send(struct link_broker *to, struct inbox *from);

#endif
