/* tcp_listen.c - binds, listens, and asks the system for the port. */
#include "daemon/access/tcp_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/access/listen_address.h"
#include "daemon/base/reason.h"

static void name_socket(const uv_tcp_t *socket, char name[TCP_NAME])
{
    union socket_address a = {0};
    char host[INET6_ADDRSTRLEN] = "";
    int size = sizeof a;
    (void)uv_tcp_getsockname(socket, &a.any, &size);
    const bool v6 = a.any.sa_family == AF_INET6;
    if (v6)
        inet_ntop(AF_INET6, &a.v6.sin6_addr, host, sizeof host);
    else
        inet_ntop(AF_INET, &a.v4.sin_addr, host, sizeof host);
    snprintf(name, TCP_NAME, v6 ? "[%s]:%u" : "%s:%u", host,
             ntohs(v6 ? a.v6.sin6_port : a.v4.sin_port));
}

int tcp_listen(uv_tcp_t *socket, const char *option, const char *address,
               uv_connection_cb on_connection, char name[TCP_NAME], struct reason *why)
{
    enum { BACKLOG = 128 };
    struct listen_address a;
    if (listen_address_parse_tcp(address, &a) < 0)
        return reason_set(why, -EINVAL, "%s %s: neither PORT, ADDRESS:PORT nor [IPV6]:PORT", option,
                          address);
    int err = uv_tcp_bind(socket, &a.socket.any, 0);
    if (err == 0)
        err = uv_listen((uv_stream_t *)socket, BACKLOG, on_connection);
    if (err < 0)
        return reason_set(why, err, "%s %s: %s", option, address, strerror(-err));
    name_socket(socket, name);
    return 0;
}
