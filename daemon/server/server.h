/*
 * server.h - HTTP and websockets on the loop thread. The only file pair that speaks libwebsockets.
 */
#ifndef FFTD_DAEMON_SERVER_SERVER_H
#define FFTD_DAEMON_SERVER_SERVER_H

#include <uv.h>

#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/status/status.h"

struct server;

/* What the server stands on, and what it asks of the rest, on the loop thread. */
struct server_hooks {
    uv_loop_t *loop;
    struct line_ring *lines;
    void *user;
    void (*status)(void *user, struct status *out);
    /* The complete wanted state, already checked for form. 0, or -errno with one line. */
    int (*apply)(void *user, const struct settings *want, char *error, size_t error_size);
};

/*
 * Listens. -EADDRINUSE, -EACCES, -EINVAL... with one line in error naming the address or file.
 * Lines are read with a reader of the server's own, which nobody waits for. The strings of the
 * options must outlive the server, but for the token's.
 */
int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, char *error, size_t error_size);
void server_on_lines(struct server *s); /* the doorbell rang: takes all waiting lines */
/* True once the reader is as far as the closed ring's end. */
bool server_drained(const struct server *s);
const char *server_url(const struct server *s); /* "http://127.0.0.1:8010/", for people */
/* Begins closing every connection; the loop ends when all handles are closed. */
void server_stop(struct server *s);
void server_destroy(struct server *s); /* after the loop ended, before uv_loop_close */

#endif
