/* client_eviction.c - chooses the client that a newcomer evicts (client_eviction.h). */
#include "daemon/live/client_eviction.h"

#include "daemon/access/peers.h"
#include "daemon/http/http_server.h"
#include "daemon/live/client.h"

static const struct peer *largest_visitor(const struct clients *all, const struct peer *own)
{
    const struct peer *largest = NULL;
    for (const struct client *c = all->first; c; c = c->next) {
        if ((!own || c->own == own) && (!largest || c->peer->clients >= largest->clients))
            largest = c->peer;
    }
    return largest;
}

static const struct peer *largest_carrier(const struct clients *all)
{
    const struct peer *largest = NULL;
    for (const struct client *c = all->first; c; c = c->next) {
        if (!largest || c->own->carried > largest->carried)
            largest = c->own;
    }
    return largest;
}

static uint32_t clients_of(const struct clients *all, const struct address *a)
{
    for (const struct client *c = all->first; c; c = c->next) {
        if (address_same(&c->peer->address, a))
            return c->peer->clients;
    }
    return 0;
}

/* own: of this socket's address alone; NULL: of any. The oldest idle client, else the oldest. The
 * list has the newest first. */
static struct client *oldest_client(const struct clients *all, const struct peer *own,
                                    const struct peer *visitor)
{
    struct client *idle = NULL;
    struct client *oldest = NULL;
    for (struct client *c = all->first; c; c = c->next) {
        if (c->peer != visitor || (own && c->own != own))
            continue;
        oldest = c;
        if (!all->role->is_idle || all->role->is_idle(c))
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
    c->all->displaced_total++;
    lws_close_reason(c->wsi, (enum lws_close_status)TRY_AGAIN_LATER, why, sizeof why - 1);
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

/* More than half of all places, and more than the other has with one more. */
static bool has_too_many(const struct clients *all, uint32_t clients, uint32_t of_newcomer)
{
    return clients > all->http->options.max_clients / 2 && clients > of_newcomer + 1;
}

/*
 * The address of the socket comes first: a local client may write any X-Forwarded-For, so that each
 * of its websockets seems to be of another visitor.
 */
bool client_evict(struct clients *all, const struct peer *own, const struct address *visitor)
{
    if (all->count < all->http->options.max_clients)
        return true;
    const struct peer *carrier = largest_carrier(all);
    if (carrier && carrier != own && has_too_many(all, carrier->carried, own->carried)) {
        displace(oldest_client(all, carrier, largest_visitor(all, carrier)));
        return true;
    }
    const struct peer *largest = largest_visitor(all, NULL);
    if (!largest || !has_too_many(all, largest->clients, clients_of(all, visitor)))
        return false;
    displace(oldest_client(all, NULL, largest));
    return true;
}
