/*
 * rest.h - HTTP as a carrier of resources: the values of a call come from the query and from a
 * JSON body, its reply becomes an answer. Loop thread only.
 */
#ifndef FFTD_DAEMON_HTTP_REST_REST_H
#define FFTD_DAEMON_HTTP_REST_REST_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/api/resource.h"

struct answer;
struct reason;
struct request;
struct rest_change;
struct http_server;

enum rest_kind {
    REST_READ,   /* GET or HEAD */
    REST_CHANGE, /* another method that the path has, or any one of a path that moved */
    REST_OTHER,  /* one that it has not */
};
enum rest_kind rest_kind_of(const struct http_server *s, struct lws *wsi, const char *path);

/* GET of a resource. False: the path is none. */
bool rest_answer(const struct request *r, struct answer *a);
/* True: the path has another name now, and the request was answered so (308). */
bool rest_answer_moved(const struct request *r);
/* Of the site of a radio (http_site.h). */
const struct api_resource *rest_resource(const char *path);
int rest_admit(struct http_server *s, struct lws *wsi, const struct api_method *method,
               char *credential, unsigned *status, struct reason *why);
void rest_change(struct rest_change *c, struct answer *a);
/*
 * 0 if a request with Authorization: Bearer TOKEN may change something, else -errno and an HTTP
 * status.
 */
int rest_may_change(struct http_server *s, struct lws *wsi, unsigned *status, struct reason *why);

#endif
