/*
 * replay_change.h - what one message "replay" changes in the replay of a recording. Pure, any
 * thread.
 */
#ifndef FFTD_DAEMON_CLIENT_REPLAY_CHANGE_H
#define FFTD_DAEMON_CLIENT_REPLAY_CHANGE_H

#include <jansson.h>

#include "daemon/stream/replay.h"

struct replay_change {
    unsigned fields; /* bit i: row i of the table of fields */
    struct replay_request values;
};

/*
 * Reads all fields but "type": paused, loop, speed, position, from, to. 0, or -EINVAL with one line
 * in error for the first field that is unknown or has a bad value.
 */
int replay_change_read(const json_t *message, struct replay_change *out, char *error,
                       size_t error_size);
/* Adds a field with a text: "true", "12.5 s". -EINVAL with one line in error. */
int replay_change_add(struct replay_change *change, const char *name, const char *text, char *error,
                      size_t error_size);
/* Copies the changed fields; a position becomes a seek. */
void replay_change_apply(const struct replay_change *change, struct replay_request *request);

#endif
