/* sensor_config.h - what a sensor publishes, and what requests of its broker reach. */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_CONFIG_H
#define FFTD_DAEMON_SENSOR_SENSOR_CONFIG_H

#include <jansson.h>

#include "daemon/api/services.h"
#include "daemon/config/config.h"
#include "daemon/control/setting_change.h"
#include "daemon/line/line_ring.h"
#include "daemon/measure/measure_thread.h"

struct reason;

struct sensor_config {
    const struct config *config; /* checked; outlives the sensor */
    struct line_ring *lines;
    struct measure_thread *measure_thread; /* (optional) outlives the sensor's thread */
    /* On the loop thread: a request of the broker, whose token was right. As server_hooks.apply. */
    int (*apply)(void *user, const struct setting_change *change, struct reason *why);
    /* The same thread: what the open radio offers (client/choices.h). A new reference. */
    json_t *(*choices)(void *user);
    /* The same: what calls of the API, whose token was right, are made on. */
    const struct services *(*services)(void *user);
    void *user;
};

#endif
