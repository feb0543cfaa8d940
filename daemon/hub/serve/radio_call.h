/*
 * radio_call.h - calls of a hub's clients to its radios, whichever carrier they come by: their
 * paths, what keeps them back, and their way to the sensor. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_RADIO_CALL_H
#define FFTD_DAEMON_HUB_SERVE_RADIO_CALL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/http/rest_change.h"
#include "daemon/nats/message.h"

struct hub_answer;
struct hub_service;
struct radio;
struct reason;

extern const char radio_call_paths[]; /* what they begin with */

/* The path of a hub's resource in two parts. */
struct radio_call_target {
    char radio[2 * HUB_WORD]; /* SITE.RADIO */
    char path[REST_PATH];     /* at the radio */
};

/* False: it is none of them. The path at the radio may be no resource. */
bool radio_call_split(const char *path, struct radio_call_target *t);
/* The path at this hub of the object that a radio has created, encoded. */
void radio_call_location(char *into, size_t size, const char *radio, const char *location);

/* 0, or -errno: the radio gets no request now. -ENOENT: it is gone. */
int radio_call_check(const struct hub_service *h, const struct radio *radio, struct reason *why);
struct radio_call {
    void *viewer; /* a struct client, or a struct remote_call */
    const struct radio *radio;
    const json_t *id; /* of a viewer's call; NULL: over HTTP */
    bool is_read;
    uint8_t *data; /* CALL_HEAD bytes of room, then the message [size]; NULL: no memory */
    size_t size;
};
/* 0, or -errno: it is not on its way. */
int radio_call_send(struct hub_service *h, const struct radio_call *what, struct reason *why);
/* Why there is no reply, and the status that says so. radio: SITE.RADIO. */
unsigned radio_call_fault(const struct hub_service *h, const struct hub_answer *answer,
                          const char *radio, bool is_read, struct reason *why);

#endif
