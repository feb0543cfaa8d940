/* http.c - the HTTP callback of libwebsockets: refuses requests, or starts their answers. */
#include "daemon/http/service/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/http/request.h"
#include "daemon/http/rest/rest.h"
#include "daemon/http/rest/rest_body.h"
#include "daemon/http/service/routes.h"
#include "daemon/http/upgrade.h"
#include "daemon/wire/ws_message.h"

/* ---- answers ---------------------------------------------------------------------------- */

static int refuse(struct lws *wsi, const char *path, bool head_only, unsigned status,
                  const char *why)
{
    struct answer a;
    answer_refuse(&a, path, status, "", why);
    return answer_now(wsi, &a, head_only);
}

/* methods: of the path, as "GET, HEAD". */
static int refuse_method(struct lws *wsi, const char *path, unsigned status, const char *methods)
{
    struct answer a;
    char why[64 + API_METHODS_TEXT];
    snprintf(why, sizeof why, "the methods of this path are %s", methods);
    answer_refuse(&a, path, status, "", why);
    a.allow = methods;
    return answer_now(wsi, &a, false);
}

static const char nothing_here[] = "there is nothing here";

static bool is_of_websockets(const struct http_server *s, const char *path)
{
    const char *name;
    return s->services && api_connection_find(path, &name);
}

/* The methods of a path, in `into` or elsewhere. */
static const char *methods_of(const struct http_server *s, const char *path,
                              char into[API_METHODS_TEXT])
{
    const struct api_resource *r = s->site->resource(path);
    return r ? api_methods_text(r, into) : "GET, HEAD";
}

/*
 * NULL if the request may be answered, else the reason and an HTTP status; with 405 the methods of
 * the path.
 */
static const char *find_fault(struct http_server *s, struct lws *wsi, struct request *r,
                              char methods[API_METHODS_TEXT], unsigned *status)
{
    const char *fault = request_find_fault(wsi, status);
    if (fault)
        return fault;
    *status = 403;
    if (!request_check_host(s, wsi, r->host)) {
        s->refused_total++;
        return "this Host is not allowed (see allow-host)";
    }
    const enum rest_kind kind = rest_kind_of(s, wsi, r->path);
    *status = 404;
    if (is_of_websockets(s, r->path))
        return "this belongs to a connection: only a websocket has it";
    if (kind == REST_OTHER && !routes_have(s, r->path))
        return nothing_here;
    *status = 405;
    if (kind == REST_OTHER)
        return methods_of(s, r->path, methods);
    return kind == REST_CHANGE ? NULL : request_find_body(wsi, status);
}

/* ---- events ----------------------------------------------------------------------------- */

/* size: of the path. It may contain a NUL, as %00. */
static int on_request(struct http_server *s, struct lws *wsi, struct pending_answer *out,
                      const char *path, size_t size)
{
    struct request r;
    struct answer a;
    unsigned status = 400;
    request_read(s, wsi, path, &r);
    char methods[API_METHODS_TEXT];
    const char *fault = strlen(path) != size
                            ? "in a path, & and ; are written %26 and %3B, and there is no NUL"
                            : find_fault(s, wsi, &r, methods, &status);
    if (fault)
        return status == 405 ? refuse_method(wsi, path, 405, fault)
                             : refuse(wsi, path, r.head, status, fault);
    if (rest_answer_moved(&r))
        return -1;
    if (rest_kind_of(s, wsi, path) == REST_CHANGE)
        return rest_body_begin(out, &r);
    s->requested = wsi;
    s->closes_requested = false;
    pending_prepare(out, &r);
    r.own = connection_peer(wsi);
    r.visitor = out->peer;
    routes_answer(&r, &a);
    pending_take(out, &a, r.host);
    s->requested = NULL;
    return s->closes_requested ? -1 : 0;
}

/*
 * Answers bytes that libwebsockets does not take for a request: an unknown method, CONNECT, or
 * another protocol than HTTP.
 */
static int on_strange_bytes(struct http_server *s, struct lws *wsi, const char *bytes, size_t size)
{
    char line[256];
    const size_t length = size < sizeof line ? size : sizeof line - 1;
    memcpy(line, bytes, length);
    line[length] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    const size_t method = strcspn(line, " ");
    const bool is_token = method > 0 && strspn(line, "!#$%&'*+-.^_`|~0123456789"
                                                     "abcdefghijklmnopqrstuvwxyz"
                                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == method;
    if (!is_token || !strstr(line + method, " HTTP/1."))
        return refuse(wsi, "", false, 400, "this is not a request of HTTP/1.1");
    line[method] = '\0';
    char *path = line + method + 1;
    path[strcspn(path, " ?")] = '\0';
    if (path[0] == '/' && !routes_have(s, path))
        return refuse(wsi, path, false, 404, nothing_here);
    char methods[API_METHODS_TEXT];
    const bool known = strcmp(line, "TRACE") == 0 || strcmp(line, "CONNECT") == 0;
    return refuse_method(wsi, path, known ? 405 : 501, methods_of(s, path, methods));
}

/* 0: the connection becomes a websocket, or is answered as HTTP. -1: refused. */
static int on_upgrade(struct http_server *s, struct lws *wsi, char *upgrade)
{
    unsigned status = 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) <= 0)
        return -1; /* libwebsockets has answered and freed the headers */
    if (quirks_declines_http2(upgrade))
        return 0;
    const char *why = upgrade_refuse(s, wsi, &status);
    if (!why)
        return 0;
    s->refused_total++;
    return refuse(wsi, "", false, status, why);
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size)
{
    const struct lws_protocols *protocol = lws_get_protocol(wsi);
    struct http_server *s = protocol ? protocol->user : NULL;
    if (!s)
        return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_WSI_CREATE:
        s->sockets++;
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        s->sockets--;
        connection_remove(wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        connection_waits(wsi, false);
        return on_request(s, wsi, user, in, size);
    case LWS_CALLBACK_HTTP_BODY:
        return rest_body_add(user, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        connection_waits(wsi, false);
        return rest_body_end(user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        connection_waits(wsi, false);
        return on_upgrade(s, wsi, in);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        pending_drop(user);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: /* a websocket without subprotocol fftd.3 */
        return -1;
    case LWS_CALLBACK_RAW_RX:
        return on_strange_bytes(s, wsi, in, size);
    default:
        return 0;
    }
}
