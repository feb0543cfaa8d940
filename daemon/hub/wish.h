/*
 * wish.h - what a viewer says to a hub. Pure.
 *
 *     {"type":"hello","token":"..."}           optional, and only as the first message
 *     {"type":"want","radios":[1,4],"past_s":60}
 *           the ids of the radios whose frames it gets from now on; a new list replaces the old
 *           one. past_s: optional; the frames of radios that it did not want before begin so many
 *           seconds ago, if the hub still has them. "again":true: those of all radios do.
 *           "serial":7: {"type":"wanted","serial":7} comes before the first of these frames
 *     {"type":"set","radio":4,"token":"...","name":"alice","center_hz":1e8, ...}
 *     {"type":"choices","radio":4,"token":"..."}
 *           requests to the sensor of a radio (remote_request.h), which checks them
 */
#ifndef FFTD_DAEMON_HUB_WISH_H
#define FFTD_DAEMON_HUB_WISH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

enum { WISH_RADIOS = 16, WISH_PAST_S = 86400 };

enum wish_kind { WISH_HELLO, WISH_WANT, WISH_REQUEST };

struct wish {
    enum wish_kind kind;
    const char *token; /* of hello. NULL: none; of the message */
    uint32_t radios[WISH_RADIOS];
    uint32_t count;
    double past_s;
    bool again;
    const json_t *serial; /* NULL: none; of the message */
    uint32_t radio;       /* of a request; 0: none was read */
    json_t *message;      /* owned; of a request: what the sensor gets */
};

/*
 * 0, or -EINVAL with one line in error; the radio of a request is read nevertheless, if there is
 * one. wish_finish after both.
 */
int wish_read(struct wish *out, const char *text, size_t size, struct reason *why);
void wish_finish(struct wish *w);

#endif
