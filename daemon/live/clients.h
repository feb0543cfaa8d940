/* clients.h - all websockets of a server: how they come, what they send, and how they go. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_CLIENTS_H
#define FFTD_DAEMON_LIVE_CLIENTS_H

#include "daemon/http/http_site.h"

struct clients;

/* Of the server whose owner has set what it sets. 0 or -errno of libuv. */
int clients_start(struct clients *all);
void clients_stop(struct clients *all);                       /* closes its handle of the loop */
struct http_websocket clients_websocket(struct clients *all); /* for http_server.h */

#endif
