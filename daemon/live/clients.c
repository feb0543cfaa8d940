/* clients.c - adds and removes websockets, and collects their messages. */
#include "daemon/live/clients.h"

#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/clock.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/live/client.h"
#include "daemon/live/client_eviction.h"
#include "daemon/live/client_send.h"
#include "daemon/live/client_silence.h"
#include "daemon/wire/ws_message.h"

_Static_assert(WS_MESSAGE_PRE >= LWS_PRE, "the library writes its header before a frame's data");

/* ---- the list of clients ---------------------------------------------------------------- */

static void add_client(struct clients *all, struct client *c, struct lws *wsi)
{
    memset(c, 0, sizeof *c + all->role->state);
    c->all = all;
    c->wsi = wsi;
    c->next = all->first;
    c->link = &all->first;
    if (c->next)
        c->next->link = &c->next;
    c->forwarded = connection_is_forwarded(wsi);
    c->allowance = CLIENT_MESSAGES_BURST;
    c->refilled_ns = clock_now_ns();
    const struct address address = connection_visitor(wsi);
    c->peer = peer_ref(&all->http->peers, &address, c->refilled_ns);
    c->peer->clients++;
    connection_becomes_websocket(wsi);
    c->own = connection_peer(wsi);
    c->own->carried++;
    c->heard_ns = c->refilled_ns;
    all->first = c;
    all->count++;
    c->number = all->total++;
    all->role->join(c);
}

/* libwebsockets also reports the end of connections that it never reported as established. */
static void remove_client(struct client *c)
{
    if (!c || !c->all)
        return;
    struct clients *all = c->all;
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    client_send_forget(c);
    all->count--;
    all->role->leave(c);
    while (c->queued > 0)
        ws_message_unref(c->queue[--c->queued]);
    c->peer->clients--;
    c->own->carried--;
    peer_unref(&all->http->peers, c->peer, clock_now_ns());
    c->all = NULL;
}

/* ---- messages of clients ---------------------------------------------------------------- */

/* Counts a message. Returns false if the client exceeds the rate of messages. */
static bool is_within_rate(struct client *c)
{
    const uint64_t now = clock_now_ns();
    c->allowance += (double)(now - c->refilled_ns) * 1e-9 * CLIENT_MESSAGES_PER_S;
    c->refilled_ns = now;
    if (c->allowance > CLIENT_MESSAGES_BURST)
        c->allowance = CLIENT_MESSAGES_BURST;
    c->allowance -= 1;
    return c->allowance >= 0;
}

static int handle_message(struct client *c)
{
    if (!is_within_rate(c))
        return client_close(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    const int err = c->all->role->on_message(c);
    c->size = 0;
    if (err == 0)
        client_send_request(c);
    return err;
}

/* Collects the fragments of a message, which have any size. */
static int receive(struct client *c, const char *bytes, size_t size)
{
    client_silence_ends(c);
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

static int on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size)
{
    const struct lws_protocols *protocol = lws_get_protocol(wsi);
    struct client *c = user;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        add_client(protocol->user, c, wsi);
        return 0;
    case LWS_CALLBACK_TIMER:
        if (c && c->all)
            lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return c && c->all ? client_send_on_writable(c) : 0;
    case LWS_CALLBACK_RECEIVE:
        return !c || !c->all ? -1 : c->closed ? 0 : receive(c, in, size);
    case LWS_CALLBACK_RECEIVE_PONG:
        if (c && c->all)
            client_silence_ends(c);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (c)
            c->closed = true;
        return quirks_check_close(wsi, in, size);
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

/* ---- all of them ------------------------------------------------------------------------ */

static const char *refuse(void *user, const struct peer *own, const struct address *visitor)
{
    return client_evict(user, own, visitor) ? NULL : "too many clients (see max-clients)";
}

struct http_websocket clients_websocket(struct clients *all)
{
    return (struct http_websocket){.callback = on_websocket,
                                   .session = sizeof(struct client) + all->role->state,
                                   .user = all,
                                   .refuse = refuse};
}

int clients_start(struct clients *all)
{
    const int err = uv_idle_init(all->http->loop, &all->sending);
    if (err == 0)
        all->sending.data = all;
    return err;
}

void clients_stop(struct clients *all)
{
    if (all->sending.data)
        uv_close((uv_handle_t *)&all->sending, NULL);
    all->sending.data = NULL;
}
