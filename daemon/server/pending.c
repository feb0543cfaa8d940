/* pending.c - sends an answer in pieces, and limits the bytes of answers that nobody reads. */
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/server/file_body.h"
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

static void on_file_read(void *user)
{
    struct pending_answer *out = user;
    lws_callback_on_writable(out->wsi);
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
    if (a->file && !out->head_only) {
        out->file = a->file;
        a->file = NULL;
        file_body_notify(out->file, on_file_read, out);
    }
    out->peer->bytes += size;
    answer_free(a);
    if (out->head)
        lws_callback_on_writable(out->wsi);
    else
        lws_set_timeout(out->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
}

static uint64_t body_size(const struct pending_answer *out)
{
    return out->file ? file_body_size(out->file) : out->body ? out->body->size : 0;
}

/* Copies the bytes of the body from `at` on. As file_body_take. */
static int take_body(const struct pending_answer *out, size_t at, uint8_t *into, size_t size)
{
    if (out->file)
        return file_body_take(out->file, into, size);
    const size_t rest = out->body ? out->body->size - at : 0;
    const size_t taken = rest < size ? rest : size;
    if (taken > 0)
        memcpy(into, out->body->data + at, taken);
    return (int)taken;
}

/* The same of head and body, from out->sent on. */
static int fill(const struct pending_answer *out, uint8_t piece[PIECE])
{
    const size_t head = out->head->size;
    size_t filled = 0;
    if (out->sent < head) {
        const size_t rest = head - (size_t)out->sent;
        filled = rest < PIECE ? rest : PIECE;
        memcpy(piece, out->head->data + out->sent, filled);
    }
    if (filled == PIECE)
        return PIECE;
    const size_t at = (size_t)(out->sent + filled - head); /* in memory */
    const int body = take_body(out, at, piece + filled, PIECE - filled);
    return filled > 0 && body < 0 ? (int)filled : (int)filled + body;
}

int pending_send(struct pending_answer *out)
{
    static uint8_t piece[LWS_PRE + PIECE];
    if (!out || !out->head)
        return 0;
    struct lws *wsi = out->wsi;
    const int size = fill(out, piece + LWS_PRE);
    if (size <= 0) /* the disk is read, or fails */
        return size;
    out->sent += (unsigned)size;
    const bool last = out->sent == out->head->size + body_size(out);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_S);
    if (lws_write(wsi, piece + LWS_PRE, (size_t)size,
                  last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
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
    if (out->work)
        answer_work_leave(out->work);
    if (out->body)
        out->peer->bytes -= out->body->size;
    peer_drop(&out->server->peers, out->peer, clock_now_ns());
    body_drop(out->body);
    file_body_close(out->file);
    frame_drop(out->head);
    *out = (struct pending_answer){0};
}
