/* upgrade.c - checks each request to become a websocket before libwebsockets handles it. */
#include <string.h>
#include <strings.h>

#include "daemon/access/guard.h"
#include "daemon/base/log.h"
#include "daemon/http/internal.h"

/* Copies a header, "" if absent. Returns false if it is too long for `into`. */
static bool copy_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size)
{
    into[0] = '\0';
    return lws_hdr_total_length(wsi, token) == 0 || lws_hdr_copy(wsi, into, (int)size, token) >= 0;
}

bool server_check_host(struct server *s, struct lws *wsi, char host[256])
{
    if (!copy_header(wsi, WSI_TOKEN_HOST, host, 256))
        return false;
    return !host[0] || guard_host(host, s->options.allow_host);
}

static bool is_for_websockets(struct lws *wsi)
{
    char path[8];
    return copy_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) && strcmp(path, "/ws") == 0;
}

static bool is_websocket_upgrade(struct lws *wsi)
{
    char upgrade[16];
    char connection[128];
    return copy_header(wsi, WSI_TOKEN_UPGRADE, upgrade, sizeof upgrade) &&
           strcasecmp(upgrade, "websocket") == 0 &&
           copy_header(wsi, WSI_TOKEN_CONNECTION, connection, sizeof connection) &&
           guard_listed("upgrade", connection);
}

static bool has_version_and_key(struct lws *wsi)
{
    enum { KEY_LENGTH = 24 }; /* 16 bytes as base64 */
    char version[8];
    return copy_header(wsi, WSI_TOKEN_VERSION, version, sizeof version) &&
           strcmp(version, "13") == 0 && lws_hdr_total_length(wsi, WSI_TOKEN_KEY) == KEY_LENGTH;
}

static bool offers_our_protocol(struct lws *wsi)
{
    char protocols[128];
    return copy_header(wsi, WSI_TOKEN_PROTOCOL, protocols, sizeof protocols) &&
           (guard_listed("fftd.2", protocols) || guard_listed("fftd.1", protocols));
}

/* The name has the characters of a host: the Host header has it, too, and was checked. */
static const char *blame_proxy(struct server *s, const char *origin, const char *host)
{
    if (!s->proxy_blamed)
        log_warn("a page of %.280s was refused, because the Host of its request is %.255s, without "
                 "the port: the proxy must pass it on (nginx: proxy_set_header Host $http_host)",
                 origin, host);
    s->proxy_blamed = true;
    return "this Origin is not allowed: the Host header lacks its port; the proxy must pass it on "
           "(nginx: proxy_set_header Host $http_host), or see allow-origin";
}

/*
 * Each origin must be allowed: libwebsockets concatenates repeated Origin headers, and has a token
 * of its own for the old name of the header. An empty header, which no browser sends, counts as
 * absent.
 */
const char *server_refuse_origin(struct server *s, struct lws *wsi, const char *host)
{
    static const char refused[] = "this Origin is not allowed (see allow-origin)";
    static const enum lws_token_indexes tokens[] = {WSI_TOKEN_ORIGIN, WSI_TOKEN_SWORIGIN};
    for (int i = 0; i < 2; i++) {
        char origin[512];
        if (!copy_header(wsi, tokens[i], origin, sizeof origin))
            return refused;
        if (!guard_origin(origin[0] ? origin : NULL, host, s->options.allow_origin))
            return guard_host_lacks_port(origin, host) ? blame_proxy(s, origin, host) : refused;
    }
    return NULL;
}

const char *server_refuse_upgrade(struct server *s, struct lws *wsi, unsigned *status)
{
    char host[256];
    const char *fault = request_find_fault(wsi, status);
    if (fault)
        return fault;
    *status = 403;
    if (!server_check_host(s, wsi, host))
        return "this Host is not allowed (see allow-host)";
    fault = server_refuse_origin(s, wsi, host);
    if (fault)
        return fault;
    *status = 404;
    if (!is_for_websockets(wsi))
        return "the path of the websocket is /ws";
    *status = 400;
    if (request_is_http_1_0(wsi))
        return "a websocket needs HTTP/1.1";
    fault = request_find_body(wsi, status);
    if (fault)
        return fault;
    if (!is_websocket_upgrade(wsi))
        return "this is not an upgrade to a websocket";
    if (!offers_our_protocol(wsi))
        return "the subprotocol must be fftd.2";
    *status = 426;
    if (!has_version_and_key(wsi))
        return "the websocket version must be 13, with a key";
    *status = 503;
    const struct address address = server_address_of(wsi);
    if (!server_make_room(s, connection_peer(wsi), &address))
        return "too many clients (see max-clients)";
    return NULL;
}
