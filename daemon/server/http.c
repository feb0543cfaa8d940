/* http.c - reads HTTP requests from libwebsockets, and sends the answers in pieces. */
#include <string.h>
#include <strings.h>

#include "daemon/server/accept.h"
#include "daemon/server/guard.h"
#include "daemon/server/internal.h"

/* ---- requests --------------------------------------------------------------------------- */

static void copy_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size)
{
    into[0] = '\0';
    if (lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, into, (int)size, token) < 0)
        into[0] = '\0';
}

/* libwebsockets has decoded the parameters. It makes "/" of an empty last one. */
static void read_query(struct lws *wsi, struct query *q)
{
    char pair[HEADER_MAX];
    *q = (struct query){0};
    for (int i = 0; lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0;
         i++)
        query_add(q, strcmp(pair, "/") == 0 ? "" : pair);
}

static bool wants_close(struct lws *wsi)
{
    char connection[128];
    char version[16];
    copy_header(wsi, WSI_TOKEN_CONNECTION, connection, sizeof connection);
    copy_header(wsi, WSI_TOKEN_HTTP, version, sizeof version);
    if (strcmp(version, "HTTP/1.1") == 0)
        return guard_listed("close", connection);
    return strcasecmp(connection, "keep-alive") != 0;
}

static void read_request(struct lws *wsi, const char *path, struct request *r)
{
    *r = (struct request){.path = path,
                          .head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0,
                          .close = wants_close(wsi)};
    copy_header(wsi, WSI_TOKEN_HTTP_ACCEPT, r->accept, sizeof r->accept);
    copy_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, r->etag, sizeof r->etag);
    char codings[256];
    copy_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, codings, sizeof codings);
    r->gzip = accept_prefers(codings, "gzip", "identity");
    read_query(wsi, &r->query);
}

/* A Content-Length that is too long to copy counts as a body. */
static bool has_body(struct lws *wsi)
{
    char length[32];
    copy_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 && strcmp(length, "0") != 0;
}

static bool is_get_or_head(struct lws *wsi)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
}

/* ---- answers ---------------------------------------------------------------------------- */

/*
 * Sends a short answer at once and returns -1, which closes the connection. To complete the
 * transaction instead would hang the loop: libwebsockets 4.1.6 spins when a body was buffered after
 * another request.
 */
static int refuse(struct lws *wsi, bool head_only, unsigned status, const char *why)
{
    struct answer a;
    answer_text(&a, status, "%s\n", why);
    struct frame *head = answer_head(&a, true, "");
    const size_t body = a.body && !head_only ? a.body->size : 0;
    struct frame *frame = head ? frame_create(head->size + body) : NULL;
    if (frame) {
        memcpy(frame->data, head->data, head->size);
        if (body > 0)
            memcpy(frame->data + head->size, a.body->data, body);
        lws_write(wsi, frame->data, frame->size, LWS_WRITE_HTTP_FINAL);
    }
    frame_drop(head);
    frame_drop(frame);
    answer_free(&a);
    return -1;
}

/* NULL if the request may be answered, else the reason and an HTTP status. */
static const char *find_fault(struct server *s, struct lws *wsi, struct request *r,
                              unsigned *status)
{
    *status = 403;
    if (!server_check_host(s, wsi, r->host)) {
        s->counts.refused_total++;
        return "this Host is not allowed (see allow-host)";
    }
    *status = 405;
    if (!is_get_or_head(wsi))
        return "only GET and HEAD are supported";
    *status = 400;
    if (has_body(wsi))
        return "a request must not have a body";
    *status = 503;
    if (s->connections > s->options.max_clients + HTTP_EXTRA) {
        s->counts.refused_total++;
        return "too many connections";
    }
    return NULL;
}

static int on_request(struct server *s, struct lws *wsi, struct pending_answer *out,
                      const char *path)
{
    struct request r;
    struct answer a;
    unsigned status = 0;
    read_request(wsi, path, &r);
    const char *fault = find_fault(s, wsi, &r, &status);
    if (fault)
        return refuse(wsi, r.head, status, fault);
    pending_prepare(out, s, wsi, &r);
    answer_request(s, &r, &a);
    if (a.spectrum)
        spectrum_wait(a.spectrum, out);
    else
        pending_start(out, &a, r.host);
    return 0;
}

/* 0: the connection becomes a websocket, or is answered as HTTP. -1: refused. */
static int on_upgrade(struct server *s, struct lws *wsi, char *upgrade)
{
    unsigned status = 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) <= 0)
        return -1; /* libwebsockets has answered and freed the headers */
    if (strcasecmp(upgrade, "h2c") == 0) {
        /* Some programs offer HTTP/2 with each request. Without the name of a protocol,
         * libwebsockets answers as HTTP/1.1, which declines the offer. */
        upgrade[0] = '\0';
        return 0;
    }
    const char *why = server_refuse_upgrade(s, wsi, &status);
    if (!why)
        return 0;
    s->counts.refused_total++;
    return refuse(wsi, false, status, why);
}

int server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    const struct lws_protocols *protocol = lws_get_protocol(wsi);
    struct server *s = protocol ? protocol->user : NULL;
    (void)size;
    if (!s)
        return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_WSI_CREATE:
        s->connections++;
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        s->connections--;
        return 0;
    case LWS_CALLBACK_HTTP:
        return on_request(s, wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return pending_send(user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(s, wsi, in);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        pending_drop(user);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: /* a websocket without subprotocol fftd.1 */
    case LWS_CALLBACK_RAW_ADOPT:                  /* CONNECT makes a raw connection */
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}
