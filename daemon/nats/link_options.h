/* link_options.h - how a connection to the broker is made: address, credentials, TLS. */
#ifndef FFTD_DAEMON_NATS_LINK_OPTIONS_H
#define FFTD_DAEMON_NATS_LINK_OPTIONS_H

#include <nats/nats.h>

#include "daemon/nats/nats_options.h"

struct reason;

enum { LINK_CONNECT_MS = 2000 };

/*
 * Reads the files. name: of the client, for the broker. -errno with one line in *why that names
 * the file. The caller destroys *out, also after a failure; NULL is fine there.
 */
int link_options_create(natsOptions **out, const struct nats_options *o, const char *name,
                        struct reason *why);
/* A broker that answers no ping for 3 s ends the connection. */
natsStatus link_options_set_ping(natsOptions *to);

#endif
