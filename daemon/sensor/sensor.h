/*
 * sensor.h - publishes what this fftd receives at a NATS broker: docs/sensor-messages.md.
 *
 * Its thread reads lines, folds them to the rate of the configuration, and puts a frame of them
 * into the outbox; a second thread (sensor_link.h) sends. Without a broker, lines are folded into
 * one frame until it is back. No other thread waits for these two.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_H
#define FFTD_DAEMON_SENSOR_SENSOR_H

#include "daemon/sensor/sensor_config.h"
#include "daemon/status/nats_state.h"
#include "daemon/status/status.h"
#include "daemon/trigger/event.h"

struct reason;
struct sensor;

/* Starts the threads, from the next line on. -errno with one line in *why. */
int sensor_start(struct sensor **out, const struct sensor_config *config, struct reason *why);
/* The loop thread, several times a second: publishes the sensor's state. NULL is fine. */
void sensor_set_status(struct sensor *s, const struct status *status);
/* Any thread: an event began or ended. NULL is fine. */
void sensor_push_event(struct sensor *s, const struct event *e);
/*
 * After the line ring was closed: publishes the last line and that the sensor is gone, for at most
 * patience_ms. NULL is fine.
 */
void sensor_stop(struct sensor *s, int patience_ms);
void sensor_destroy(struct sensor *s);                       /* stopped, or NULL */
void sensor_state(struct sensor *s, struct nats_state *out); /* any thread; NULL: zero */

#endif
