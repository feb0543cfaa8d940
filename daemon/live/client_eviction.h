/* client_eviction.h - evicts a client where one address has most of max-clients and another needs
 * one. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_CLIENT_EVICTION_H
#define FFTD_DAEMON_LIVE_CLIENT_EVICTION_H

#include <stdbool.h>

struct address;
struct clients;
struct peer;

/*
 * True if a client may connect. When max-clients are connected and more than half of them are of
 * one other address, the oldest of these is closed, if possible an idle one. An address is first
 * that of the socket, then that which a proxy names (visitor).
 */
bool client_evict(struct clients *all, const struct peer *own, const struct address *visitor);

#endif
