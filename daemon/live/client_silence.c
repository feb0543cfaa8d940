/* client_silence.c - has one timer for all clients (quirks_ping). */
#include "daemon/live/client_silence.h"

#include "daemon/base/clock.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/live/client.h"
#include "daemon/live/client_send.h"

enum { PING_S = 20 };

static const uint64_t second_ns = 1000000000;

void client_silence_ends(struct client *c)
{
    c->heard_ns = clock_now_ns();
    c->pinged = false;
}

/* Clients that came together are not pinged together: the first ones after half of the time. */
static uint64_t ping_after_s(const struct client *c, uint64_t ping_s)
{
    return ping_s - c->number % (ping_s / 2 + 1);
}

/* No ping goes between the parts of a message that libwebsockets still sends. */
static void ping(struct client *c)
{
    if (lws_partial_buffered(c->wsi))
        return;
    c->pinged = true;
    if (!quirks_ping(c->wsi))
        client_send_fail(c);
}

void client_silence_check(struct clients *all)
{
    const uint64_t now = clock_now_ns();
    const uint64_t ping_s = all->http->options.ping_s ? all->http->options.ping_s : PING_S;
    for (struct client *c = all->first; c; c = c->next) {
        const uint64_t silent_ns = now - c->heard_ns;
        if (c->failed)
            continue;
        if (silent_ns >= 2 * ping_s * second_ns)
            client_send_fail(c);
        else if (!c->pinged && silent_ns >= ping_after_s(c, ping_s) * second_ns)
            ping(c);
    }
}
