/* pending.c - sends an answer in pieces, and limits the bytes of answers that nobody reads. */
#include "daemon/http/answer/pending.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "daemon/base/clock.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/body_stream.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/http/rest_change.h"

enum {
    PIECE = 128 << 10,      /* that is sent at once; then other connections have their turn */
    PATIENCE_S = 30,        /* for the client to read a piece, and for a spectrum to be rendered */
    ADDRESS_MAX = 16 << 20, /* bytes that the clients of one address may leave unread */
    PROXY_MAX = 32 << 20,   /* the same of a proxy's address, for all of its visitors */
};

static bool is_within(const struct peer *peer, size_t size, uint64_t max)
{
    return peer->bytes == 0 || peer->bytes + size <= max;
}

/* With a proxy, of its visitor and of the proxy. */
static bool address_allows(const struct pending_answer *out, size_t size)
{
    const struct peer *own = connection_peer(out->wsi);
    return is_within(out->peer, size, ADDRESS_MAX) &&
           (out->peer == own || is_within(own, size, PROXY_MAX));
}

static void count_bytes(struct pending_answer *out, uint64_t more)
{
    struct peer *own = connection_peer(out->wsi);
    own->bytes += more;
    if (out->peer != own)
        out->peer->bytes += more;
}

void pending_keep(struct pending_answer *out)
{
    lws_set_timeout(out->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_S);
}

void pending_prepare_for(struct pending_answer *out, struct http_server *s, struct lws *wsi,
                         const struct address *visitor)
{
    pending_drop(out);
    *out = (struct pending_answer){
        .server = s, .wsi = wsi, .peer = peer_ref(&s->peers, visitor, clock_now_ns())};
    pending_keep(out);
}

void pending_prepare(struct pending_answer *out, const struct request *r)
{
    const struct address visitor = connection_visitor(r->wsi);
    pending_prepare_for(out, r->server, r->wsi, &visitor);
    out->head_only = r->head;
    out->close = r->close;
}

/* ---- sending ---------------------------------------------------------------------------- */

static void advance(struct pending_answer *out);

static void on_stream_ready(void *user)
{
    struct pending_answer *out = user;
    advance(out);
}

/* The handle is of libwebsockets: its data is the connection. */
static void on_writable(uv_poll_t *poll, int status, int events)
{
    struct pending_answer *out = lws_wsi_user(poll->data);
    (void)status; /* after an error to send fails, too */
    (void)events;
    uv_poll_stop(poll);
    advance(out);
}

/*
 * libwebsockets must not be asked to close the connection whose request it handles: http.c returns
 * it.
 */
static void close_socket(struct http_server *s, struct lws *wsi)
{
    if (s->requested == wsi)
        s->closes_requested = true;
    else
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
}

static void close_connection(struct pending_answer *out)
{
    struct http_server *s = out->server;
    struct lws *wsi = out->wsi;
    pending_drop(out);
    close_socket(s, wsi);
}

void pending_notice(struct pending_answer *out)
{
    /* Not by reading: a byte that nobody reads would hide the end behind it. */
    struct pollfd socket = {.fd = lws_get_socket_fd(out->wsi), .events = POLLRDHUP};
    if (poll(&socket, 1, 0) > 0)
        close_connection(out);
}

static void finish(struct pending_answer *out)
{
    struct http_server *s = out->server;
    struct lws *wsi = out->wsi;
    uv_poll_t *poll = out->poll;
    const bool close = out->close, changes = out->changes;
    pending_drop(out);
    if (!quirks_complete(wsi, changes) || close)
        close_socket(s, wsi);
    else {
        connection_waits(wsi, true);
        if (poll)
            quirks_release_socket(poll, wsi);
    }
}

static uint64_t body_size(const struct pending_answer *out)
{
    return out->stream ? out->stream->size : out->body ? out->body->size : 0;
}

static bool is_sent(const struct pending_answer *out)
{
    const uint64_t size = body_size(out);
    return size != BODY_ENDLESS && out->sent == out->head->size + size;
}

/* The bytes of the body that follow those that were sent. 0: the stream has none yet; or -errno. */
static ssize_t find_body(const struct pending_answer *out, const void **data)
{
    const uint64_t head = out->head->size;
    const size_t at = out->sent > head ? (size_t)(out->sent - head) : 0; /* in memory */
    if (out->stream)
        return out->stream->data(out->stream, data);
    *data = out->body ? (const char *)out->body->data + at : NULL;
    return out->body ? (ssize_t)(out->body->size - at) : 0;
}

/* Sends what the kernel takes of head and body. Bytes; 0: the stream has none yet; or -errno. */
static ssize_t send_piece(struct pending_answer *out)
{
    const void *body = NULL;
    const uint64_t head = out->head->size;
    const ssize_t size = find_body(out, &body);
    const size_t head_rest = out->sent < head ? (size_t)(head - out->sent) : 0;
    if (head_rest == 0 && size <= 0)
        return size;
    const size_t body_rest = size <= 0 ? 0 : size < PIECE ? (size_t)size : PIECE;
    struct iovec parts[] = {{out->head->data + (head - head_rest), head_rest},
                            {(void *)body, body_rest}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    const ssize_t sent =
        sendmsg(lws_get_socket_fd(out->wsi), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EWOULDBLOCK ? -EAGAIN : -errno;
    if (out->stream && (size_t)sent > head_rest)
        out->stream->skip(out->stream, (size_t)sent - head_rest);
    out->sent += (size_t)sent;
    return sent;
}

/* libwebsockets does not touch the socket until the answer is sent. */
static bool hold_socket(struct pending_answer *out)
{
    if (!out->poll)
        out->poll = quirks_hold_socket(out->server->loop, out->wsi);
    return out->poll;
}

static void wait_until_writable(struct pending_answer *out)
{
    if (hold_socket(out))
        uv_poll_start(out->poll, UV_WRITABLE, on_writable);
    else
        close_connection(out);
}

/*
 * Sends the next piece, and waits for what the rest needs. Not while libwebsockets handles the
 * request: it still reads the headers, which the end of the transaction frees. The end waits, too,
 * until the socket takes more: libwebsockets waits for that after the end, not holding its socket
 * back any more (quirks_hold_socket).
 */
static void advance(struct pending_answer *out)
{
    const bool handled = out->server->requested == out->wsi;
    if (!handled && is_sent(out)) {
        finish(out);
        return;
    }
    const ssize_t sent = handled ? -EAGAIN : send_piece(out);
    if (sent > 0)
        pending_keep(out);
    if (sent > 0 || sent == -EAGAIN)
        wait_until_writable(out);
    else if (sent < 0)
        close_connection(out); /* 0: the stream calls back */
}

/* With a proxy, of its address and of its visitor's. */
static void count_download(struct pending_answer *out, int by)
{
    struct peer *own = connection_peer(out->wsi);
    own->downloads += (uint32_t)by;
    if (out->peer != own)
        out->peer->downloads += (uint32_t)by;
}

static void start(struct pending_answer *out, struct answer *a, const char *host)
{
    size_t size = a->body && !out->head_only ? a->body->size : 0;
    if (!address_allows(out, size)) {
        out->server->refused_total++;
        answer_free(a);
        answer_fault(a, 503, "too many answers for this address wait to be read");
        size = a->body && !out->head_only ? a->body->size : 0;
    }
    out->close = out->close || (a->stream && a->stream->size == BODY_ENDLESS);
    out->head = answer_head(a, out->close, host);
    if (size > 0)
        out->body = body_ref(a->body);
    if (a->stream && !out->head_only) {
        out->stream = a->stream;
        a->stream = NULL;
        count_download(out, 1);
        out->stream->ready = on_stream_ready;
        out->stream->user = out;
    }
    count_bytes(out, size);
    answer_free(a);
    if (out->head)
        advance(out);
    else
        close_connection(out);
}

void pending_take(struct pending_answer *out, struct answer *a, const char *host)
{
    out->source = a->source;
    if (out->source)
        out->source->wait(out->source, out);
    else
        start(out, a, host);
    if (out->server && !out->head && !hold_socket(out))
        close_connection(out);
}

void pending_come(struct pending_answer *out, struct answer *a)
{
    out->source = NULL;
    out->next = NULL;
    start(out, a, "");
}

void pending_drop(struct pending_answer *out)
{
    if (!out)
        return;
    rest_change_destroy(out->change);
    out->change = NULL;
    if (!out->server)
        return;
    if (out->source)
        out->source->leave(out->source, out);
    if (out->stream)
        count_download(out, -1);
    if (out->body)
        count_bytes(out, -(uint64_t)out->body->size);
    peer_unref(&out->server->peers, out->peer, clock_now_ns());
    body_unref(out->body);
    if (out->stream)
        out->stream->close(out->stream);
    ws_message_unref(out->head);
    *out = (struct pending_answer){0};
}
