/*
 * peers.h - accounts of the addresses that clients come from, for limits by address. Loop thread.
 *
 * All memory is allocated at the start. An account without references stays while its address must
 * wait before it may try another token; when the table is full, the oldest of these is reused.
 */
#ifndef FFTD_DAEMON_ACCESS_PEERS_H
#define FFTD_DAEMON_ACCESS_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/access/address.h"

enum {
    PEER_ATTEMPTS = 5,    /* wrong tokens that an address may send at once */
    PEER_ATTEMPT_S = 5,   /* then one in this time */
    PEERS_WAITING = 1024, /* accounts in addition to those in use */
};

struct peer {
    struct peer *next; /* in its chain */
    struct address address;
    uint32_t refs;
    uint32_t requesting;       /* connections that are no websockets */
    uint32_t clients;          /* websockets */
    uint32_t carried;          /* websockets of the socket's own address */
    uint32_t own_measurements; /* of these */
    uint32_t downloads;        /* of recordings */
    uint64_t bytes;            /* of answers that it has not read yet */
    double attempts;           /* wrong tokens that it may send now */
    uint64_t refilled_ns;      /* time of `attempts` */
};

struct peers {
    struct peer *all;  /* [capacity] */
    struct peer *free; /* a list */
    struct peer **chain;
    uint32_t capacity, chains;
};

int peers_init(struct peers *p, uint32_t held_max); /* 0 or -ENOMEM */
void peers_finish(struct peers *p);                 /* zeroed is fine */

/* The account of an address. At most held_max may be held. */
struct peer *peer_ref(struct peers *p, const struct address *a, uint64_t now_ns);
void peer_unref(struct peers *p, struct peer *peer, uint64_t now_ns);

/*
 * True if a user of `own` of the `all` things in use may have one more of at most `max`: half of
 * what the others leave, and one in any case. So the next address finds some, too.
 */
bool share_allows(uint32_t max, uint32_t all, uint32_t own);
/* The same of an address that is a proxy's where `forwarded`: what it may have is shared in the
 * same way among its visitors, of which this one uses `visitor`. */
bool share_allows_visitor(uint32_t max, uint32_t all, uint32_t own, bool forwarded,
                          uint32_t visitor);
/* Milliseconds until the address may try a token; 0: now. */
uint32_t peer_wait_ms(struct peer *peer, uint64_t now_ns);
/* forwarded: the account of an address that a proxy names. It gets half of the attempts, so that
 * one visitor alone does not use up the proxy's. */
void peer_count_wrong_token(struct peer *peer, bool forwarded, uint64_t now_ns);

#endif
