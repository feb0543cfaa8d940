/* ws.c - websockets: adds and removes clients, and collects their messages. */
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/clock.h"
#include "daemon/http/internal.h"

_Static_assert(FRAME_PRE >= LWS_PRE, "the library writes its header before a frame's data");

/* ---- the list of clients ---------------------------------------------------------------- */

static void add_client(struct server *s, struct client *c, struct lws *wsi)
{
    memset(c, 0, sizeof *c);
    c->server = s;
    c->wsi = wsi;
    c->next = s->clients;
    c->link = &s->clients;
    if (c->next)
        c->next->link = &c->next;
    c->forwarded = server_is_forwarded(wsi);
    c->allowance = MESSAGES_BURST;
    c->refilled_ns = clock_now_ns();
    const struct address address = server_address_of(wsi);
    c->peer = peer_hold(&s->peers, &address, c->refilled_ns);
    c->peer->clients++;
    connection_becomes_websocket(wsi);
    c->own = connection_peer(wsi);
    c->own->carried++;
    c->heard_ns = c->refilled_ns;
    s->clients = c;
    s->counts.clients++;
    c->number = s->counts.clients_total++;
    if (s->role->join)
        s->role->join(c);
}

/* libwebsockets also reports the end of connections that it never reported as established. */
static void remove_client(struct client *c)
{
    if (!c || !c->server)
        return;
    struct server *s = c->server;
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    client_forget_due(c);
    s->counts.clients--;
    s->role->leave(c);
    while (c->queued > 0)
        frame_drop(c->queue[--c->queued]);
    c->peer->clients--;
    c->own->carried--;
    peer_drop(&s->peers, c->peer, clock_now_ns());
    c->server = NULL;
}

/* ---- messages of clients ---------------------------------------------------------------- */

/* Counts a message. Returns false if the client exceeds the rate of messages. */
static bool is_within_rate(struct client *c)
{
    const uint64_t now = clock_now_ns();
    c->allowance += (double)(now - c->refilled_ns) * 1e-9 * MESSAGES_PER_S;
    c->refilled_ns = now;
    if (c->allowance > MESSAGES_BURST)
        c->allowance = MESSAGES_BURST;
    c->allowance -= 1;
    return c->allowance >= 0;
}

static int handle_message(struct client *c)
{
    if (!is_within_rate(c))
        return client_close(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    const int err = c->server->role->on_message(c);
    c->size = 0;
    if (err == 0)
        client_request_write(c);
    return err;
}

/* Collects the fragments of a message, which have any size. */
static int receive(struct client *c, const char *bytes, size_t size)
{
    client_heard(c);
    if (lws_frame_is_binary(c->wsi))
        return client_close(c, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    if (size > sizeof c->message - c->size)
        return client_close(c, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "at most 4096 bytes");
    if (size > 0)
        memcpy(c->message + c->size, bytes, size);
    c->size += size;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi))
        return 0;
    return handle_message(c);
}

/*
 * Checks the close frame of a client (RFC 6455, 5.5.1 and 7.4). libwebsockets has checked the codes
 * below 5000; it would repeat other faults to the client. -1: the fault is sent instead.
 */
static int check_close_frame(struct lws *wsi, const uint8_t *body, size_t size)
{
    const unsigned code = size >= 2 ? (unsigned)body[0] << 8 | body[1] : 0;
    json_t *reason = size > 2 ? json_stringn((const char *)body + 2, size - 2) : NULL;
    const bool is_text = size <= 2 || reason; /* jansson takes UTF-8 only */
    json_decref(reason);
    if (size != 1 && code < 5000 && is_text)
        return 0;
    lws_close_reason(
        wsi, is_text ? LWS_CLOSE_STATUS_PROTOCOL_ERR : LWS_CLOSE_STATUS_INVALID_PAYLOAD, NULL, 0);
    return -1;
}

int server_on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size)
{
    const struct lws_protocols *protocol = lws_get_protocol(wsi);
    struct client *c = user;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        add_client(protocol->user, c, wsi);
        return 0;
    case LWS_CALLBACK_TIMER:
        if (c && c->server)
            lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return c && c->server ? client_on_writable(c) : 0;
    case LWS_CALLBACK_RECEIVE:
        return !c || !c->server ? -1 : c->closed ? 0 : receive(c, in, size);
    case LWS_CALLBACK_RECEIVE_PONG:
        if (c && c->server)
            client_heard(c);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (c)
            c->closed = true;
        return check_close_frame(wsi, in, size);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        remove_client(c);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}
