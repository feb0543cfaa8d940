/*
 * control.h - the messages of browsers (JSON, see wire.h), checked and converted to values.
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_CONTROL_H
#define FFTD_DAEMON_CLIENT_CONTROL_H

#include <jansson.h>

#include "daemon/api/topics.h"
#include "daemon/client/feed.h"
#include "daemon/control/fields.h"
#include "daemon/wire/density_frame.h"

struct reason;

enum control_kind { CONTROL_HELLO, CONTROL_VIEW, CONTROL_CREDIT, CONTROL_SUBSCRIBE, CONTROL_CALL };

struct control_subscription {
    unsigned topic;           /* of api/topics.h */
    bool on;                  /* false: unsubscribes */
    double rate_hz;           /* messages a second at most; 0: as they come */
    struct density_form form; /* of TOPIC_DENSITY */
};

/* A call of a resource (api/resource.h). */
enum { CONTROL_PATH = 128 };
struct control_call {
    const char *verb; /* "put" */
    char path[CONTROL_PATH];
    json_t *values; /* an object; owned */
};

struct control {
    enum control_kind kind;
    const char *token;   /* hello: NULL if none; belongs to `message` */
    const char *name;    /* hello: of the client; the same; NULL: not given */
    bool status_changes; /* hello */
    struct control_call call;
    uint32_t view_id; /* view */
    struct view view;
    unsigned slot;   /* view: below FEED_SLOTS */
    bool off;        /* view: remove the one in this slot; it has no other fields */
    bool restart;    /* view: its trace begins again */
    uint32_t credit; /* credit: frames drawn, >= 1 */
    struct control_subscription subscription;
    const json_t
        *id;         /* subscribe, call: the answer has it; of `message`; NULL: none is asked for */
    json_t *message; /* the whole message; control_finish releases it */
    bool is_call;    /* or a subscription: answered with its id, also if it was not understood */
};

/* 0, or -EINVAL with one line in *why that says what is wrong. */
int control_parse(struct control *out, const char *text, size_t size, struct reason *why);
void control_finish(struct control *c); /* also after a failed parse */

#endif
