/* upgrade.h - checks each request to become a websocket before libwebsockets handles it. Loop
 * thread.
 */
#ifndef FFTD_DAEMON_HTTP_UPGRADE_H
#define FFTD_DAEMON_HTTP_UPGRADE_H

#include <libwebsockets.h>

struct http_server;

/*
 * NULL if the request may become a websocket, else the reason and an HTTP status. Another websocket
 * may have lost its place then.
 */
const char *upgrade_refuse(struct http_server *s, struct lws *wsi, unsigned *status);

#endif
