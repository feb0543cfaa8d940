/* rest_change.h - a request that changes something: what a site makes the change from. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_REST_CHANGE_H
#define FFTD_DAEMON_HTTP_REST_CHANGE_H

#include <jansson.h>
#include <libwebsockets.h>
#include <stddef.h>

#include "daemon/access/address.h"
#include "daemon/api/resource.h"
#include "daemon/base/reason.h"

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

struct rest_change *rest_change_create(const struct request *r, size_t size); /* NULL: no memory */
void rest_change_destroy(struct rest_change *c);                              /* NULL is fine */

/* The method of a request; HEAD is GET. API_VERBS: another one. */
enum api_verb rest_verb_of(struct lws *wsi);

#endif
