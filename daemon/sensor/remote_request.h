/*
 * remote_request.h - a call of the API that came through the broker (nats/call_message.h), with the
 * control token of this fftd. Pure.
 */
#ifndef FFTD_DAEMON_SENSOR_REMOTE_REQUEST_H
#define FFTD_DAEMON_SENSOR_REMOTE_REQUEST_H

#include <jansson.h>
#include <stddef.h>

struct reason;

struct remote_request {
    const char *token; /* NULL: none. All texts are of the message */
    const char *name;  /* of who asks, for people; NULL: not given */
    const char *from;  /* the address that asks the hub, and its own name for it; "": not given */
    const char *verb, *path;
    const json_t *values; /* an object */
    json_t *message;      /* owned */
};

/*
 * 0, or -EINVAL with one line in *why; the token is read nevertheless, if there is one.
 * remote_request_finish after both.
 */
int remote_request_read(struct remote_request *out, const char *text, size_t size,
                        struct reason *why);
void remote_request_finish(struct remote_request *r);

#endif
