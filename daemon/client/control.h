/*
 * control.h - what browsers say (the JSON messages of wire.h), checked and turned into values.
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_CONTROL_H
#define FFTD_DAEMON_CLIENT_CONTROL_H

#include <jansson.h>

#include "daemon/client/view.h"
#include "daemon/stream/settings.h"

enum control_kind { CONTROL_HELLO, CONTROL_VIEW, CONTROL_CREDIT, CONTROL_SET };

struct control {
    enum control_kind kind;
    const char *token; /* hello: NULL if none; belongs to `message` */
    uint32_t view_id;  /* view */
    struct view view;
    uint32_t credit; /* credit: frames drawn, >= 1 */
    json_t *message; /* the whole */
};

/* 0, or -EINVAL with one line in error saying what is wrong. */
int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size);
void control_finish(struct control *c); /* also after a failed parse */

/* A field of a "set" message, and the key of its row in the option table. */
struct control_field {
    const char *name, *key;
};
extern const struct control_field control_fields[];
extern const size_t control_field_count;

/*
 * Merges the fields of a "set" message into a complete state: all of them, or on -EINVAL none. An
 * unknown field is an error, too.
 */
int control_merge(const json_t *set, struct settings *want, char *error, size_t error_size);
/* A value as JSON, cut to what a person wants to read in an error. Returns `into`. */
const char *control_show(const json_t *value, char into[40]);

#endif
