/*
 * link_retry.h - how a connection to the broker behaves after a failure: it logs it, and waits. One
 * thread for each.
 *
 * A broker decides how often a connection ends. So the lines of one that does not hold for
 * LINK_HOLDS_MS are bounded: the first ones are written, then one a minute with a count; and each
 * try waits longer than the one before.
 */
#ifndef FFTD_DAEMON_NATS_LINK_RETRY_H
#define FFTD_DAEMON_NATS_LINK_RETRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LINK_POLL_MS = 50, LINK_REASON = 200, LINK_HOLDS_MS = 10000 };

struct link_retry {
    const char *who; /* whose log line it is: "hub" */
    const char *url;
    const char *then;         /* what comes next: "fftd tries again" */
    char logged[LINK_REASON]; /* the last failure; empty: none since it was connected */
    uint64_t connected_ns;    /* 0: it is not */
    bool logged_up;           /* a line said that it is, or none needs to */
    uint64_t logged_ns;       /* the last line */
    unsigned lines;           /* since a connection held */
    unsigned ended;           /* connections in a row that did not hold */
    uint64_t unlogged;        /* of these and of other failures, since the last line */
};

/* The broker accepts a connection, which may not work yet. */
void link_retry_opened(struct link_retry *r);
/* It works: the next failure is logged, whatever it is. True: log that it is connected. */
bool link_retry_connected(struct link_retry *r);
/* Often, while it is connected: logs that a connection holds, where no line said that it is. */
void link_retry_holds(struct link_retry *r);
/*
 * Logs the failure, or the end of the connection, unless it is the last one again. NULL: another
 * thread logs it.
 */
void link_retry_report(struct link_retry *r, const char *why);
/*
 * Before the next try: 250 ms, and more after connections that did not hold, up to 5 s. seldom:
 * 5 s, because a broker's refusal lasts for a while, and a crash tends to repeat.
 */
unsigned link_retry_delay_ms(const struct link_retry *r, bool seldom);
/* Waits as long. Ends early if *stop. */
void link_retry_wait(const struct link_retry *r, bool seldom, const atomic_bool *stop);

#endif
