/* resource_lease.h - the lease of the radio as clients see it. Loop thread only. */
#ifndef FFTD_DAEMON_API_RESOURCE_LEASE_H
#define FFTD_DAEMON_API_RESOURCE_LEASE_H

#include <jansson.h>
#include <stdbool.h>

#include "daemon/control/lease.h"

/* Addresses are of no concern to those who may only watch. NULL: no memory. */
json_t *lease_to_json(const struct lease *l, bool with_address);

#endif
