/* connection.c - the connections: where each comes from, and which one is evicted for another. */
#include "daemon/http/connection.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "daemon/access/guard.h"
#include "daemon/access/peers.h"
#include "daemon/base/clock.h"
#include "daemon/http/http_server.h"

/* ---- all of them ------------------------------------------------------------------------ */

void connections_init(struct connections *all)
{
    *all = (struct connections){.end = &all->first};
}

static void append(struct connection *c)
{
    struct connections *all = &c->server->connections;
    c->link = all->end;
    c->next = NULL;
    *all->end = c;
    all->end = &c->next;
    c->peer->requesting++;
}

static void take_out(struct connection *c)
{
    struct connections *all = &c->server->connections;
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    else
        all->end = c->link;
    c->link = NULL;
    c->peer->requesting--;
}

/* A connection without an account, which has no memory, is closing. */
static void close_now(struct lws *wsi)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
}

bool connection_add(struct http_server *s, struct lws *wsi, const struct address *from)
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c) {
        close_now(wsi);
        return false;
    }
    c->server = s;
    c->wsi = wsi;
    c->peer = peer_ref(&s->peers, from, clock_now_ns());
    s->connections.open++;
    lws_set_opaque_user_data(wsi, c);
    c->waits = true;
    append(c);
    return true;
}

/* It has no place any more. libwebsockets frees it in a later round of the loop. */
static void leave(struct connection *c)
{
    if (c->closing)
        return;
    c->closing = true;
    c->server->connections.open--;
    if (c->link)
        take_out(c);
}

void connection_remove(struct lws *wsi)
{
    struct connection *c = lws_get_opaque_user_data(wsi);
    if (!c)
        return;
    leave(c);
    peer_unref(&c->server->peers, c->peer, clock_now_ns());
    lws_set_opaque_user_data(wsi, NULL);
    free(c);
}

void connection_waits(struct lws *wsi, bool on)
{
    struct connection *c = lws_get_opaque_user_data(wsi);
    if (!c || !c->link)
        return;
    take_out(c);
    append(c);
    c->waits = on;
}

void connection_becomes_websocket(struct lws *wsi)
{
    struct connection *c = lws_get_opaque_user_data(wsi);
    if (c && c->link)
        take_out(c);
}

struct peer *connection_peer(struct lws *wsi)
{
    const struct connection *c = lws_get_opaque_user_data(wsi);
    return c->peer;
}

/* ---- eviction --------------------------------------------------------------------------- */

static const struct peer *largest_peer(const struct http_server *s)
{
    const struct peer *most = NULL;
    for (const struct connection *c = s->connections.first; c; c = c->next) {
        if (!most || c->peer->requesting > most->requesting)
            most = c->peer;
    }
    return most;
}

static uint32_t requesting_of(const struct http_server *s, const struct address *a)
{
    for (const struct connection *c = s->connections.first; c; c = c->next) {
        if (address_same(&c->peer->address, a))
            return c->peer->requesting;
    }
    return 0;
}

static bool has_unread(const struct connection *c)
{
    int unread = 0;
    return ioctl(lws_get_socket_fd(c->wsi), FIONREAD, &unread) == 0 && unread > 0;
}

/* The oldest that waits and from which nothing has come; else that waits; else of all. */
static struct connection *oldest_of(const struct http_server *s, const struct peer *peer)
{
    struct connection *oldest = NULL;
    for (struct connection *c = s->connections.first; c; c = c->next) {
        if (c->peer != peer)
            continue;
        if (c->waits && !has_unread(c))
            return c;
        if (!oldest || (c->waits && !oldest->waits))
            oldest = c;
    }
    return oldest;
}

bool connections_evict(struct http_server *s, const struct address *newcomer)
{
    if (s->connections.open < s->options.max_clients + HTTP_EXTRA)
        return true;
    const struct peer *most = largest_peer(s);
    if (!most)
        return false;
    struct connection *c = oldest_of(s, most);
    const bool own = address_same(&most->address, newcomer);
    if (own ? !c->waits : most->requesting <= requesting_of(s, newcomer))
        return false;
    s->refused_total++;
    leave(c);
    close_now(c->wsi);
    return true;
}

/* ---- where a request comes from --------------------------------------------------------- */

/*
 * The last address of X-Forwarded-For was added by the nearest proxy. Only a proxy of this machine
 * is trusted: any other client could write a header of its own.
 */
struct address connection_visitor(struct lws *wsi)
{
    struct address a = connection_peer(wsi)->address;
    char list[1024];
    if (!address_is_local(&a) ||
        lws_hdr_copy(wsi, list, sizeof list, WSI_TOKEN_X_FORWARDED_FOR) <= 0)
        return a;
    const char *comma = strrchr(list, ',');
    char *last = comma ? list + (comma + 1 - list) : list;
    last += strspn(last, " \t");
    last[strcspn(last, " \t")] = '\0';
    (void)!address_parse(last, &a);
    return a;
}

bool connection_is_forwarded(struct lws *wsi)
{
    char host[256];
    const int length = lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST);
    return lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0 ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_VIA) > 0 ||
           lws_hdr_custom_length(wsi, "forwarded:", 10) > 0 || length <= 0 ||
           !guard_host_is_local(host);
}
