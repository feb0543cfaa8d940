/* http.c - reads HTTP requests from libwebsockets, and sends the answers in pieces. */
#include <string.h>
#include <strings.h>

#include "daemon/server/guard.h"
#include "daemon/server/internal.h"

enum { PIECE = 32 << 10, WRITE_TIMEOUT_S = 30 };

/* An answer that is being sent, in the per-session memory of libwebsockets. */
struct pending_answer {
    struct frame *frame; /* its data and size shrink as pieces are sent */
};

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

/* Sends the next piece. 0: continue, -1: close the connection. */
static int send_piece(struct lws *wsi, struct pending_answer *out)
{
    struct frame *f = out->frame;
    if (!f)
        return 0;
    const size_t size = f->size < PIECE ? f->size : PIECE;
    const bool last = size == f->size;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, WRITE_TIMEOUT_S);
    if (lws_write(wsi, f->data, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    f->data += size;
    f->size -= size;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    frame_drop(f);
    out->frame = NULL;
    return lws_http_transaction_completed(wsi) ? -1 : 0; /* has_body() was false */
}

/*
 * Sends a short answer at once and returns -1, which closes the connection. To complete the
 * transaction instead would hang the loop: libwebsockets 4.1.6 spins when a body was buffered after
 * another request.
 */
static int refuse(struct lws *wsi, const struct request *r, unsigned status, const char *why)
{
    struct answer a;
    struct request closing = *r;
    closing.close = true;
    answer_text(&a, status, "%s\n", why);
    struct frame *frame = answer_to_frame(&closing, &a);
    if (frame)
        lws_write(wsi, frame->data, frame->size, LWS_WRITE_HTTP_FINAL);
    frame_drop(frame);
    answer_free(&a);
    return -1;
}

/* The answer. NULL: the request was refused; the caller must close the connection. */
static struct frame *answer(struct server *s, struct lws *wsi, struct request *r)
{
    if (!server_check_host(s, wsi, r->host)) {
        s->counts.refused_total++;
        r->host[0] = '\0';
        refuse(wsi, r, 403, "this Host is not allowed (see allow-host)");
        return NULL;
    }
    if (!is_get_or_head(wsi)) {
        refuse(wsi, r, 405, "only GET and HEAD are supported");
        return NULL;
    }
    if (has_body(wsi)) {
        refuse(wsi, r, 400, "a request must not have a body");
        return NULL;
    }
    if (s->connections > s->options.max_clients + HTTP_EXTRA) {
        s->counts.refused_total++;
        refuse(wsi, r, 503, "too many connections");
        return NULL;
    }
    struct answer a;
    answer_request(s, r, &a);
    struct frame *frame = answer_to_frame(r, &a);
    answer_free(&a);
    return frame;
}

static int on_request(struct server *s, struct lws *wsi, struct pending_answer *out,
                      const char *path)
{
    struct request r;
    read_request(wsi, path, &r);
    struct frame *frame = answer(s, wsi, &r);
    if (!frame)
        return -1;
    frame_drop(out->frame);
    out->frame = frame;
    lws_callback_on_writable(wsi);
    return 0;
}

/* Some programs offer HTTP/2 with each request. An answer as HTTP/1.1 declines the offer. */
static int on_offer_of_http2(struct server *s, struct lws *wsi)
{
    struct request r;
    char path[512];
    copy_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path);
    read_request(wsi, path, &r);
    r.close = true;
    struct frame *frame = answer(s, wsi, &r);
    if (frame)
        lws_write(wsi, frame->data, frame->size, LWS_WRITE_HTTP_FINAL);
    frame_drop(frame);
    return -1; /* libwebsockets sends what it buffered, then closes */
}

/* 0: the connection becomes a websocket. -1: refused, or answered as HTTP. */
static int on_upgrade(struct server *s, struct lws *wsi)
{
    char upgrade[16];
    unsigned status = 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) <= 0)
        return -1; /* libwebsockets has answered and freed the headers */
    copy_header(wsi, WSI_TOKEN_UPGRADE, upgrade, sizeof upgrade);
    if (strcasecmp(upgrade, "h2c") == 0)
        return on_offer_of_http2(s, wsi);
    const char *why = server_refuse_upgrade(s, wsi, &status);
    if (!why)
        return 0;
    const struct request r = {.path = "/ws"};
    s->counts.refused_total++;
    return refuse(wsi, &r, status, why);
}

/* send_piece moved the frame's data pointer; frame_drop frees the block all the same. */
static void drop_answer(struct pending_answer *out)
{
    if (!out)
        return;
    frame_drop(out->frame);
    out->frame = NULL;
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
        return send_piece(wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(s, wsi);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        drop_answer(user);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: /* a websocket without subprotocol fftd.1 */
    case LWS_CALLBACK_RAW_ADOPT:                  /* CONNECT makes a raw connection */
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}
