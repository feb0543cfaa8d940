/*
 * control.h - the messages of browsers (JSON, see wire.h), checked and converted to values.
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_CONTROL_H
#define FFTD_DAEMON_CLIENT_CONTROL_H

#include <jansson.h>

#include "daemon/client/feed.h"
#include "daemon/client/history_request.h"
#include "daemon/client/readout.h"
#include "daemon/client/record_request.h"
#include "daemon/client/replay_change.h"
#include "daemon/client/setting_change.h"
#include "daemon/wire/density_frame.h"

enum control_kind {
    CONTROL_HELLO,
    CONTROL_VIEW,
    CONTROL_CREDIT,
    CONTROL_DENSITY,
    CONTROL_SET,
    CONTROL_MEASURE,
    CONTROL_REFERENCE,
    CONTROL_OWN_MEASURE,
    CONTROL_MARKERS,
    CONTROL_REPLAY,
    CONTROL_LEASE,
    CONTROL_PRESET,
    CONTROL_HISTORY,
    CONTROL_EVENTS,
    CONTROL_RECORD,
    CONTROL_TRIGGER
};

struct control {
    enum control_kind kind;
    const char *token; /* hello: NULL if none; belongs to `message` */
    const char *name;  /* hello, lease: of the client; the same */
    enum { LEASE_KEEP, LEASE_TAKE, LEASE_RELEASE } lease; /* keep: only the name */
    bool status_changes;                                  /* hello */
    enum { PRESET_STORE, PRESET_RECALL, PRESET_REMOVE } preset;
    const char *preset_name; /* belongs to `message`, not checked */
    const char *fired_name;  /* trigger: the same */
    uint32_t view_id;        /* view */
    struct view view;
    unsigned slot;   /* view, reference: below FEED_SLOTS */
    bool off;        /* view: remove the one in this slot; it has no other fields */
    bool restart;    /* view: its trace begins again */
    uint32_t credit; /* credit: frames drawn, >= 1 */
    bool want;       /* density, markers, events: true unless the client wants no more */
    struct density_form density_form;
    struct setting_change change;  /* set */
    struct readout_choice readout; /* markers */
    struct replay_change replay;   /* replay */
    struct record_message record;  /* record */
    /* measure, own_measure: one of these; the last two fields belong to `message` */
    enum { MEASURE_WANT, MEASURE_UNWANT, MEASURE_SET, MEASURE_REMOVE } measure;
    const json_t *measure_setup;    /* an object, not checked */
    const char *measure_name;       /* to remove */
    struct history_request history; /* history */
    const char *reference_name;     /* reference: to store; belongs to `message`, not checked */
    json_t *message;                /* the whole message; control_finish releases it */
};

/* 0, or -EINVAL with one line in error that says what is wrong. */
int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size);
void control_finish(struct control *c); /* also after a failed parse */

#endif
