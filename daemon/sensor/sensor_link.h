/*
 * sensor_link.h - the sensor's traffic with its broker, on its own thread. link_broker.h
 * has the connection.
 *
 * Sends what is in the outbox. The broker confirms by an echo: the thread publishes its run and the
 * number of the last message at SUBJECT.echo, which it subscribes to, once a second or after 16
 * messages; the broker keeps the order of a connection's messages. An echo that takes more than 5 s
 * ends the connection. What the broker forbids ends it, too, unless it concerns requests and
 * replies only. After a loss, or without a broker, the thread tries again four times a
 * second.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_LINK_H
#define FFTD_DAEMON_SENSOR_SENSOR_LINK_H

#include "daemon/nats/nats_options.h"
#include "daemon/sensor/outbox.h"
#include "daemon/sensor/sensor_service.h"

struct reason;
struct sensor_link;

struct sensor_link_config {
    const struct nats_options *options; /* outlives the link */
    const char *subject;                /* PREFIX.SITE.RADIO; outlives the link */
    struct outbox *outbox;
    struct sensor_service service[SENSOR_SERVICES];
    unsigned services;
    uint32_t
        run; /* of the sensor: distinguishes its echoes from those of a sensor of the same name */
};

/* Files are read at once: -errno with one line in *why. The broker may come later. */
int sensor_link_start(struct sensor_link **out, const struct sensor_link_config *config,
                      struct reason *why);
/* Sends what waits, for at most patience_ms, and joins the thread. NULL is fine. */
void sensor_link_stop(struct sensor_link *l, int patience_ms);
void sensor_link_destroy(struct sensor_link *l); /* NULL is fine */

#endif
