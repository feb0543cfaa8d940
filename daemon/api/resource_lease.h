/* resource_lease.h - the lease of the radio as clients see it. Loop thread only. */
#ifndef FFTD_DAEMON_API_RESOURCE_LEASE_H
#define FFTD_DAEMON_API_RESOURCE_LEASE_H

#include <jansson.h>
#include <stdbool.h>

#include "daemon/control/lease.h"

/* Clients that may only watch do not see addresses. NULL: no memory. */
json_t *lease_to_json(const struct lease *l, bool with_address);

#endif
