/* listener.c - opens TCP and Unix sockets, or uses those of systemd, and accepts connections. */
#include "daemon/http/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/access/listen_address.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/system/systemd.h"

enum { SYSTEMD_FIRST_FD = 3 };

static int fail(int err, const char *what, const char *cause, struct reason *why)
{
    return reason_set(why, err, "listen %s: %s", what, cause);
}

static int add_socket(struct listener *l, int fd)
{
    if (l->count == LISTENER_SOCKETS)
        return -EMFILE;
    l->fd[l->count++] = fd;
    return 0;
}

/* ---- addresses -------------------------------------------------------------------------- */

static bool is_loopback(const union socket_address *a)
{
    if (a->any.sa_family == AF_UNIX)
        return true;
    if (a->any.sa_family == AF_INET)
        return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
    return a->any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

/* What an address that stands for several serves: " (every IPv4 address)", else "". */
static const char *wildcard(int fd, const union socket_address *a)
{
    int v6only = 1;
    socklen_t size = sizeof v6only;
    if (a->any.sa_family == AF_INET && a->v4.sin_addr.s_addr == htonl(INADDR_ANY))
        return " (every IPv4 address)";
    if (a->any.sa_family != AF_INET6 || !IN6_IS_ADDR_UNSPECIFIED(&a->v6.sin6_addr))
        return "";
    getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &v6only, &size);
    return v6only ? " (every IPv6 address)" : " (every IPv6 and IPv4 address)";
}

static void write_url(const union socket_address *a, bool tls, char *url, size_t size)
{
    const char *scheme = tls ? "https" : "http";
    char host[INET6_ADDRSTRLEN] = "";
    if (a->any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &a->v4.sin_addr, host, sizeof host);
        snprintf(url, size, "%s://%s:%u/", scheme, host, ntohs(a->v4.sin_port));
    } else if (a->any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &a->v6.sin6_addr, host, sizeof host);
        snprintf(url, size, "%s://[%s]:%u/", scheme, host, ntohs(a->v6.sin6_port));
    } else {
        snprintf(url, size, "unix:%.107s", a->local.sun_path);
    }
}

/* " (every IPv4 address), http://127.0.0.1:8010/" */
static void add_note(struct listener *l, unsigned i, const union socket_address *a)
{
    char url[sizeof l->url] = "";
    const size_t used = strlen(l->note);
    if (i > 0)
        write_url(a, l->tls[i], url, sizeof url);
    snprintf(l->note + used, sizeof l->note - used, "%s%s%s", i > 0 ? ", " : "", url,
             wildcard(l->fd[i], a));
}

/* Sets `url` from the first socket, and the others from all. */
static int name_sockets(struct listener *l)
{
    l->local = l->count > 0;
    for (unsigned i = 0; i < l->count; i++) {
        union socket_address a = {0};
        socklen_t size = sizeof a;
        if (getsockname(l->fd[i], &a.any, &size) < 0)
            return -errno;
        l->local = l->local && is_loopback(&a);
        l->has_tls |= l->tls[i];
        l->remote_plain |= !l->tls[i] && !is_loopback(&a);
        if (i == 0)
            write_url(&a, l->tls[i], l->url, sizeof l->url);
        add_note(l, i, &a);
    }
    return 0;
}

/* ---- TCP -------------------------------------------------------------------------------- */

/* Lets the socket bind to an address that the machine does not have yet. */
static int bind_absent(int fd, const struct listen_address *a)
{
    const int on = 1;
    const bool v6 = a->socket.any.sa_family == AF_INET6;
    if (setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_FREEBIND : IP_FREEBIND, &on,
                   sizeof on) < 0 ||
        bind(fd, &a->socket.any, a->size) < 0)
        return -EADDRNOTAVAIL;
    return 0;
}

static int bind_tcp(int fd, const struct listen_address *a, const char *text)
{
    const int on = 1, off = 0;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (a->socket.any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    int err = bind(fd, &a->socket.any, a->size) < 0 ? -errno : 0;
    if (err == -EADDRNOTAVAIL && (err = bind_absent(fd, a)) == 0)
        log_warn("listen %s: this machine does not have that address yet; fftd serves it as soon "
                 "as it does",
                 text);
    if (err == 0 && listen(fd, SOMAXCONN) < 0)
        err = -errno;
    return err;
}

static int open_tcp(struct listener *l, const struct listen_address *a, const char *text,
                    struct reason *why)
{
    const int fd = socket(a->socket.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int err = fd < 0 ? -errno : add_socket(l, fd);
    if (err == 0)
        err = bind_tcp(fd, a, text);
    return err < 0 ? fail(err, text, strerror(-err), why) : 0;
}

/* ---- Unix sockets ----------------------------------------------------------------------- */

/* Removes a socket without a listener. -EADDRINUSE: it has one; -EEXIST: not a socket. */
static int remove_stale(const struct listen_address *a)
{
    struct stat is;
    const char *path = a->socket.local.sun_path;
    if (lstat(path, &is) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(is.st_mode))
        return -EEXIST;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    const bool refused = connect(fd, &a->socket.any, a->size) < 0 && errno == ECONNREFUSED;
    close(fd);
    if (!refused)
        return -EADDRINUSE;
    return unlink(path) < 0 ? -errno : 0;
}

static int bind_unix(struct listener *l, int fd, const struct listen_address *a, mode_t mode)
{
    struct stat is;
    const char *path = a->socket.local.sun_path;
    if (bind(fd, &a->socket.any, a->size) < 0 || lstat(path, &is) < 0)
        return -errno;
    snprintf(l->path, sizeof l->path, "%s", path);
    l->device = is.st_dev;
    l->inode = is.st_ino;
    return chmod(path, mode) < 0 ? -errno : 0;
}

static int set_group(const char *path, const char *name, struct reason *why)
{
    const struct group *group = name ? getgrnam(name) : NULL;
    if (!name)
        return 0;
    if (!group)
        return reason_set(why, -EINVAL, "socket-group %s: there is no such group", name);
    if (chown(path, (uid_t)-1, group->gr_gid) == 0)
        return 0;
    const int err = -errno;
    return reason_set(why, err, "socket-group %s: %s%s", name, strerror(-err),
                      err == -EPERM ? ": fftd must be a member of the group" : "");
}

/* No client can connect before listen(), so that access is restricted in time. */
static int open_unix(struct listener *l, const struct listen_address *a,
                     const struct server_options *o, struct reason *why)
{
    const mode_t mode = o->socket_mode ? (mode_t)strtoul(o->socket_mode, NULL, 8) : 0660;
    int err = remove_stale(a);
    if (err == -EEXIST)
        return fail(err, a->text, "this file is no socket", why);
    const int fd = err < 0 ? err : socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (err == 0)
        err = fd < 0 ? -errno : add_socket(l, fd);
    if (err == 0)
        err = bind_unix(l, fd, a, mode);
    if (err < 0)
        return fail(err, a->text, strerror(-err), why);
    err = set_group(a->socket.local.sun_path, o->socket_group, why);
    if (err == 0 && listen(fd, SOMAXCONN) < 0)
        err = fail(-errno, a->text, strerror(errno), why);
    return err;
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

static int add_inherited(struct listener *l, unsigned count, struct reason *why)
{
    for (unsigned i = 0; i < count; i++) {
        char name[40];
        const int fd = SYSTEMD_FIRST_FD + (int)i;
        snprintf(name, sizeof name, "systemd (descriptor %d)", fd);
        if (check_inherited(fd))
            return fail(-EINVAL, name, "is not a listening stream socket", why);
        if (add_socket(l, fd))
            return fail(-EMFILE, name, "more sockets than 8", why);
    }
    return 0;
}

static int open_one(struct listener *l, const struct listen_address *a,
                    const struct server_options *o, struct reason *why)
{
    if (a->kind == LISTEN_UNIX)
        return open_unix(l, a, o, why);
    if (a->kind != LISTEN_TCP)
        return fail(-EINVAL, a->text, "systemd passed no socket", why);
    const int err = open_tcp(l, a, a->text, why);
    if (err == 0)
        l->tls[l->count - 1] = a->tls;
    return err;
}

static int open_addresses(struct listener *l, const struct server_options *o, struct reason *why)
{
    struct listen_address all[LISTEN_ADDRESSES];
    const int count = listen_addresses_parse(o->listen, all);
    int err = 0;
    if (count < 0)
        return fail(-EINVAL, o->listen,
                    "not ADDRESS:PORT, [IPV6]:PORT, :PORT, tls: and one of these, unix:/PATH or "
                    "systemd",
                    why);
    for (int i = 0; err == 0 && i < count; i++)
        err = open_one(l, &all[i], o, why);
    return err;
}

int listener_open(struct listener *l, const struct server_options *o, struct reason *why)
{
    const unsigned inherited = systemd_sockets();
    *l = (struct listener){0};
    int err = inherited > 0 ? add_inherited(l, inherited, why) : open_addresses(l, o, why);
    if (err == 0 && (err = name_sockets(l)) < 0)
        fail(err, o->listen, strerror(-err), why);
    if (err < 0)
        listener_close(l);
    return err;
}

/* ---- accepting -------------------------------------------------------------------------- */

/* listener_resume starts again. */
static void stop_polling(struct listener *l)
{
    l->polling = false;
    for (unsigned i = 0; i < l->count; i++)
        uv_poll_stop(&l->poll[i]);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    enum { AT_ONCE = 16 }; /* connections; then other handles of the loop run */
    struct listener *l = poll->data;
    const int fd = l->fd[poll - l->poll];
    (void)events;
    for (int i = 0; i < AT_ONCE && status == 0; i++) {
        const int accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted >= 0) {
            l->accepted(l->user, accepted, l->tls[poll - l->poll]);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_warn("cannot accept connections for now: %s", strerror(errno));
            stop_polling(l);
        }
        return; /* after ECONNABORTED and the like the next poll tries again */
    }
}

int listener_start(struct listener *l, uv_loop_t *loop,
                   void (*accepted)(void *user, int fd, bool tls), void *user)
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
