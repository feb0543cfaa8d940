/*
 * remote_request.h - a request to a sensor, from the broker. Pure.
 *
 *     {"type":"set","token":"...","name":"alice","center_hz":1e8, ...}
 *           changes the radio. token: the control token of that fftd. name: optional, for people.
 *           The other fields are those of the websocket's message "set" (wire.h)
 *     {"type":"choices","token":"..."}
 *           asks which settings there are, with their bounds, and for the status
 *     {"type":"call","token":"...","from":"...","verb":"PUT","path":"/api/v1/...","values":{...}}
 *           a call of the API (nats/call_message.h)
 */
#ifndef FFTD_DAEMON_SENSOR_REMOTE_REQUEST_H
#define FFTD_DAEMON_SENSOR_REMOTE_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

#include "daemon/control/fields.h"
#include "daemon/control/setting_change.h"

struct reason;

enum remote_kind { REMOTE_SET, REMOTE_CHOICES, REMOTE_CALL };

struct remote_request {
    enum remote_kind kind;
    const char *token; /* NULL: none; of the message */
    const char *name;  /* the same */
    struct setting_change change;
    /* of a call: the address that asks the hub, and its own name for it; "": not given */
    const char *from, *verb, *path;
    const json_t *values; /* an object */
    json_t *message;      /* owned */
};

/*
 * 0, or -EINVAL with one line in error; the token is read nevertheless, if there is one.
 * remote_request_finish after both.
 */
int remote_request_read(struct remote_request *out, const char *text, size_t size,
                        struct reason *why);
void remote_request_finish(struct remote_request *r);

/*
 * Replies, as allocated text; NULL: no memory.
 *
 *     {"type":"done"}
 *     {"type":"error","message":"...","cause":"token"}     cause: only of a wrong token
 *     {"type":"choices","choices":{...},"status":{...}}    takes over both
 */
char *remote_request_reply(const char *error, bool is_wrong_token);
char *remote_request_reply_choices(json_t *choices, json_t *status);

#endif
