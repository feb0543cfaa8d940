/*
 * viewer_message.h - the messages of a viewer to a hub. Pure.
 *
 *     {"type":"hello","token":"..."}           optional, and only as the first message
 *     {"type":"want","radios":[1,4],"past_s":60}
 *           the ids of the radios whose frames it gets from now on; a new list replaces the old
 *           one. past_s: optional; the frames of radios that it did not want before begin this
 *           many seconds ago, if the hub still has them. "again":true: those of all radios do.
 *           "serial":7: {"type":"wanted","serial":7} comes before the first of these frames
 *     {"id":7,"put":"/api/v1/radios/roof.south/settings","token":"...","name":"alice","body":{...}}
 *           a call of a radio's API, as over HTTP. token: of that radio; name: for people
 */
#ifndef FFTD_DAEMON_HUB_VIEWER_MESSAGE_H
#define FFTD_DAEMON_HUB_VIEWER_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

enum { VIEWER_RADIOS = 16, VIEWER_PAST_S = 86400 };

enum { VIEWER_PATH = 256 };
enum viewer_message_kind { VIEWER_HELLO, VIEWER_WANT, VIEWER_CALL };

struct viewer_message {
    enum viewer_message_kind kind;
    const char *token; /* of hello, or of a radio. NULL: none; of the message */
    uint32_t radios[VIEWER_RADIOS];
    uint32_t count;
    double past_s;
    bool again;
    const json_t *serial; /* NULL: none; of the message */
    const json_t *id;     /* of a call; NULL: none was read; of the message. The same below */
    const char *verb;     /* "put" */
    const char *name;     /* NULL: not given */
    const json_t *values; /* NULL: none */
    char path[VIEWER_PATH];
    json_t *message; /* owned */
};

/* 0, or -EINVAL with a reason; the id of a call is read nevertheless. viewer_message_finish after
 * both. */
int viewer_message_read(struct viewer_message *out, const char *text, size_t size,
                        struct reason *why);
void viewer_message_finish(struct viewer_message *w);

#endif
