/* rigctl_server.c - accepts clients, at most RIGCTL_CLIENTS. */
#include "daemon/rigctl/rigctl_server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/tcp_listen.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/rigctl/rigctl_client.h"

struct rigctl_server {
    uv_tcp_t socket; /* first */
    struct rigctl_config config;
    struct rigctl_rig rig;
    struct rigctl_client *first;
    size_t clients;
    bool opened, stopping;
    char name[TCP_NAME];
};

static void on_client_closed(void *user, struct rigctl_client *c)
{
    struct rigctl_server *s = user;
    struct rigctl_client **at = &s->first;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    s->clients--;
    free(c);
}

/* A client that has gone without a word keeps its place until a new one needs it. */
static void close_most_silent(struct rigctl_server *s, const struct rigctl_client *newcomer)
{
    struct rigctl_client *most = NULL;
    for (struct rigctl_client *c = s->first; c; c = c->next)
        if (c != newcomer && !c->closing && (!most || c->heard_ms < most->heard_ms))
            most = c;
    if (!most)
        return;
    log_limited(LOG_PRIORITY_WARN,
                "rigctl: there are %d clients: the one that was silent for longest is closed",
                RIGCTL_CLIENTS);
    rigctl_client_close(most);
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct rigctl_server *s = (struct rigctl_server *)stream;
    struct rigctl_client *c = status == 0 && !s->stopping ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return;
    if (uv_tcp_init(s->config.loop, &c->socket) < 0) {
        free(c);
        return;
    }
    c->rig = &s->rig;
    c->closed = on_client_closed;
    c->user = s;
    c->next = s->first;
    s->first = c;
    s->clients++;
    if (uv_accept(stream, (uv_stream_t *)&c->socket) < 0)
        rigctl_client_close(c);
    else
        rigctl_client_start(c);
    if (s->clients > RIGCTL_CLIENTS)
        close_most_silent(s, c);
}

int rigctl_server_start(struct rigctl_server **out, const struct rigctl_config *config,
                        struct reason *why)
{
    struct rigctl_server *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return reason_set(why, -ENOMEM, "rigctl: no memory");
    s->config = *config;
    s->rig = (struct rigctl_rig){.get = rigctl_channel_get,
                                 .tune = rigctl_channel_tune,
                                 .set_mode = rigctl_channel_set_mode,
                                 .user = &s->config.channel};
    const int err = uv_tcp_init(config->loop, &s->socket);
    if (err < 0)
        return reason_set(why, err, "rigctl: %s", strerror(-err));
    s->opened = true;
    return tcp_listen(&s->socket, "rigctl", config->listen, on_connection, s->name, why);
}

const char *rigctl_server_name(const struct rigctl_server *s)
{
    return s->name;
}

void rigctl_server_stop(struct rigctl_server *s)
{
    if (!s || s->stopping)
        return;
    s->stopping = true;
    for (struct rigctl_client *c = s->first; c; c = c->next)
        rigctl_client_close(c);
    if (s->opened)
        uv_close((uv_handle_t *)&s->socket, NULL);
}

void rigctl_server_destroy(struct rigctl_server *s)
{
    free(s);
}
