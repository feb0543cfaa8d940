/*
 * control.h - the messages of browsers (JSON, see wire.h), checked and converted to values.
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_CONTROL_H
#define FFTD_DAEMON_CLIENT_CONTROL_H

#include <jansson.h>

#include "daemon/client/setting_change.h"
#include "daemon/client/view.h"

enum control_kind {
    CONTROL_HELLO,
    CONTROL_VIEW,
    CONTROL_CREDIT,
    CONTROL_DENSITY,
    CONTROL_SET,
    CONTROL_MEASURE
};

struct control {
    enum control_kind kind;
    const char *token; /* hello: NULL if none; belongs to `message` */
    uint32_t view_id;  /* view */
    struct view view;
    bool restart;                 /* view: its trace begins again */
    uint32_t credit;              /* credit: frames drawn, >= 1 */
    bool want;                    /* density: true unless the client wants no more */
    struct setting_change change; /* set */
    /* measure: one of these three; the last two belong to `message` */
    enum { MEASURE_WANT, MEASURE_UNWANT, MEASURE_SET, MEASURE_REMOVE } measure;
    const json_t *measure_setup; /* an object, not checked */
    const char *measure_name;    /* to remove */
    json_t *message;             /* the whole message; control_finish releases it */
};

/* 0, or -EINVAL with one line in error that says what is wrong. */
int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size);
void control_finish(struct control *c); /* also after a failed parse */

#endif
