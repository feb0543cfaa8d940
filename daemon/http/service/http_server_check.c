/* http_server_check.c - checks what the server would open, and opens nothing for long. */
#include "daemon/http/service/http_server_check.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/access/listen_address.h"
#include "daemon/access/server_options.h"
#include "daemon/access/token.h"
#include "daemon/base/reason.h"
#include "daemon/files/out_file.h"
#include "daemon/http/answer/assets.h"
#include "daemon/http/service/http_service.h"
#include "daemon/tls/tls_context.h"

static int fail(const struct listen_address *a, int err, const char *what, struct reason *why)
{
    return reason_set(why, err, "listen %s: %s", a->text, what);
}

/* Binds without listening. A port in use is fine: this program may be what uses it. */
static int check_tcp(const struct listen_address *a, struct reason *why)
{
    const int on = 1, fd = socket(a->socket.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int err = fd < 0 ? -errno : 0;
    if (err == 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(fd, &a->socket.any, a->size) < 0)
            err = -errno;
        close(fd);
    }
    if (err == 0 || err == -EADDRINUSE || err == -EADDRNOTAVAIL)
        return 0;
    return fail(a, err, strerror(-err), why);
}

static int check_unix(const struct server_options *o, const struct listen_address *a,
                      struct reason *why)
{
    struct stat is;
    const char *path = a->socket.local.sun_path;
    if (o->socket_group && !getgrnam(o->socket_group))
        return reason_set(why, -EINVAL, "socket-group %s: there is no such group", o->socket_group);
    if (lstat(path, &is) == 0)
        return S_ISSOCK(is.st_mode) ? 0 : fail(a, -EEXIST, "this file is no socket", why);
    const int err = out_file_check_folder(path);
    return err < 0 ? fail(a, err, strerror(-err), why) : 0;
}

static int check_addresses(const struct server_options *o, struct reason *why)
{
    struct listen_address all[LISTEN_ADDRESSES];
    const int count = listen_addresses_parse(o->listen, all);
    int err = 0;
    for (int i = 0; err == 0 && i < count; i++) {
        if (all[i].kind == LISTEN_TCP)
            err = check_tcp(&all[i], why);
        else if (all[i].kind == LISTEN_UNIX)
            err = check_unix(o, &all[i], why);
    }
    return err;
}

static int check_tls(const struct server_options *o, struct reason *why)
{
    struct tls_context *context;
    if (!o->tls_certificate || !o->tls_key)
        return 0;
    const int err = tls_context_load(&context, o->tls_certificate, o->tls_key, why);
    tls_context_destroy(context);
    return err;
}

int http_server_check(const struct server_options *o, struct reason *why)
{
    struct token token;
    int err = token_load(&token, o->token, o->token_file, why);
    if (err == 0 && o->web_root)
        err = asset_check_root(o->web_root, why);
    if (err == 0)
        err = http_service_raise_descriptors(o, why);
    if (err == 0)
        err = check_tls(o, why);
    return err < 0 ? err : check_addresses(o, why);
}
