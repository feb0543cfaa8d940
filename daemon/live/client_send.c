/*
 * client_send.c - sends websockets what is pending: at once where the socket takes it, and what has
 * queued up by one call.
 *
 * The write callback of libwebsockets costs four changes of the poll set for each message. So
 * clients with output queue for their turn, and the loop writes to their sockets itself, a slice of
 * turns at a time. libwebsockets gets what a socket did not take: it keeps the rest, and calls back
 * when that is sent; until then nothing is written here, so at most one turn is buffered for a
 * client. Its guide (README.coding.md) allows lws_write in write callbacks only, for the sake of
 * HTTP/2, where connections share a socket, and of such buffers. This server speaks HTTP/1 alone,
 * without TLS or extensions: the bytes of a websocket are those of its socket, and lws_write then
 * writes to it, calls nothing back and closes nothing.
 */
#include "daemon/live/client_send.h"

#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/live/client.h"
#include "daemon/wire/ws_message.h"

enum { TURN_MESSAGES = 32 };

static bool has_output(struct client *c)
{
    return c->queued > 0 || c->all->role->has_output(c);
}

/* The next frame, held: queued messages, then what the role has. NULL: none. */
static struct ws_message *next_frame(struct client *c)
{
    if (c->queued == 0)
        return c->all->role->next_frame(c);
    struct ws_message *f = c->queue[0];
    c->queued--;
    for (uint32_t i = 0; i < c->queued; i++)
        c->queue[i] = c->queue[i + 1];
    return f;
}

void client_send_request(struct client *c)
{
    if (has_output(c))
        lws_callback_on_writable(c->wsi);
}

/* ---- one turn ---------------------------------------------------------------------------- */

/* libwebsockets gets what the socket did not take. -1: the connection has failed. */
static int keep_rest(const struct outgoing_turn *t)
{
    if (t->sent < 0)
        return -1;
    const size_t rest = t->size - (size_t)t->sent;
    if (rest == 0)
        return 0;
    return lws_write(t->client->wsi, t->bytes + t->sent, rest, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

/* After the turn was sent. A turn that ended before it was full had all that is pending. */
static int finish_turn(const struct outgoing_turn *t)
{
    if (keep_rest(t) < 0)
        return -1;
    if (t->is_full)
        client_send_request(t->client);
    return 0;
}

/* For a message that is too large to be copied: what precedes it is sent first. */
static int send_large(struct client *c, const struct ws_message *f)
{
    struct outgoing *o = &c->all->outgoing;
    struct outgoing_turn *t = &o->turns[o->count - 1];
    outgoing_turn_send(t);
    int err = keep_rest(t);
    outgoing_clear_turn(o);
    if (err == 0)
        err = lws_write(c->wsi, f->data, f->size, f->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    return err < 0 ? -1 : 0;
}

static int add_frame(struct client *c, const struct ws_message *f)
{
    /* The client may answer with a credit message, which must not count: a replay may send
     * thousands of frames a second. */
    c->allowance += f->text ? 0 : 1;
    return outgoing_add(&c->all->outgoing, f) ? 0 : send_large(c, f);
}

/* Begins the client's turn with the pending messages. -1: the connection has failed. */
static int fill_turn(struct client *c)
{
    struct outgoing_turn *t = outgoing_begin(&c->all->outgoing, c, lws_get_socket_fd(c->wsi));
    size_t bytes = 0;
    int err = 0;
    while (err == 0 && !t->is_full) {
        struct ws_message *f = next_frame(c);
        if (!f)
            break;
        bytes += f->size;
        t->is_full = ++t->messages == TURN_MESSAGES || bytes >= OUTGOING_TURN_BYTES;
        err = add_frame(c, f);
        ws_message_unref(f);
    }
    return err;
}

int client_send_on_writable(struct client *c)
{
    struct outgoing *o = &c->all->outgoing;
    if (c->failed)
        return -1;
    int err = fill_turn(c);
    outgoing_turn_send(&o->turns[0]);
    if (err == 0)
        err = finish_turn(&o->turns[0]);
    outgoing_clear(o);
    return err;
}

/* ---- the queue --------------------------------------------------------------------------- */

static struct client *take_pending(struct clients *all)
{
    struct client *c = all->pending;
    if (c)
        client_send_forget(c);
    return c;
}

void client_send_fail(struct client *c)
{
    c->failed = true;
    quirks_close_soon(c->all->http->context, c->wsi);
}

static void send_slice(struct clients *all)
{
    struct outgoing *o = &all->outgoing;
    for (uint32_t i = 0; i < o->count; i++) {
        outgoing_turn_send(&o->turns[i]);
        struct client *c = o->turns[i].client;
        if (!c->failed && finish_turn(&o->turns[i]) < 0)
            client_send_fail(c);
    }
    outgoing_clear(o);
}

/* One slice; then other events of the loop. */
static void on_sending(uv_idle_t *sending)
{
    struct clients *all = sending->data;
    struct client *c;
    while (!outgoing_is_full(&all->outgoing) && (c = take_pending(all))) {
        if (!c->failed && !lws_partial_buffered(c->wsi) && fill_turn(c) < 0)
            client_send_fail(c);
    }
    send_slice(all);
    if (!all->pending)
        uv_idle_stop(sending);
}

void client_send_soon(struct client *c)
{
    struct clients *all = c->all;
    if (c->pending_link || all->http->stopping)
        return;
    if (!all->pending) {
        all->pending_end = &all->pending;
        uv_idle_start(&all->sending, on_sending);
    }
    c->pending_next = NULL;
    c->pending_link = all->pending_end;
    *all->pending_end = c;
    all->pending_end = &c->pending_next;
}

void client_send_forget(struct client *c)
{
    if (!c->pending_link)
        return;
    *c->pending_link = c->pending_next;
    if (c->pending_next)
        c->pending_next->pending_link = c->pending_link;
    else
        c->all->pending_end = c->pending_link;
    c->pending_link = NULL;
}

void client_send_all_soon(struct clients *all)
{
    for (struct client *c = all->first; c; c = c->next)
        client_send_soon(c);
}
