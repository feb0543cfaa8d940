/* limits.h - the limits of clients, as in the message "welcome" and the status. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_SERVICE_LIMITS_H
#define FFTD_DAEMON_LIVE_SERVICE_LIMITS_H

#include <jansson.h>

struct live;

json_t *limits_to_json(const struct live *l); /* a new reference */

#endif
