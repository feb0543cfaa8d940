/*
 * rest_change.h - a request that changes something: who may make it, and its body.
 *
 * The checks have one order, whoever makes the change in the end: Origin, token, length and type of
 * the body; only then is a body read. What is read goes to the change of the site (http_site.h).
 * Loop thread only.
 */
#ifndef FFTD_DAEMON_HTTP_REST_REST_CHANGE_H
#define FFTD_DAEMON_HTTP_REST_REST_CHANGE_H

#include <jansson.h>
#include <libwebsockets.h>
#include <stddef.h>

#include "daemon/access/address.h"
#include "daemon/api/resource.h"
#include "daemon/base/reason.h"

struct answer;
struct pending_answer;
struct request;
struct http_server;

enum { REST_BODY_MAX = 64 << 10, REST_PATH = 1024, REST_CREDENTIAL = 1024 };

struct rest_change {
    struct http_server *server;
    struct lws *wsi;
    enum api_verb verb;
    char path[REST_PATH];
    struct address visitor; /* connection_visitor: headers are gone after the body */
    struct lease_user by;
    char credential[REST_CREDENTIAL]; /* that the site wants to have (http_site.h); "": none */
    json_t *values;                   /* of query and body */
    struct reason why;
    size_t size, expected; /* of the body */
    char body[];
};

/*
 * Makes a change, or waits for its body. 0: a body follows, or an answer; -1: it is answered, and
 * the connection closes. Bytes after the request do no harm then.
 */
int rest_begin_change(struct pending_answer *out, const struct request *r);
int rest_on_body(struct pending_answer *out, const void *bytes, size_t size); /* -1: close */
int rest_on_body_end(struct pending_answer *out);                             /* the same */
void rest_change_destroy(struct rest_change *c);                              /* NULL is fine */

/* The method of a request; HEAD is GET. API_VERBS: another one. */
enum api_verb rest_verb_of(struct lws *wsi);

#endif
