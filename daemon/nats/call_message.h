/*
 * call_message.h - a call of a radio's API through a broker, and the reply: what a hub and a sensor
 * say to each other. What comes is data from outside. Pure.
 *
 *     {"type":"call","token":"...","from":"192.0.2.7","verb":"PUT","path":"/api/v1/settings",
 *      "values":{...}}                                          the hub
 *     {"type":"reply","status":200,"body":{...}}    the sensor
 *     {"type":"reply","status":201,"body":{...},"location":"/api/v1/recordings/7"}
 *     {"type":"reply","status":400,"error":"...","key":"center_hz"}
 *     {"type":"reply","status":200,"bytes":120}, a line feed and that number of bytes
 */
#ifndef FFTD_DAEMON_NATS_CALL_MESSAGE_H
#define FFTD_DAEMON_NATS_CALL_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/base/reason.h"

enum {
    CALL_MAX = 160 << 10,       /* bytes of a call: a body of 64 KiB, written anew, has room */
    CALL_REPLY_MAX = 512 << 10, /* of a reply; a broker takes 1 MiB, by default */
    CALL_LOCATION = 320,
    CALL_HEAD = 8, /* bytes before a call: the number of its request at a hub, little-endian */
};

/* What a hub asks. */
struct call_ask {
    const char *token; /* NULL: none */
    const char *name;  /* of who asks, for people; NULL: not given */
    const char *from;  /* the address that asks the hub */
    const char *verb, *path;
    const json_t *values; /* an object */
};
/* Allocated, with CALL_HEAD bytes of room before it, which *size does not count. NULL: no memory.
 */
uint8_t *call_ask_write(const struct call_ask *ask, size_t *size);

struct call_reply {
    unsigned status; /* 200, 201, 202, or 400 to 599 */
    bool wrong_token;
    json_t *body;         /* owned; of 200 to 202; NULL: bytes */
    const uint8_t *bytes; /* [size], of the caller */
    size_t size;
    char location[CALL_LOCATION]; /* below /api/v1/, not encoded; "": none */
    struct reason why;            /* of a refusal */
};

/* Allocated; NULL: no memory. */
uint8_t *call_reply_write(const struct call_reply *r, size_t *size);
/* 0, or -EINVAL: it is no reply. call_reply_finish after both. */
int call_reply_read(struct call_reply *out, const void *data, size_t size);
void call_reply_finish(struct call_reply *r);

#endif
