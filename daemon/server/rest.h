/*
 * rest.h - HTTP as a carrier of resources: the values of a call are those of the query and of a
 * JSON body, its reply becomes an answer. Loop thread only.
 */
#ifndef FFTD_DAEMON_SERVER_REST_H
#define FFTD_DAEMON_SERVER_REST_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/api/resource.h"

struct answer;
struct pending_answer;
struct request;
struct server;

enum { REST_BODY_MAX = 64 << 10 };

enum rest_kind {
    REST_READ,   /* GET or HEAD */
    REST_CHANGE, /* another method that the path has */
    REST_OTHER,  /* one that it has not */
};
enum rest_kind rest_kind_of(const struct server *s, struct lws *wsi, const char *path);

/* GET of a resource. False: the path is none. */
bool rest_answer(struct server *s, const struct request *r, struct answer *a);
/* True: the path has another name now, and the request was answered so (308). */
bool rest_answer_moved(struct lws *wsi, const struct request *r);
/*
 * Makes a change, or waits for its body. Origin and token are checked first. 0: a body follows;
 * -1: it is answered, and the connection closes. Bytes after the request do no harm then.
 */
int rest_begin_change(struct server *s, struct lws *wsi, struct pending_answer *out,
                      const struct request *r);
int rest_on_body(struct pending_answer *out, const void *bytes, size_t size); /* -1: close */
int rest_on_body_end(struct pending_answer *out);                             /* -1 */

/* The reply of a call of the resource as an answer. Frees the reply. */
void rest_reply(struct server *s, const struct api_resource *resource, int err,
                struct api_reply *reply, const struct reason *why, struct answer *a);
unsigned rest_status_of(int err); /* the status of HTTP; err < 0 */

struct rest_change;                              /* one that waits for its body */
void rest_change_destroy(struct rest_change *c); /* NULL is fine */

#endif
