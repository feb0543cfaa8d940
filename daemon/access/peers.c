/* peers.c - keeps the accounts of addresses in a hash table of fixed size. */
#include "daemon/access/peers.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int peers_init(struct peers *p, uint32_t held_max)
{
    const uint32_t capacity = held_max + PEERS_WAITING;
    *p = (struct peers){.capacity = capacity,
                        .chains = capacity,
                        .all = calloc(capacity, sizeof *p->all),
                        .chain = calloc(capacity, sizeof(struct peer *))};
    if (!p->all || !p->chain) {
        peers_finish(p);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < capacity; i++) {
        p->all[i].next = p->free;
        p->free = &p->all[i];
    }
    return 0;
}

void peers_finish(struct peers *p)
{
    free(p->all);
    free(p->chain);
    *p = (struct peers){0};
}

/* FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
static struct peer **chain_of(const struct peers *p, const struct address *a)
{
    uint64_t hash = 0xcbf29ce484222325U ^ a->bits;
    for (size_t i = 0; i < sizeof a->bytes; i++)
        hash = (hash ^ a->bytes[i]) * 0x100000001b3U;
    return &p->chain[hash % p->chains];
}

static void refill(struct peer *peer, uint64_t now_ns)
{
    const double gained = (double)(now_ns - peer->refilled_ns) * 1e-9 / PEER_ATTEMPT_S;
    peer->attempts = fmin(PEER_ATTEMPTS, peer->attempts + gained);
    peer->refilled_ns = now_ns;
}

static void release(struct peers *p, struct peer *peer)
{
    struct peer **at = chain_of(p, &peer->address);
    while (*at != peer)
        at = &(*at)->next;
    *at = peer->next;
    *peer = (struct peer){.next = p->free};
    p->free = peer;
}

/* Releases the account that was used least recently and that nobody holds. */
static void release_oldest(struct peers *p)
{
    struct peer *oldest = NULL;
    for (uint32_t i = 0; i < p->capacity; i++) {
        struct peer *peer = &p->all[i];
        if (peer->refs == 0 && (!oldest || peer->refilled_ns < oldest->refilled_ns))
            oldest = peer;
    }
    if (oldest)
        release(p, oldest);
}

static struct peer *add(struct peers *p, const struct address *a, uint64_t now_ns)
{
    if (!p->free)
        release_oldest(p);
    struct peer *peer = p->free;
    struct peer **chain = chain_of(p, a);
    assert(peer && "held_max is too small");
    p->free = peer->next;
    *peer = (struct peer){
        .next = *chain, .address = *a, .attempts = PEER_ATTEMPTS, .refilled_ns = now_ns};
    *chain = peer;
    return peer;
}

struct peer *peer_ref(struct peers *p, const struct address *a, uint64_t now_ns)
{
    struct peer *peer = *chain_of(p, a);
    while (peer && !address_same(&peer->address, a))
        peer = peer->next;
    if (!peer)
        peer = add(p, a, now_ns);
    peer->refs++;
    return peer;
}

void peer_unref(struct peers *p, struct peer *peer, uint64_t now_ns)
{
    if (--peer->refs > 0)
        return;
    refill(peer, now_ns);
    if (peer->attempts >= PEER_ATTEMPTS)
        release(p, peer);
}

uint32_t peer_wait_ms(struct peer *peer, uint64_t now_ns)
{
    refill(peer, now_ns);
    return peer->attempts >= 1 ? 0 : (uint32_t)ceil((1 - peer->attempts) * PEER_ATTEMPT_S * 1000);
}

void peer_count_wrong_token(struct peer *peer, bool forwarded, uint64_t now_ns)
{
    refill(peer, now_ns);
    peer->attempts -= forwarded ? 2 : 1;
}

bool share_allows(uint32_t max, uint32_t all, uint32_t own)
{
    const uint32_t others = all > own ? all - own : 0;
    const uint32_t left = max > others ? max - others : 0;
    return all < max && own < (left / 2 > 1 ? left / 2 : 1);
}

bool share_allows_visitor(uint32_t max, uint32_t all, uint32_t own, bool forwarded,
                          uint32_t visitor)
{
    return share_allows(max, all, own) && (!forwarded || share_allows(max / 2, own, visitor));
}
