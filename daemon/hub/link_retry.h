/*
 * link_retry.h - what a connection to the broker does after a failure: it says so once, and waits.
 * One thread for each.
 */
#ifndef FFTD_DAEMON_HUB_LINK_RETRY_H
#define FFTD_DAEMON_HUB_LINK_RETRY_H

#include <stdatomic.h>
#include <stdbool.h>

enum { LINK_POLL_MS = 50, LINK_REASON = 200 };

struct link_retry {
    const char *who; /* whose log line it is: "hub" */
    const char *url;
    const char *then;         /* what comes next: "fftd tries again" */
    char logged[LINK_REASON]; /* the last failure; empty: there is none since it was connected */
};

/* Logs the failure, unless it is the last one again. */
void link_retry_report(struct link_retry *r, const char *why);
/* It works: the next failure is logged, whatever it is. */
void link_retry_connected(struct link_retry *r);
/*
 * Waits 250 ms. seldom: 5 s, as what the broker forbids stays forbidden for a while, and what
 * crashes does so again. Ends early if *stop.
 */
void link_retry_wait(bool seldom, const atomic_bool *stop);

#endif
