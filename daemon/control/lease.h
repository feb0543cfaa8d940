/*
 * lease.h - which of the clients that may change the radio does: one at a time, for a while.
 *
 * The first one that changes the radio gets the lease, and each of its changes renews it. Until it
 * ends, is released or is taken over, the changes of others are refused. Plain state, loop thread.
 */
#ifndef FFTD_DAEMON_CONTROL_LEASE_H
#define FFTD_DAEMON_CONTROL_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/control/fields.h"

struct reason;

enum { LEASE_ADDRESS = 56 };

/* Who changes the radio. Two requests over HTTP from one address are the same one. */
struct lease_user {
    const void *client;          /* a websocket's; NULL: over HTTP */
    char address[LEASE_ADDRESS]; /* that it comes from, for people */
    char name[CLIENT_NAME];      /* for people; "": not given */
};

struct lease {
    double period_s;        /* 0: there are no leases, and everybody may change the radio */
    uint64_t until_ns;      /* 0: nobody has it */
    struct lease_user user; /* who has it */
};

/* Seconds that are left; 0: nobody has it. */
double lease_seconds(const struct lease *l, uint64_t now_ns);
bool lease_is_of(const struct lease *l, const struct lease_user *user, uint64_t now_ns);
/*
 * 0: it may change the radio. -EBUSY: another one has the lease, with one line in *why that names
 * it.
 */
int lease_check(const struct lease *l, const struct lease_user *user, uint64_t now_ns,
                struct reason *why);
/* After a change, or to take it over: it has the lease from now on. A new name replaces its old. */
void lease_hold(struct lease *l, const struct lease_user *user, uint64_t now_ns);
void lease_release(struct lease *l);

#endif
