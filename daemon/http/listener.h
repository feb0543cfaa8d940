/*
 * listener.h - opens listening sockets and accepts connections on them. Loop thread.
 *
 * A socket is a TCP address, a Unix socket, or inherited from systemd. libwebsockets gets only the
 * accepted connections, so that it treats all kinds alike.
 */
#ifndef FFTD_DAEMON_HTTP_LISTENER_H
#define FFTD_DAEMON_HTTP_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <uv.h>

#include "daemon/config/config.h"

struct reason;

enum { LISTENER_SOCKETS = 8 };

struct listener {
    uv_poll_t poll[LISTENER_SOCKETS];
    int fd[LISTENER_SOCKETS];
    unsigned count;
    bool local; /* all are loopback or Unix sockets: only users of this machine can connect */
    bool polling;
    char path[108]; /* of the Unix socket that listener_open created; "" if none */
    dev_t device;   /* with inode: identifies that socket */
    ino_t inode;
    char url[160];  /* "http://127.0.0.1:8010/", the first one, for people */
    char note[640]; /* what follows it: addresses that a wildcard serves, and other sockets */
    bool tls[LISTENER_SOCKETS]; /* its connections are encrypted */
    bool has_tls;
    bool remote_plain; /* one that is neither encrypted nor of this machine */
    void (*accepted)(void *user, int fd, bool tls); /* takes over fd: non-blocking, close-on-exec */
    void *user;
};

/*
 * Opens o->listen (daemon/access/listen_address.h). A Unix socket gets o->socket_group and
 * o->socket_mode.
 * [::] serves IPv4 too. An address that the machine does not have yet is opened nevertheless, and
 * serves once the machine has it. If systemd passes sockets they are used whatever o->listen says.
 * -errno with one line in *why that names the address; then nothing is open.
 */
int listener_open(struct listener *l, const struct server_options *o, struct reason *why);
int listener_start(struct listener *l, uv_loop_t *loop,
                   void (*accepted)(void *user, int fd, bool tls), void *user);
/* Accepts again, after it stopped because no descriptors were left. */
void listener_resume(struct listener *l);
void listener_close(struct listener *l); /* needs one more run of the loop; a second call is fine */

#endif
