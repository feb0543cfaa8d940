/* http.h - the HTTP callback of libwebsockets: refuses requests, or starts their answers. Loop
 * thread.
 */
#ifndef FFTD_DAEMON_HTTP_SERVICE_HTTP_H
#define FFTD_DAEMON_HTTP_SERVICE_HTTP_H

#include <libwebsockets.h>
#include <stddef.h>

/* Of the protocol whose user is a struct http_server, with a struct pending_answer a session. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size);

#endif
