/*
 * rigctl_client.h - a connection of the rigctl server: lines in, answers out. Loop thread.
 *
 * A line has at most RIGCTL_LINE bytes. A client that does not read its answers is closed.
 */
#ifndef FFTD_DAEMON_RIGCTL_RIGCTL_CLIENT_H
#define FFTD_DAEMON_RIGCTL_RIGCTL_CLIENT_H

#include <stdbool.h>
#include <uv.h>

#include "daemon/rigctl/rigctl_command.h"

enum { RIGCTL_LINE = 256, RIGCTL_UNREAD = 65536 };

struct rigctl_client {
    uv_tcp_t socket; /* first */
    const struct rigctl_rig *rig;
    struct rigctl_client *next;
    void (*closed)(void *user, struct rigctl_client *c); /* frees it */
    void *user;
    bool closing;
    uint64_t heard_ms; /* of the loop: when bytes came last */
    char received[1024];
    char line[RIGCTL_LINE];
    size_t length; /* of the line so far */
};

/* Reads from the socket, which is connected. */
void rigctl_client_start(struct rigctl_client *c);
void rigctl_client_close(struct rigctl_client *c);

#endif
