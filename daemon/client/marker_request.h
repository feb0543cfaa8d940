/* marker_request.h - what a client requests of its markers (docs/protocol.md). Pure, any thread. */
#ifndef FFTD_DAEMON_CLIENT_MARKER_REQUEST_H
#define FFTD_DAEMON_CLIENT_MARKER_REQUEST_H

#include "daemon/client/readout.h"
#include "daemon/control/fields.h"

struct reason;

/* values: an object, whose keys are known. 0, or -EINVAL with one line in *why. */
int marker_request_read(const json_t *values, struct readout_choice *out, struct reason *why);

#endif
