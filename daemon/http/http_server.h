/*
 * http_server.h - an HTTP server: what its requests and connections share. Loop thread.
 *
 * Its owner zeroes it, sets the first members, and opens it. The owner's site (http_site.h) says
 * what is served.
 */
#ifndef FFTD_DAEMON_HTTP_HTTP_SERVER_H
#define FFTD_DAEMON_HTTP_HTTP_SERVER_H

#include <libwebsockets.h>
#include <uv.h>

#include "daemon/access/login.h"
#include "daemon/access/peers.h"
#include "daemon/config/config.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_site.h"
#include "daemon/http/listener.h"

enum {
    HTTP_EXTRA =
        64, /* connections served in addition to max_clients; as many again may be closing */
    HTTP_HEADER_MAX = 16384, /* bytes of a request's line and headers */
};

struct reason;
struct services;

struct http_server {
    /* set by the owner; the strings of the options outlive the server, except for the token's */
    uv_loop_t *loop;
    struct server_options options;
    const struct http_site *site;
    void *user; /* of the site */
    const struct http_route *routes;
    size_t route_count;
    struct http_websocket websocket;
    const struct services *services; /* that GETs of resources read; NULL: a hub has none */

    struct listener listener;
    struct connections connections;
    struct peers peers;
    struct login login;
    uint64_t refused_total; /* connections and requests */
    uint64_t body_bytes;    /* in memory, of answers */
    uint32_t downloads;     /* files that are being sent */
    bool stopping;

    /* of http/ alone */
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct lws_protocols protocols[4]; /* HTTP, websocket, its number before, none */
    uv_timer_t tick;                   /* once a second */
    struct lws *requested; /* whose request is handled by http.c at this moment; NULL: none */
    bool closes_requested; /* it has been answered, and closes */
    bool proxy_blamed;     /* logged once: a proxy drops the port of the Host header */
    uint32_t sockets;      /* HTTP and websocket, also those that close */
};

/*
 * Reads the token, listens, and serves. -EADDRINUSE, -EACCES, -EINVAL... with one line in error
 * that names the address or file. After a failure, too, the server is stopped and finished.
 */
int http_server_open(struct http_server *s, struct reason *why);
/* Starts to close all connections. The loop ends when all handles are closed. */
void http_server_stop(struct http_server *s);
/*
 * After the loop ended, before uv_loop_close, and before anything that an answer may wait for is
 * freed: the last connections leave it.
 */
void http_server_finish(struct http_server *s);

/* At least that many clients may connect. -EMFILE with one line in error. */
int http_server_raise_descriptors(uint32_t max_clients, struct reason *why);
/*
 * For --check-config: reads the token and checks the other files, and that the address can be
 * bound or is in use. Creates no file. -errno with one line in error.
 */
int http_server_check(const struct server_options *options, struct reason *why);

#endif
