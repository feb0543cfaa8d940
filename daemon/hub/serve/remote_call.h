/*
 * remote_call.h - /api/v1/radios/SITE.RADIO/ and what follows /api/v1/ at that radio: each request
 * is a call to its sensor. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_REMOTE_CALL_H
#define FFTD_DAEMON_HUB_SERVE_REMOTE_CALL_H

#include <libwebsockets.h>
#include <stdbool.h>

struct answer;
struct api_method;
struct api_resource;
struct http_server;
struct hub_answer;
struct hub_request;
struct hub_service;
struct reason;
struct request;
struct rest_change;

/* Of the hub's site (http/http_site.h). */
const struct api_resource *remote_call_resource(const char *path);
int remote_call_admit(struct http_server *s, struct lws *wsi, const struct api_method *method,
                      char *credential, unsigned *status, struct reason *why);
void remote_call_change(struct rest_change *c, struct answer *a);

/* A GET. False: the path is no resource. */
bool remote_call_read(const struct request *r, struct answer *a);
/* Every second: the connections of calls that wait stay open, but for those of clients that left.
 */
void remote_call_keep_all(const struct hub_service *h);
/* What came of a call. */
void remote_call_done(struct hub_service *h, const struct hub_request *request,
                      const struct hub_answer *answer);

#endif
