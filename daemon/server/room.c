/* room.c - makes room for a client of another address when one address has most of max-clients. */
#include "daemon/server/internal.h"

static const struct peer *largest_peer(const struct server *s)
{
    const struct peer *largest = NULL;
    for (const struct client *c = s->clients; c; c = c->next) {
        if (!largest || c->peer->clients > largest->clients)
            largest = c->peer;
    }
    return largest;
}

static uint32_t clients_of(const struct server *s, const struct address *a)
{
    for (const struct client *c = s->clients; c; c = c->next) {
        if (address_same(&c->peer->address, a))
            return c->peer->clients;
    }
    return 0;
}

/* The oldest client without a view, else the oldest. The list has the newest first. */
static struct client *oldest_client(const struct server *s, const struct peer *peer)
{
    struct client *idle = NULL;
    struct client *oldest = NULL;
    for (struct client *c = s->clients; c; c = c->next) {
        if (c->peer != peer)
            continue;
        oldest = c;
        if (!feed_has_view(&c->feed))
            idle = c;
    }
    return idle ? idle : oldest;
}

/*
 * Sends a close frame. libwebsockets calls remove_client at once, and closes the socket after the
 * client's own close frame, or 5 s. (To return -1 from a write callback would close it without
 * one.)
 */
static void displace(struct client *c)
{
    static unsigned char why[] = "another address needs the place";
    enum { TRY_AGAIN_LATER = 1013 }; /* in IANA's registry of close codes */
    c->server->counts.displaced_total++;
    lws_close_reason(c->wsi, (enum lws_close_status)TRY_AGAIN_LATER, why, sizeof why - 1);
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

bool server_make_room(struct server *s, const struct address *newcomer)
{
    if (s->counts.clients < s->options.max_clients)
        return true;
    const struct peer *largest = largest_peer(s);
    if (!largest || largest->clients <= s->options.max_clients / 2 ||
        largest->clients <= clients_of(s, newcomer) + 1)
        return false;
    displace(oldest_client(s, largest));
    return true;
}
