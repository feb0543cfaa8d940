/*
 * http_site.h - what an HTTP server serves: the radio of this process, or the radios of a hub. Loop
 * thread.
 *
 * Connections, requests, limits and tokens are the same for both. A site has its routes, its page,
 * its resources and its websockets.
 */
#ifndef FFTD_DAEMON_HTTP_HTTP_SITE_H
#define FFTD_DAEMON_HTTP_HTTP_SITE_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

struct address;
struct answer;
struct api_method;
struct api_resource;
struct api_stream;
struct http_server;
struct peer;
struct reason;
struct request;
struct rest_change;

struct http_route {
    const char *path; /* with a final '/': the beginning of paths */
    void (*answer)(void *of, const struct request *r, struct answer *a);
    void *of;
    bool own_keys; /* the answer checks the query; else it has the keys of the path's row */
};

/* The callback of websockets, and the bytes of each, which are zeroed. live/client.h */
struct http_websocket {
    lws_callback_function *callback; /* its protocol's user is `user` */
    size_t session;
    void *user;
    /* NULL if there is room for another websocket, or made for it; else why not. */
    const char *(*refuse)(void *user, const struct peer *own, const struct address *visitor);
};

struct http_site {
    const char *index;                /* the file of "/" */
    const struct api_stream *streams; /* rows of its routes (api/streams.h) */
    /* The resource at a path, and so its methods; NULL: it is none. */
    const struct api_resource *(*resource)(const char *path);
    /*
     * 0, or -errno and a status: the request may not call this method. credential
     * [REST_CREDENTIAL]: what the call needs of its headers (rest_change.h).
     */
    int (*admit)(struct http_server *s, struct lws *wsi, const struct api_method *method,
                 char *credential, unsigned *status, struct reason *why);
    /* Makes a change that was admitted; its body is among the values. */
    void (*change)(struct rest_change *c, struct answer *a);
    void (*tick)(void *user); /* once a second */
};

#endif
