/*
 * listener.h - listening sockets of any kind, and the new connections on them. Loop thread.
 *
 * The sockets are ours rather than the websocket library's, so that all kinds go one way: an
 * address, a Unix socket, or what systemd hands over.
 */
#ifndef FFTD_DAEMON_SERVER_LISTENER_H
#define FFTD_DAEMON_SERVER_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <uv.h>

enum { LISTENER_SOCKETS = 8 };

struct listener {
    uv_poll_t poll[LISTENER_SOCKETS];
    int fd[LISTENER_SOCKETS];
    unsigned count;
    bool local; /* nobody but this machine's users can connect: loopback or Unix sockets */
    bool polling;
    char path[108]; /* of the Unix socket that we made; "" if none */
    dev_t device;   /* and which one that is */
    ino_t inode;
    char url[160];                        /* "http://127.0.0.1:8010/", for people */
    void (*accepted)(void *user, int fd); /* owns fd: non-blocking, close-on-exec */
    void *user;
};

/*
 * `listen`: "127.0.0.1:8010", "[::1]:8010" (port 0: any), "unix:/path" (mode 0660), "systemd".
 * Sockets that systemd hands over are taken whatever `listen` says. -errno with one line in error
 * naming the address; then nothing is open.
 */
int listener_open(struct listener *l, const char *listen, char *error, size_t error_size);
int listener_start(struct listener *l, uv_loop_t *loop, void (*accepted)(void *user, int fd),
                   void *user);
/* Stops accepting for now (no descriptors left), and tries again. */
void listener_pause(struct listener *l);
void listener_resume(struct listener *l);
void listener_close(struct listener *l); /* the loop must run once more; twice is fine */

#endif
