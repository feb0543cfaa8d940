/*
 * server.h - serves the page, HTTP requests and websockets. Loop thread. Only daemon/server/ uses
 * libwebsockets.
 */
#ifndef FFTD_DAEMON_SERVER_SERVER_H
#define FFTD_DAEMON_SERVER_SERVER_H

#include <uv.h>

#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/measure/measurer.h"
#include "daemon/status/status.h"

struct server;

/* The parts that the server uses, and its callbacks, which run on the loop thread. */
struct server_hooks {
    uv_loop_t *loop;
    struct line_ring *lines;
    struct measurer *measurer;     /* NULL: no measurements */
    struct calibrator *calibrator; /* NULL: no calibration */
    void *user;
    void (*status)(void *user, struct status *out);
    /* Gets all settings, each with a valid form. 0, or -errno with one line in error. */
    int (*apply)(void *user, const struct settings *settings, char *error, size_t error_size);
};

/*
 * Starts to listen. -EADDRINUSE, -EACCES, -EINVAL... with one line in error that names the address
 * or file. The server has its own reader of lines, which is not lossless. The strings of the
 * options must outlive the server, except for the token's.
 */
int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, char *error, size_t error_size);
/*
 * For --check-config: reads the token and checks the other files, and that the address can be
 * bound or is in use. Creates no file. -errno with one line in error.
 */
int server_check(const struct server_options *options, char *error, size_t error_size);
void server_on_lines(struct server *s); /* call after the doorbell: handles all waiting lines */
/* True once the ring is closed and the server has read its last line. */
bool server_drained(const struct server *s);
const char *server_url(const struct server *s);  /* "http://127.0.0.1:8010/", for people */
const char *server_note(const struct server *s); /* " (every IPv4 address)" or "" */
/* Starts to close all connections. The loop ends when all handles are closed. */
void server_stop(struct server *s);
void server_destroy(struct server *s); /* after the loop ended, before uv_loop_close */

#endif
