/*
 * sensor_control.h - control of a sensor's radio through the broker: requests whose token is right.
 * Loop thread.
 *
 * Without a control token in the configuration, all are refused, and the sensor does not ask the
 * broker for requests.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_CONTROL_H
#define FFTD_DAEMON_SENSOR_SENSOR_CONTROL_H

#include "daemon/access/token.h"
#include "daemon/nats/inbox.h"
#include "daemon/nats/message.h"
#include "daemon/sensor/sensor_config.h"
#include "daemon/sensor/sensor_report.h"

struct reason;

struct sensor_control {
    struct token token;
    struct inbox *requests, *replies; /* NULL: no token is configured */
    struct inbox_message *waiting;    /* requests for the next calls */
    struct sensor_writer writer;
    char at[32 + 2 * HUB_WORD]; /* the paths of this radio at a hub */
    uint64_t log_ns;            /* no wrong token is logged before */
    double guessed; /* wrong tokens that count, of all requesters: the broker's word on who they */
    uint64_t guessed_ns; /* are proves nothing. Time of `guessed` */
};

/* Reads the token. -errno with one line in *why that names the file. */
int sensor_control_init(struct sensor_control *c, const struct config *config, struct reason *why);
void sensor_control_finish(struct sensor_control *c); /* zeroed is fine */
/* Answers some of the requests that wait. True: the radio was changed. */
bool sensor_control_handle(struct sensor_control *c, const struct sensor_config *config);

#endif
