/*
 * status_json.h - the status and the ledger as JSON, for /api/v1/status, the "status" message and
 * the statistics at the end. Unknown numbers (NaN) are null. Any thread.
 */
#ifndef FFTD_DAEMON_STATUS_STATUS_JSON_H
#define FFTD_DAEMON_STATUS_STATUS_JSON_H

#include <jansson.h>

#include "daemon/status/status.h"

json_t *status_to_json(const struct status *s);       /* a new reference; NULL: no memory */
json_t *replay_to_json(const struct replay_state *r); /* null: the source is no recording */
json_t *settings_to_json(const struct settings *w);   /* by the names of "set" */
json_t *ledger_to_json(const struct ledger *l); /* {"produced":..,"lost":{"overflow":..}, ..} */

#endif
