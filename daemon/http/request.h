/*
 * request.h - a request as libwebsockets has read it: its headers and query, and what HTTP or the
 * operator forbids in it. Loop thread, while the headers are there.
 */
#ifndef FFTD_DAEMON_HTTP_REQUEST_H
#define FFTD_DAEMON_HTTP_REQUEST_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/http/query.h"

struct http_server;
struct peer;

struct request {
    struct http_server *server;
    struct lws *wsi;
    const char *path; /* decoded */
    char host[256];   /* "" if absent */
    char accept[1024], etag[80];
    struct query query;
    struct peer *own, *visitor; /* the socket's address, and the one that a proxy names */
    bool gzip;                  /* is accepted */
    bool head;
    bool close; /* do not keep the connection */
};

/* All but the host and the peers. */
void request_read(struct http_server *s, struct lws *wsi, const char *path, struct request *r);

/* Copies a header, "" if it is absent. False: it is too long for `into`. */
bool request_copy_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size);
/* The same: "" if it is absent or too long. */
void request_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size);
/* The text after "Bearer " of the Authorization header; NULL: none. */
const char *request_bearer(struct lws *wsi, char *into, size_t size);
bool request_is_http_1_0(struct lws *wsi);

/* NULL, or what HTTP forbids (RFC 9112) in the version or the Host header, and an HTTP status. */
const char *request_find_fault(struct lws *wsi, unsigned *status);
const char *request_find_body(struct lws *wsi, unsigned *status); /* the same for a body */
/* Copies the Host header ("" if absent). Returns false if it names a foreign host. */
bool request_check_host(struct http_server *s, struct lws *wsi, char host[256]);
/* NULL if each Origin header is allowed, else the reason; host: of the request. */
const char *request_refuse_origin(struct http_server *s, struct lws *wsi, const char *host);

#endif
