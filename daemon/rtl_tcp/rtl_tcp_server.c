/* rtl_tcp_server.c - accepts clients, within limits, and gives each a channel. */
#include "daemon/rtl_tcp/rtl_tcp_server.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/access/tcp_listen.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channels.h"
#include "daemon/rtl_tcp/rtl_tcp_client.h"

const struct figure rtl_tcp_figures[] = {
    FIGURE_GAUGE(struct rtl_tcp_state, clients, "clients", "fftd_rtl_tcp_clients",
                 "Clients of the rtl_tcp server."),
    FIGURE_COUNTER(struct rtl_tcp_state, clients_total, "connections", "fftd_rtl_tcp_connections",
                   "Clients that came."),
    FIGURE_COUNTER(struct rtl_tcp_state, refused, "refused", "fftd_rtl_tcp_refused",
                   "Of these, clients that got no channel."),
    FIGURE_COUNTER(
        struct rtl_tcp_state, missing, "missing", "fftd_rtl_tcp_missing_samples",
        "Samples of their channels that were lost, or that clients read too slowly for."),
    FIGURE_COUNTER(struct rtl_tcp_state, outside, "outside", "fftd_rtl_tcp_outside",
                   "Times that a client tuned to where the radio does not receive."),
    FIGURE_KEY(struct rtl_tcp_state, commands, "commands"),
    FIGURE_COUNTER(struct rtl_tcp_state, ignored, "ignored", "fftd_rtl_tcp_ignored_commands",
                   "Commands of clients that a channel has no use for."),
    FIGURE_END,
};

struct rtl_tcp_server {
    uv_tcp_t socket; /* first */
    struct rtl_tcp_config config;
    struct rtl_tcp_client *first;
    struct rtl_tcp_state state;
    bool opened, stopping;
    bool said_full; /* since the last client that got a channel */
    char name[TCP_NAME];
};

/* What clients get until they ask for another one: rtl_tcp begins with it. */
static const double default_rate_hz = 2.048e6;

/* ---- clients ------------------------------------------------------------------------------ */

static void on_client_closed(void *user, struct rtl_tcp_client *c)
{
    struct rtl_tcp_server *s = user;
    struct rtl_tcp_client **at = &s->first;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    s->state.clients--;
    free(c);
}

static uint32_t count_own(const struct rtl_tcp_server *s, const struct address *a)
{
    uint32_t own = 0;
    for (const struct rtl_tcp_client *c = s->first; c; c = c->next)
        own += c->channel && address_same(&c->address, a);
    return own;
}

static int check_share(const struct rtl_tcp_server *s, const struct address *a, struct reason *why)
{
    struct channels_state now;
    struct rtl_tcp_radio radio;
    const uint32_t own = count_own(s, a);
    channels_state(s->config.channels, &now);
    s->config.radio(s->config.user, &radio);
    if (radio.sweeps)
        return reason_set(why, -EBUSY, "a sweep has no channels");
    if (!share_allows((uint32_t)now.most, (uint32_t)now.open, own))
        return reason_set(why, -EMFILE,
                          "%zu channels are open, %u of them of this address, and max-channels is "
                          "%zu",
                          now.open, own, now.most);
    return 0;
}

/* One line until a client gets a channel again: those refused may come often. */
static void say_refused(struct rtl_tcp_server *s, const struct address *a, const char *sentence)
{
    char address[ADDRESS_TEXT];
    s->state.refused++;
    if (!s->said_full)
        log_warn("rtl_tcp: %s is refused: %s", address_text(a, address), sentence);
    s->said_full = true;
}

static void start_client(struct rtl_tcp_server *s, struct rtl_tcp_client *c)
{
    struct sockaddr_storage peer = {0};
    struct rtl_tcp_radio radio;
    struct reason why = {0};
    int size = sizeof peer;
    s->config.radio(s->config.user, &radio);
    rtl_tcp_settings_init(&c->settings, radio.center_hz, default_rate_hz);
    (void)uv_tcp_getpeername(&c->socket, (struct sockaddr *)&peer, &size);
    c->address = address_from_socket((const struct sockaddr *)&peer);
    int err = check_share(s, &c->address, &why);
    if (err < 0)
        rtl_tcp_client_close(c);
    else
        err = rtl_tcp_client_start(c, &why);
    if (err < 0)
        say_refused(s, &c->address, why.sentence);
    else
        s->said_full = false;
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct rtl_tcp_server *s = (struct rtl_tcp_server *)stream;
    struct rtl_tcp_client *c = status == 0 && !s->stopping ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return;
    if (uv_tcp_init(s->config.loop, &c->socket) < 0) {
        free(c);
        return;
    }
    c->channels = s->config.channels;
    c->counts = &s->state;
    c->closed = on_client_closed;
    c->user = s;
    c->next = s->first;
    s->first = c;
    s->state.clients++;
    s->state.clients_total++;
    if (uv_accept(stream, (uv_stream_t *)&c->socket) < 0)
        rtl_tcp_client_close(c);
    else
        start_client(s, c);
}

/* ---- listening ---------------------------------------------------------------------------- */

int rtl_tcp_server_start(struct rtl_tcp_server **out, const struct rtl_tcp_config *config,
                         struct reason *why)
{
    struct rtl_tcp_server *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return -ENOMEM;
    s->config = *config;
    s->state.on = true;
    const int err = uv_tcp_init(config->loop, &s->socket);
    if (err < 0)
        return reason_set(why, err, "rtl-tcp: %s", strerror(-err));
    s->opened = true;
    return tcp_listen(&s->socket, "rtl-tcp", config->listen, on_connection, s->name, why);
}

void rtl_tcp_server_on_blocks(struct rtl_tcp_server *s)
{
    for (struct rtl_tcp_client *c = s ? s->first : NULL; c; c = c->next)
        rtl_tcp_client_send(c);
}

void rtl_tcp_server_on_tick(struct rtl_tcp_server *s)
{
    for (struct rtl_tcp_client *c = s ? s->first : NULL; c; c = c->next)
        rtl_tcp_client_tick(c);
}

void rtl_tcp_server_state(const struct rtl_tcp_server *s, struct rtl_tcp_state *out)
{
    *out = s ? s->state : (struct rtl_tcp_state){0};
}

const char *rtl_tcp_server_name(const struct rtl_tcp_server *s)
{
    return s->name;
}

void rtl_tcp_server_stop(struct rtl_tcp_server *s)
{
    if (!s || s->stopping)
        return;
    s->stopping = true;
    for (struct rtl_tcp_client *c = s->first; c; c = c->next)
        rtl_tcp_client_close(c);
    if (s->opened)
        uv_close((uv_handle_t *)&s->socket, NULL);
}

void rtl_tcp_server_destroy(struct rtl_tcp_server *s)
{
    free(s);
}
