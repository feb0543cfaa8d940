/*
 * rigctl_server.h - serves a named channel as a rig over the protocol of Hamlib's rigctld, to
 * programs that follow a satellite or tune a radio (gpredict, rigctl -m 2). Loop thread.
 *
 * Clients change that channel, never the radio. The protocol has no way to send a token: whoever
 * reaches the address may move the channel, so a number alone is a port of 127.0.0.1, and a
 * connection that speaks HTTP is closed.
 */
#ifndef FFTD_DAEMON_RIGCTL_RIGCTL_SERVER_H
#define FFTD_DAEMON_RIGCTL_RIGCTL_SERVER_H

#include <uv.h>

#include "daemon/rigctl/rigctl_channel.h"

enum { RIGCTL_CLIENTS = 16 };

struct reason;
struct rigctl_server;

struct rigctl_config {
    uv_loop_t *loop;
    const char *listen;            /* daemon/access/listen_address.h, of TCP */
    struct rigctl_channel channel; /* its set outlives the server */
};

/* Listens. The caller stops and destroys *out also after a failure, unless it is NULL. */
int rigctl_server_start(struct rigctl_server **out, const struct rigctl_config *config,
                        struct reason *why);
const char *rigctl_server_name(const struct rigctl_server *s); /* "127.0.0.1:4532" */
/* Closes all connections. The loop ends when their handles are closed; NULL is fine. */
void rigctl_server_stop(struct rigctl_server *s);
void rigctl_server_destroy(struct rigctl_server *s); /* after the loop ended; NULL is fine */

#endif
