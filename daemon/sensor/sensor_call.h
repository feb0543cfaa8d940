/*
 * sensor_call.h - the broker as a carrier of the API: a call with a valid token, and
 * what came of it as a message. Loop thread.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_CALL_H
#define FFTD_DAEMON_SENSOR_SENSOR_CALL_H

#include "daemon/api/services.h"
#include "daemon/nats/call_message.h"
#include "daemon/sensor/remote_request.h"

/*
 * The reply, allocated; NULL: no memory. *changed: the radio was changed. at: the paths of this
 * radio at a hub, "/api/v1/radios/SITE.RADIO/". Somebody behind a hub is, as a user of the lease,
 * nobody who asks over HTTP from the same address.
 */
uint8_t *sensor_call_run(const struct services *on, const struct remote_request *request,
                         const char *at, size_t *size, bool *changed);
/* The same of a call that is not run. */
uint8_t *sensor_call_refuse(unsigned status, const char *error, bool wrong_token, size_t *size);

#endif
