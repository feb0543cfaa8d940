/* connection.c - where a request comes from: directly, or through a proxy. */
#include <string.h>

#include "daemon/server/guard.h"
#include "daemon/server/internal.h"

struct address server_socket_address(struct lws *wsi)
{
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(lws_get_socket_fd(wsi), (struct sockaddr *)&peer, &size) < 0)
        peer.ss_family = AF_UNSPEC;
    return address_from_socket((struct sockaddr *)&peer);
}

/*
 * The last address of X-Forwarded-For was added by the nearest proxy. Only a proxy of this machine
 * is trusted: any other client could write a header of its own.
 */
struct address server_address_of(struct lws *wsi)
{
    struct address a = server_socket_address(wsi);
    char list[1024];
    if (!address_is_local(&a) ||
        lws_hdr_copy(wsi, list, sizeof list, WSI_TOKEN_X_FORWARDED_FOR) <= 0)
        return a;
    const char *comma = strrchr(list, ',');
    char *last = comma ? list + (comma + 1 - list) : list;
    last += strspn(last, " \t");
    last[strcspn(last, " \t")] = '\0';
    (void)!address_parse(last, &a);
    return a;
}

bool server_is_forwarded(struct lws *wsi)
{
    char host[256];
    const int length = lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST);
    return lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0 ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_VIA) > 0 ||
           lws_hdr_custom_length(wsi, "forwarded:", 10) > 0 || length <= 0 ||
           !guard_host_is_local(host);
}
