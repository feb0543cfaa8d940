/* client.c - what a websocket may do, and how it is closed. */
#include "daemon/live/client.h"

#include <errno.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/reason.h"
#include "daemon/http/http_server.h"

int client_login(struct client *c, const char *token, struct reason *why)
{
    struct http_server *s = c->all->http;
    int err = 0;
    if (!s->login.token.set)
        c->control = s->listener.local && !c->forwarded;
    else if (token) {
        err = login_check(&s->login, &c->own->address, &c->peer->address, token, why);
        c->control = c->control || err == 0; /* a wrong one takes nothing away */
    }
    if (err < 0)
        return err;
    return token && !c->control ? reason_set(why, -ENOKEY, "no control token is configured") : 0;
}

int client_close(struct client *c, enum lws_close_status code, const char *why)
{
    unsigned char text[64];
    const size_t size = strnlen(why, sizeof text);
    memcpy(text, why, size);
    lws_close_reason(c->wsi, code, text, size);
    return -1;
}
