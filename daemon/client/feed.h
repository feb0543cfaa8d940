/*
 * feed.h - brings lines to the clients that look at them, each at its own pace. Loop thread only.
 *
 *     line -> one picture a distinct view -> spans -> one encoded frame a span -> clients
 *
 * A span is the fold of the lines from the first that a client has not had to the newest. Clients
 * of one view that keep up share one span, of one line; a client that is slow (has no credit)
 * keeps its own, into which every line is folded until it is ready. So a line is rendered once a
 * view, a frame encoded once a (view, first line, last line), and nothing waits for anybody: what
 * a client costs is bounded by its columns, however long it sleeps.
 *
 * A line of other radio settings than a span's does not fit in: the span begins anew with it.
 */
#ifndef FFTD_DAEMON_CLIENT_FEED_H
#define FFTD_DAEMON_CLIENT_FEED_H

#include "daemon/client/view.h"
#include "daemon/line/line_ring.h"
#include "daemon/wire/frame.h"

/* One client's place. Zeroed: looks at nothing. */
struct feed_client {
    struct feed_client *next; /* in its view's list */
    struct feed_view *view;
    struct feed_backlog *backlog; /* what is ready to send; NULL: nothing new */
    uint32_t view_id;             /* the client's own number of its view */
    uint32_t credit;              /* frames it may be sent */
    bool credited;                /* got its first credit */
};

struct feed {
    struct line_ring *ring;
    struct line *latest; /* held; NULL before the first */
    double line_rate_hz; /* for the headers; set by the owner */
    struct feed_view *views;
    uint32_t view_count, max_views;
    uint64_t frames, merged; /* sent; lines beyond the first in them */
    uint64_t bins_bytes;     /* held by what is being folded */
};

void feed_init(struct feed *f, struct line_ring *ring, uint32_t max_views);
void feed_finish(struct feed *f); /* every client must have left */

/* Takes over the reference to `line`. */
void feed_line(struct feed *f, struct line *line);

/*
 * The client looks at another view from now on (the newest line is ready for it at once), with
 * full credit if it is its first. -EMFILE: too many distinct views, -ENOMEM; it then keeps its old
 * view.
 */
int feed_set_view(struct feed *f, struct feed_client *c, const struct view *view, uint32_t view_id);
void feed_leave(struct feed *f, struct feed_client *c); /* zeroes the client; zeroed is fine */

void feed_credit(struct feed_client *c, uint32_t frames); /* never above WIRE_CREDIT_MAX */
bool feed_ready(const struct feed_client *c);
/*
 * The next frame, held, with the client's view number in it until the next call; takes one credit.
 * NULL: not ready, or no memory (the span stays).
 */
struct frame *feed_next_frame(struct feed *f, struct feed_client *c);

#endif
