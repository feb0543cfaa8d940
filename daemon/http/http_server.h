/*
 * http_server.h - an HTTP server: what its requests and connections share. Loop thread.
 *
 * Its owner zeroes it, sets the first members, and opens it (http_service.h). The owner's site
 * (http_site.h) says what is served.
 */
#ifndef FFTD_DAEMON_HTTP_HTTP_SERVER_H
#define FFTD_DAEMON_HTTP_HTTP_SERVER_H

#include <libwebsockets.h>
#include <uv.h>

#include "daemon/access/login.h"
#include "daemon/access/peers.h"
#include "daemon/config/config.h"
#include "daemon/http/http_site.h"
#include "daemon/http/listener.h"

enum {
    HTTP_EXTRA =
        64, /* connections served in addition to max_clients; as many again may be closing */
    HTTP_HEADER_MAX = 16384, /* bytes of a request's line and headers */
};

struct connection;
struct services;
struct tls_relay;

struct connections {
    struct connection *first, **end; /* no websockets; in the order of their last change */
    uint32_t open;                   /* all that are not closing */
};

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
    struct tls_relay *tls; /* NULL: no address is encrypted */
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
    bool origin_blamed;    /* logged once: a page of another origin */
    uint32_t sockets;      /* HTTP and websocket, including closing ones */
};

#endif
