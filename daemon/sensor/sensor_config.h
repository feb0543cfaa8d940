/* sensor_config.h - what a sensor publishes, and what requests of its broker reach. */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_CONFIG_H
#define FFTD_DAEMON_SENSOR_SENSOR_CONFIG_H

#include "daemon/api/services.h"
#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/measure/measure_thread.h"

struct sensor_config {
    const struct config *config; /* checked; outlives the sensor */
    struct line_ring *lines;
    struct measure_thread *measure_thread; /* (optional) outlives the sensor's thread */
    /* On the loop thread: what calls of the API, whose token was right, are made on. */
    const struct services *(*services)(void *user);
    void *user;
};

#endif
