/* http_service.h - opens and closes an HTTP server. Loop thread. */
#ifndef FFTD_DAEMON_HTTP_SERVICE_HTTP_SERVICE_H
#define FFTD_DAEMON_HTTP_SERVICE_HTTP_SERVICE_H

#include <stdint.h>

struct http_server;
struct reason;
struct server_options;

/*
 * Reads the token, listens, and serves. -EADDRINUSE, -EACCES, -EINVAL... with one line in *why
 * that names the address or file. After a failure, too, the server is stopped and finished.
 */
int http_service_open(struct http_server *s, struct reason *why);
/* Starts to close all connections. The loop ends when all handles are closed. */
void http_service_stop(struct http_server *s);
/*
 * After the loop ended, before uv_loop_close, and before anything that an answer may wait for is
 * freed: the last connections leave it.
 */
void http_service_finish(struct http_server *s);

/* Reads the certificate and its key again. A pair that is not right is logged, and not used. */
void http_service_reload_tls(struct http_server *s);

/* At least max_clients may connect. -EMFILE with one line in *why. */
int http_service_raise_descriptors(const struct server_options *o, struct reason *why);

#endif
