/* client.c - what a websocket may do, and how it is closed. */
#include "daemon/live/client.h"

#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/http/http_server.h"

const char *client_login(struct client *c, const char *token, struct reason *why)
{
    struct http_server *s = c->all->http;
    const char *refused = NULL;
    if (!s->login.token.set)
        c->control = s->listener.local && !c->forwarded;
    else if (token) {
        refused = login_check(&s->login, &c->own->address, &c->peer->address, token, why);
        c->control = !refused;
    }
    if (refused)
        return refused;
    return token && !c->control ? "no control token is configured" : NULL;
}

int client_close(struct client *c, enum lws_close_status code, const char *why)
{
    unsigned char text[64];
    const size_t size = strnlen(why, sizeof text);
    memcpy(text, why, size);
    lws_close_reason(c->wsi, code, text, size);
    return -1;
}
