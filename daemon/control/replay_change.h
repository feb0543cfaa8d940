/*
 * replay_change.h - the changes of a call to the replay of a recording. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_REPLAY_CHANGE_H
#define FFTD_DAEMON_CONTROL_REPLAY_CHANGE_H

#include <stddef.h>

#include "daemon/stream/replay.h"

struct reason;

struct replay_change {
    unsigned fields; /* bit i: row i of the table of fields */
    struct replay_request values;
};

/*
 * Adds one of paused, loop, speed, position, from, to, with a text: "true", "12.5 s". -EINVAL with
 * one line in *why.
 */
int replay_change_add(struct replay_change *change, const char *name, const char *text,
                      struct reason *why);
/* Copies the changed fields; a position becomes a seek. */
void replay_change_apply(const struct replay_change *change, struct replay_request *request);

#endif
