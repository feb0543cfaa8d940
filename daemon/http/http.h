/* http.h - the HTTP callback of libwebsockets: refuses requests, or starts their answers. Loop
 * thread.
 */
#ifndef FFTD_DAEMON_HTTP_HTTP_H
#define FFTD_DAEMON_HTTP_HTTP_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

struct answer;

/* Of the protocol whose user is a struct http_server, with a struct pending_answer a session. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size);

/*
 * Sends a short answer at once, frees it, and returns -1, which closes the connection: it may have
 * a body behind it (quirks_complete).
 */
int http_answer_now(struct lws *wsi, struct answer *a, bool head_only);

#endif
