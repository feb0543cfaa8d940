/*
 * replay_change.h - the changes of a call to the replay of a recording. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_REPLAY_CHANGE_H
#define FFTD_DAEMON_CONTROL_REPLAY_CHANGE_H

#include <stddef.h>

#include "daemon/option/option.h"
#include "daemon/stream/replay.h"

/* paused, loop, speed, position, from, to: rows of struct replay_request. Ends with {0}. */
extern const struct config_option replay_keys[];

struct replay_change {
    unsigned fields; /* bit i: the value of replay_keys[i] is given */
    struct replay_request values;
};

/* Copies the values that are given; a position becomes a seek. */
void replay_change_apply(const struct replay_change *change, struct replay_request *request);

#endif
