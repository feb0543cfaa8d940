/*
 * link.h - keeps a connection to a NATS broker, on a thread of its own: connects, lets its user
 * serve the connection, logs why it ended, waits, and connects again.
 *
 * link_retry.h says what is logged and how long it waits, link_broker.h what may block. A user is
 * one file with a table of hooks, which the link's thread calls.
 */
#ifndef FFTD_DAEMON_NATS_LINK_H
#define FFTD_DAEMON_NATS_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "daemon/nats/link_broker.h"
#include "daemon/nats/link_retry.h"

struct reason;

/* Functions that are optional may be NULL. */
struct link_ops {
    /* (optional) Before each try to connect. */
    void (*prepare)(void *user);
    /* The broker accepted the connection. False: it is of no use, and `why` says so. */
    bool (*opened)(void *user);
    /*
     * Again and again until the connection ends: sends, and reads by link_read, for about
     * LINK_POLL_MS. False: it has ended.
     */
    bool (*step)(void *user);
    /* (optional) After opened has returned true: the connection has ended. */
    void (*closed)(void *user);
    /* A frame but LINK_FRAME_REFUSED, in link_read. Valid until the function returns. */
    void (*take)(void *user, const struct link_frame *frame);
    /* (optional) Messages that had no room in the process, in link_read. */
    void (*dropped)(void *user, uint64_t count);
    /* (optional) True: the connection is of use without what the broker refuses in this text. */
    bool (*bears)(void *user, const char *text);
    /*
     * (optional) Why the connection has ended or is of no use, but for a refusal: `broker`, which
     * is link_broker_why, or another reason. NULL: another thread logs it.
     */
    const char *(*why)(void *user, const char *broker);
    /* (optional) After link_end: nothing is left to send. Without it, nothing ever is. */
    bool (*is_done)(void *user);
};

struct link_config {
    const char *thread;               /* its name */
    const char *who, *then;           /* of lines in the log: link_retry.h */
    struct link_broker_config broker; /* as there; the texts outlive the link */
    const struct link_ops *ops;
    void *user;
};

/* Zeroed at first. */
struct link {
    struct link_config config;
    struct link_broker *broker; /* any thread may publish: link_broker_publish */
    uv_thread_t thread;
    bool running;
    atomic_bool ends;

    /* used by the thread only */
    bool refused;
    char refusal[LINK_REASON];
    struct link_retry retry;
};

/*
 * Reads the files of the options at once; the broker may come later. -errno with one line in *why;
 * link_finish follows in either case.
 */
int link_start(struct link *l, const struct link_config *config, struct reason *why);
/* The thread ends, after what is_done waits for. Does not wait. */
void link_end(struct link *l);
/* The same, and joins the thread: no hook is called any more. Also of a link that never started. */
void link_stop(struct link *l);
void link_finish(struct link *l);

/* ---- the link's thread: hooks call these ---- */

/*
 * Waits up to timeout_ms for a frame, and passes it on with those that wait behind it, up to some
 * hundreds. False: the connection is over, or the broker refused what the link needs.
 */
bool link_read(struct link *l, int timeout_ms);
/* True: the thread is to end. */
bool link_is_over(const struct link *l);

#endif
