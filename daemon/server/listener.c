/* listener.c - opens TCP and Unix sockets, or uses those of systemd, and accepts connections. */
#include "daemon/server/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/systemd.h"

enum { SYSTEMD_FIRST_FD = 3 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage storage;
};

static int fail(int err, const char *what, const char *why, char *error, size_t error_size)
{
    return reason_set(error, error_size, err, "listen %s: %s", what, why);
}

static int add_socket(struct listener *l, int fd)
{
    if (l->count == LISTENER_SOCKETS)
        return -EMFILE;
    l->fd[l->count++] = fd;
    return 0;
}

/* ---- addresses -------------------------------------------------------------------------- */

static bool is_loopback(const union address *a)
{
    if (a->any.sa_family == AF_UNIX)
        return true;
    if (a->any.sa_family == AF_INET)
        return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
    return a->any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

static void write_url(const union address *a, char *url, size_t size)
{
    char host[INET6_ADDRSTRLEN] = "";
    if (a->any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &a->v4.sin_addr, host, sizeof host);
        snprintf(url, size, "http://%s:%u/", host, ntohs(a->v4.sin_port));
    } else if (a->any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &a->v6.sin6_addr, host, sizeof host);
        snprintf(url, size, "http://[%s]:%u/", host, ntohs(a->v6.sin6_port));
    } else {
        snprintf(url, size, "unix:%.107s", a->local.sun_path);
    }
}

/* Sets `url` from the first socket, and `local` from all. */
static int name_sockets(struct listener *l)
{
    l->local = l->count > 0;
    for (unsigned i = 0; i < l->count; i++) {
        union address a = {0};
        socklen_t size = sizeof a;
        if (getsockname(l->fd[i], &a.any, &size) < 0)
            return -errno;
        l->local = l->local && is_loopback(&a);
        if (i == 0)
            write_url(&a, l->url, sizeof l->url);
    }
    return 0;
}

/* ---- TCP -------------------------------------------------------------------------------- */

/* Parses "HOST:PORT" or "[HOST]:PORT". Returns false if it is neither. */
static bool parse_address(const char *text, union address *a, socklen_t *size)
{
    char host[INET6_ADDRSTRLEN];
    const char *colon = strrchr(text, ':');
    const bool bracket = text[0] == '[';
    if (!colon || (bracket && colon[-1] != ']'))
        return false;
    const size_t length = (size_t)(colon - text) - (bracket ? 2 : 0);
    if (length >= sizeof host)
        return false;
    memcpy(host, text + bracket, length);
    host[length] = '\0';

    char *end;
    const unsigned long port = strtoul(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end || port > 65535)
        return false;
    if (bracket) {
        a->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
        *size = sizeof a->v6;
        return inet_pton(AF_INET6, host, &a->v6.sin6_addr) == 1;
    }
    a->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    *size = sizeof a->v4;
    return inet_pton(AF_INET, host, &a->v4.sin_addr) == 1;
}

static int bind_and_listen(struct listener *l, const union address *a, socklen_t size)
{
    const int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (a->any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, &a->any, size) < 0 || listen(fd, SOMAXCONN) < 0) {
        const int err = -errno;
        close(fd);
        return err;
    }
    return add_socket(l, fd);
}

static int open_tcp(struct listener *l, const char *text, char *error, size_t error_size)
{
    union address a;
    socklen_t size = 0;
    if (!parse_address(text, &a, &size))
        return fail(-EINVAL, text, "neither ADDRESS:PORT, [ADDRESS]:PORT, unix:PATH nor systemd",
                    error, error_size);
    const int err = bind_and_listen(l, &a, size);
    return err < 0 ? fail(err, text, strerror(-err), error, error_size) : 0;
}

/* ---- Unix sockets ----------------------------------------------------------------------- */

/* Removes a socket without a listener. -EADDRINUSE: it has one; -EEXIST: not a socket. */
static int remove_stale(const union address *a, socklen_t size)
{
    struct stat is;
    if (lstat(a->local.sun_path, &is) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(is.st_mode))
        return -EEXIST;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    const bool refused = connect(fd, &a->any, size) < 0 && errno == ECONNREFUSED;
    close(fd);
    if (!refused)
        return -EADDRINUSE;
    return unlink(a->local.sun_path) < 0 ? -errno : 0;
}

/* No client can connect before listen(), so chmod() is in time for the first connection. */
static int bind_unix(struct listener *l, const union address *a, socklen_t size)
{
    const char *path = a->local.sun_path;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct stat is;
    if (fd < 0)
        return -errno;
    if (bind(fd, &a->any, size) < 0 || chmod(path, 0660) < 0 || stat(path, &is) < 0 ||
        listen(fd, SOMAXCONN) < 0) {
        const int err = -errno;
        close(fd);
        return err;
    }
    snprintf(l->path, sizeof l->path, "%s", path);
    l->device = is.st_dev;
    l->inode = is.st_ino;
    return add_socket(l, fd);
}

static int open_unix(struct listener *l, const char *text, char *error, size_t error_size)
{
    const char *path = text + strlen("unix:");
    union address a = {.local = {.sun_family = AF_UNIX}};
    if (path[0] != '/' || strlen(path) >= sizeof a.local.sun_path)
        return fail(-EINVAL, text, "needs an absolute path of at most 107 bytes", error,
                    error_size);
    memcpy(a.local.sun_path, path, strlen(path) + 1);
    int err = remove_stale(&a, sizeof a.local);
    if (err == 0)
        err = bind_unix(l, &a, sizeof a.local);
    if (err == -EEXIST)
        return fail(err, text, "this file is no socket", error, error_size);
    return err < 0 ? fail(err, text, strerror(-err), error, error_size) : 0;
}

/* Removes the socket that bind_unix created, unless another daemon has replaced it. */
static void unlink_own(struct listener *l)
{
    struct stat is;
    if (l->path[0] && lstat(l->path, &is) == 0 && is.st_dev == l->device && is.st_ino == l->inode)
        unlink(l->path);
    l->path[0] = '\0';
}

/* ---- systemd ---------------------------------------------------------------------------- */

static int check_inherited(int fd)
{
    int listens = 0;
    int type = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0)
        return -errno;
    size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
        return -errno;
    return listens && type == SOCK_STREAM ? 0 : -EINVAL;
}

static int add_inherited(struct listener *l, unsigned count, char *error, size_t error_size)
{
    for (unsigned i = 0; i < count; i++) {
        char name[40];
        const int fd = SYSTEMD_FIRST_FD + (int)i;
        snprintf(name, sizeof name, "systemd (descriptor %d)", fd);
        if (check_inherited(fd))
            return fail(-EINVAL, name, "is not a listening stream socket", error, error_size);
        if (add_socket(l, fd))
            return fail(-EMFILE, name, "more sockets than 8", error, error_size);
    }
    return 0;
}

int listener_open(struct listener *l, const char *listen, char *error, size_t error_size)
{
    const unsigned inherited = systemd_sockets();
    int err;
    *l = (struct listener){0};
    if (inherited > 0)
        err = add_inherited(l, inherited, error, error_size);
    else if (strcmp(listen, "systemd") == 0)
        err = fail(-EINVAL, listen, "systemd passed no socket", error, error_size);
    else if (strncmp(listen, "unix:", 5) == 0)
        err = open_unix(l, listen, error, error_size);
    else
        err = open_tcp(l, listen, error, error_size);
    if (err == 0 && (err = name_sockets(l)) < 0)
        fail(err, listen, strerror(-err), error, error_size);
    if (err < 0)
        listener_close(l);
    return err;
}

/* ---- accepting -------------------------------------------------------------------------- */

static void on_readable(uv_poll_t *poll, int status, int events)
{
    enum { AT_ONCE = 16 }; /* connections; then other handles of the loop run */
    struct listener *l = poll->data;
    const int fd = l->fd[poll - l->poll];
    (void)events;
    for (int i = 0; i < AT_ONCE && status == 0; i++) {
        const int accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted >= 0) {
            l->accepted(l->user, accepted);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_warn("cannot accept connections for now: %s", strerror(errno));
            listener_pause(l);
        }
        return; /* after ECONNABORTED and the like the next poll tries again */
    }
}

int listener_start(struct listener *l, uv_loop_t *loop, void (*accepted)(void *user, int fd),
                   void *user)
{
    l->accepted = accepted;
    l->user = user;
    for (unsigned i = 0; i < l->count; i++) {
        const int err =
            uv_poll_init(loop, &l->poll[i], l->fd[i]); /* sets the socket non-blocking */
        if (err < 0)
            return err;
        l->poll[i].data = l;
    }
    listener_resume(l);
    return 0;
}

void listener_pause(struct listener *l)
{
    l->polling = false;
    for (unsigned i = 0; i < l->count; i++)
        uv_poll_stop(&l->poll[i]);
}

void listener_resume(struct listener *l)
{
    if (l->polling)
        return;
    l->polling = true;
    for (unsigned i = 0; i < l->count; i++)
        uv_poll_start(&l->poll[i], UV_READABLE, on_readable);
}

void listener_close(struct listener *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        if (l->poll[i].data)
            uv_close((uv_handle_t *)&l->poll[i], NULL);
        close(l->fd[i]);
    }
    l->count = 0;
    unlink_own(l);
}
