/*
 * remote_request.h - a request to change the radio of a sensor, from the broker. Pure.
 *
 *     {"type":"set","token":"...","name":"alice","center_hz":1e8, ...}
 *           token: the control token of that fftd. name: optional, for people. The other fields are
 *           those of the websocket's message "set" (wire.h)
 */
#ifndef FFTD_DAEMON_HUB_REMOTE_REQUEST_H
#define FFTD_DAEMON_HUB_REMOTE_REQUEST_H

#include <jansson.h>

#include "daemon/client/fields.h"
#include "daemon/client/setting_change.h"

struct remote_request {
    const char *token; /* NULL: none; of the message */
    const char *name;  /* the same */
    struct setting_change change;
    json_t *message; /* owned */
};

/*
 * 0, or -EINVAL with one line in error; the token is read nevertheless, if there is one.
 * remote_request_finish after both.
 */
int remote_request_read(struct remote_request *out, const char *text, size_t size, char *error,
                        size_t error_size);
void remote_request_finish(struct remote_request *r);

/* {"type":"done"}, or {"type":"error","message":...}: allocated text; NULL: no memory. */
char *remote_request_reply(const char *error);

#endif
