/*
 * connection.h - the connections of the server, and which of them is evicted for another. Loop
 * thread.
 *
 * An address may have as many connections as there are places. When all are taken, a new one gets
 * the place of one of the address that has the most connections without a websocket: the oldest
 * that waits for the head of a request, or else, for another address, that does not read its
 * answer. So who opens connections and then sends or reads nothing keeps nobody out.
 */
#ifndef FFTD_DAEMON_HTTP_CONNECTION_H
#define FFTD_DAEMON_HTTP_CONNECTION_H

#include <libwebsockets.h>
#include <stdbool.h>

#include "daemon/access/address.h"

struct connections;
struct http_server;
struct peer;

/* One that waits for the head of a request or handles it; or a websocket. */
struct connection {
    struct connection *next, **link; /* without websockets; link: NULL: it is one */
    struct http_server *server;
    struct lws *wsi;
    struct peer *peer; /* a reference: of the socket's own address */
    bool waits;        /* for the head of a request */
    bool closing;
};

void connections_init(struct connections *all);
/* Of a new socket. False: no memory; the connection closes. */
bool connection_add(struct http_server *s, struct lws *wsi, const struct address *from);
void connection_remove(struct lws *wsi);         /* it has ended */
void connection_waits(struct lws *wsi, bool on); /* for the head of a request */
void connection_becomes_websocket(struct lws *wsi);
struct peer *connection_peer(struct lws *wsi); /* of the socket's own address */
/*
 * The address that a request comes from, while its headers are there. A proxy on this machine
 * passes it on (X-Forwarded-For).
 */
struct address connection_visitor(struct lws *wsi);
/* True if the request came through a proxy, so its user may be on another machine. */
bool connection_is_forwarded(struct lws *wsi);
/* True if a new one of this address has a place. Closes another for it, if necessary and possible.
 */
bool connections_evict(struct http_server *s, const struct address *newcomer);

#endif
