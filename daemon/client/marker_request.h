/* marker_request.h - the fields of a "markers" message (docs/protocol.md). Pure, any thread. */
#ifndef FFTD_DAEMON_CLIENT_MARKER_REQUEST_H
#define FFTD_DAEMON_CLIENT_MARKER_REQUEST_H

#include "daemon/client/readout.h"
#include "daemon/control/fields.h"

struct reason;

/* *wanted: false if the client wants no more readings. 0 or -EINVAL. */
int marker_request_read(const json_t *message, bool *wanted, struct readout_choice *out,
                        struct reason *why);

#endif
