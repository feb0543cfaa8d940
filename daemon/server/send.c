/*
 * send.c - sends websockets what is due: at once where the socket takes it, and what has queued up
 * in one segment.
 *
 * The write callback of libwebsockets costs four changes of the poll set for each message. So a
 * pass over all clients writes without one. libwebsockets keeps the rest of a write that the
 * socket did not take, and calls back when that is sent; until then nothing is written here, so at
 * most one round of messages is buffered for a client. Its guide (README.coding.md) allows
 * lws_write in write callbacks only, for the sake of HTTP/2, where connections share a socket, and
 * of such buffers. This server speaks HTTP/1 alone: lws_write then writes to the socket of its
 * connection, calls nothing back and closes nothing.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "daemon/server/internal.h"

enum {
    SLICE = 256,            /* clients that are sent to before other events of the loop */
    ROUND_BYTES = 16 << 10, /* for one client in its turn: no message begins after these */
    ROUND_MESSAGES = 32,
};

static bool has_output(struct client *c)
{
    return c->queued > 0 || c->server->role->has_output(c);
}

/* The next frame, held: queued messages, then what the role has. NULL: none. */
static struct frame *next_frame(struct client *c)
{
    if (c->queued == 0)
        return c->server->role->next_frame(c);
    struct frame *f = c->queue[0];
    c->queued--;
    for (uint32_t i = 0; i < c->queued; i++)
        c->queue[i] = c->queue[i + 1];
    return f;
}

/* Until it is turned off, the kernel sends full segments only. Fails on Unix sockets. */
static void set_cork(const struct client *c, bool corked)
{
    const int on = corked;
    setsockopt(lws_get_socket_fd(c->wsi), IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

static int write_frame(struct client *c, const struct frame *f)
{
    /* The client may answer with a credit message, which must not count: a replay may send
     * thousands of frames a second. */
    c->allowance += f->text ? 0 : 1;
    return lws_write(c->wsi, f->data, f->size, f->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
}

/*
 * Sends the messages of one turn, as far as the socket takes them. Returns how many were sent; -1:
 * the connection has failed.
 */
static int send_round(struct client *c)
{
    size_t bytes = 0;
    int count = 0, err = 0;
    bool more = has_output(c), corked = false;
    while (more && err >= 0) {
        struct frame *f = next_frame(c);
        if (!f)
            break;
        bytes += f->size;
        more = ++count < ROUND_MESSAGES && bytes < ROUND_BYTES && has_output(c);
        if (more && !corked)
            set_cork(c, corked = true);
        err = write_frame(c, f);
        frame_drop(f);
        more = more && !lws_partial_buffered(c->wsi);
    }
    if (corked)
        set_cork(c, false);
    return err < 0 ? -1 : count;
}

void client_request_write(struct client *c)
{
    if (has_output(c))
        lws_callback_on_writable(c->wsi);
}

int client_on_writable(struct client *c)
{
    if (c->failed)
        return -1;
    const int sent = send_round(c);
    if (sent > 0)
        client_request_write(c);
    return sent < 0 ? -1 : 0;
}

/* ---- all clients ------------------------------------------------------------------------- */

/* True if something was sent. */
static bool send_now(struct client *c)
{
    if (c->failed || !has_output(c) || lws_partial_buffered(c->wsi))
        return false;
    const int sent = send_round(c);
    if (sent < 0) { /* only libwebsockets may close it, later */
        c->failed = true;
        lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    } else if (sent > 0) {
        client_request_write(c);
    }
    return sent != 0;
}

/* Clients take turns: the pass goes on where the last one ended. */
static void on_sending(uv_idle_t *sending)
{
    struct server *s = sending->data;
    for (int left = SLICE; s->unsent > 0 && left > 0; s->unsent--) {
        struct client *c = s->turn ? s->turn : s->clients;
        if (!c)
            break;
        s->turn = c->next;
        left -= send_now(c);
    }
    if (s->unsent == 0 || !s->clients)
        uv_idle_stop(sending);
}

void server_request_writes(struct server *s)
{
    s->unsent = s->counts.clients;
    if (s->unsent > 0 && !s->stopping)
        uv_idle_start(&s->sending, on_sending);
}

void server_forget_turn(struct server *s, const struct client *c)
{
    if (s->turn == c)
        s->turn = c->next;
}
