/* client_queue.c - queues answers to the messages of a websocket. */
#include "daemon/live/client_queue.h"

#include "daemon/base/json.h"
#include "daemon/live/client.h"
#include "daemon/live/client_send.h"
#include "daemon/wire/ws_message.h"

/* Many messages may come with one read of the socket: what it takes of the answers does not wait.
 */
static bool has_capacity(struct client *c)
{
    if (c->queued == CLIENT_QUEUE && !lws_partial_buffered(c->wsi) &&
        client_send_on_writable(c) < 0)
        return false;
    return c->queued < CLIENT_QUEUE;
}

/* Closes a client whose queue is full: it does not read. */
int client_queue_message(struct client *c, json_t *message)
{
    struct ws_message *f = ws_message_from_json(message);
    if (!f || !has_capacity(c)) {
        ws_message_unref(f);
        return client_close(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many answers wait");
    }
    c->queue[c->queued++] = f;
    lws_callback_on_writable(c->wsi);
    return 0;
}

int client_queue_error(struct client *c, const char *error)
{
    return client_queue_message(
        c, json_pack("{ss so}", "type", "error", "message", text_to_json(error)));
}
