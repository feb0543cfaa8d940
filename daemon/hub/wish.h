/*
 * wish.h - what a viewer says to a hub. Pure.
 *
 *     {"type":"hello","token":"..."}           optional, and only as the first message
 *     {"type":"want","radios":[1,4],"past_s":60}
 *           the ids of the radios whose frames it gets from now on; a new list replaces the old
 *           one. past_s: optional; the frames of radios that it did not want before begin so many
 *           seconds ago, if the hub still has them. "again":true: those of all radios do.
 *           "serial":7: {"type":"wanted","serial":7} comes before the first of these frames
 *     {"id":7,"put":"/api/v1/radios/roof.south/settings","token":"...","name":"alice","body":{...}}
 *           a call of a radio's API, as over HTTP. token: of that radio; name: for people
 */
#ifndef FFTD_DAEMON_HUB_WISH_H
#define FFTD_DAEMON_HUB_WISH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

enum { WISH_RADIOS = 16, WISH_PAST_S = 86400 };

enum { WISH_PATH = 256 };
enum wish_kind { WISH_HELLO, WISH_WANT, WISH_CALL };

struct wish {
    enum wish_kind kind;
    const char *token; /* of hello, or of a radio. NULL: none; of the message */
    uint32_t radios[WISH_RADIOS];
    uint32_t count;
    double past_s;
    bool again;
    const json_t *serial; /* NULL: none; of the message */
    const json_t *id;     /* of a call; NULL: none was read; of the message. The same below */
    const char *verb;     /* "put" */
    const char *name;     /* NULL: not given */
    const json_t *values; /* NULL: none */
    char path[WISH_PATH];
    json_t *message; /* owned */
};

/* 0, or -EINVAL with a reason; the id of a call is read nevertheless. wish_finish after both. */
int wish_read(struct wish *out, const char *text, size_t size, struct reason *why);
void wish_finish(struct wish *w);

#endif
