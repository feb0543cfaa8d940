/* pending.c - sends an answer in pieces, and limits the bytes of answers that nobody reads. */
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/server/internal.h"

enum {
    PIECE = 32 << 10,
    PATIENCE_S = 30,        /* for the client to read a piece, and for a spectrum to be rendered */
    ANSWERS_MAX = 64 << 20, /* bytes of all bodies that are not read yet */
    ADDRESS_MAX = 16 << 20, /* bytes that the clients of one address may leave unread */
};

const char server_full[] = "too many answers wait to be read";

bool server_has_room(const struct server *s, size_t size)
{
    return s->body_bytes == 0 || s->body_bytes + size <= ANSWERS_MAX;
}

static bool address_has_room(const struct peer *peer, size_t size)
{
    return peer->bytes == 0 || peer->bytes + size <= ADDRESS_MAX;
}

void pending_prepare(struct pending_answer *out, struct server *s, struct lws *wsi,
                     const struct request *r)
{
    const struct address address = server_address_of(wsi);
    pending_drop(out);
    *out = (struct pending_answer){.server = s,
                                   .wsi = wsi,
                                   .peer = peer_hold(&s->peers, &address, clock_now_ns()),
                                   .head_only = r->head,
                                   .close = r->close};
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_S);
}

void pending_start(struct pending_answer *out, struct answer *a, const char *host)
{
    size_t size = a->body && !out->head_only ? a->body->size : 0;
    if (!address_has_room(out->peer, size)) {
        out->server->counts.refused_total++;
        answer_free(a);
        answer_text(a, 503, "too many answers for this address wait to be read\n");
        size = a->body && !out->head_only ? a->body->size : 0;
    }
    out->head = answer_head(a, out->close, host);
    if (size > 0)
        out->body = body_hold(a->body);
    out->peer->bytes += size;
    answer_free(a);
    if (out->head)
        lws_callback_on_writable(out->wsi);
    else
        lws_set_timeout(out->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
}

/* Copies the bytes of head and body from out->sent on. Returns their number. */
static size_t fill(const struct pending_answer *out, uint8_t piece[PIECE])
{
    const size_t head = out->head->size;
    const size_t body = out->body ? out->body->size : 0;
    size_t filled = 0;
    if (out->sent < head) {
        filled = head - out->sent < PIECE ? head - out->sent : PIECE;
        memcpy(piece, out->head->data + out->sent, filled);
    }
    if (filled < PIECE && body > 0) {
        const size_t at = out->sent + filled - head;
        const size_t size = body - at < PIECE - filled ? body - at : PIECE - filled;
        memcpy(piece + filled, out->body->data + at, size);
        filled += size;
    }
    return filled;
}

int pending_send(struct pending_answer *out)
{
    static uint8_t piece[LWS_PRE + PIECE];
    if (!out || !out->head)
        return 0;
    struct lws *wsi = out->wsi;
    const size_t size = fill(out, piece + LWS_PRE);
    out->sent += size;
    const bool last = out->sent == out->head->size + (out->body ? out->body->size : 0);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_S);
    if (lws_write(wsi, piece + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    const bool close = out->close; /* libwebsockets sends what it buffered first */
    pending_drop(out);
    return lws_http_transaction_completed(wsi) || close ? -1 : 0; /* the request had no body */
}

void pending_drop(struct pending_answer *out)
{
    if (!out || !out->server)
        return;
    if (out->spectrum)
        spectrum_leave(out->spectrum, out);
    if (out->body)
        out->peer->bytes -= out->body->size;
    peer_drop(&out->server->peers, out->peer, clock_now_ns());
    body_drop(out->body);
    frame_drop(out->head);
    *out = (struct pending_answer){0};
}
