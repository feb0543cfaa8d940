/* upgrade.c - checks each request to become a websocket before libwebsockets handles it. */
#include "daemon/http/upgrade.h"

#include <string.h>
#include <strings.h>

#include "daemon/access/guard.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/request.h"

static bool is_for_websockets(struct lws *wsi)
{
    char path[8];
    return request_copy_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) &&
           strcmp(path, "/ws") == 0;
}

static bool is_websocket_upgrade(struct lws *wsi)
{
    char upgrade[16];
    char connection[128];
    return request_copy_header(wsi, WSI_TOKEN_UPGRADE, upgrade, sizeof upgrade) &&
           strcasecmp(upgrade, "websocket") == 0 &&
           request_copy_header(wsi, WSI_TOKEN_CONNECTION, connection, sizeof connection) &&
           guard_listed("upgrade", connection);
}

static bool has_version_and_key(struct lws *wsi)
{
    enum { KEY_LENGTH = 24 }; /* 16 bytes as base64 */
    char version[8];
    return request_copy_header(wsi, WSI_TOKEN_VERSION, version, sizeof version) &&
           strcmp(version, "13") == 0 && lws_hdr_total_length(wsi, WSI_TOKEN_KEY) == KEY_LENGTH;
}

static bool offers_our_protocol(struct lws *wsi)
{
    char protocols[128];
    return request_copy_header(wsi, WSI_TOKEN_PROTOCOL, protocols, sizeof protocols) &&
           (guard_listed("fftd.3", protocols) || guard_listed("fftd.2", protocols));
}

const char *upgrade_refuse(struct http_server *s, struct lws *wsi, unsigned *status)
{
    char host[256];
    const char *fault = request_find_fault(wsi, status);
    if (fault)
        return fault;
    *status = 403;
    if (!request_check_host(s, wsi, host))
        return "this Host is not allowed (see allow-host)";
    fault = request_refuse_origin(s, wsi, host);
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
        return "the subprotocol must be fftd.3";
    *status = 426;
    if (!has_version_and_key(wsi))
        return "the websocket version must be 13, with a key";
    *status = 503;
    const struct address visitor = connection_visitor(wsi);
    return s->websocket.refuse(s->websocket.user, connection_peer(wsi), &visitor);
}
