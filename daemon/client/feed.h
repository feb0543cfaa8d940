/*
 * feed.h - sends lines to clients through their views, each client at its own rate. Loop thread
 * only.
 *
 *     line -> one picture for each distinct view -> backlogs -> one encoded frame each -> clients
 *
 * A backlog is the fold of the lines that a client has not received yet, from the first of them to
 * the newest. Clients of one view that keep up share one backlog of one line. A slow client (no
 * credit) has its own, into which every new line is folded until the client has credit again.
 * So a line is rendered once for each view, and a frame is encoded once for each (view, first line,
 * last line). A range-coded frame refers to the base of its view (coded_frame.h); clients that do
 * not have it yet get the frame with the base. Nothing waits for a client. The memory of a client
 * is bounded by its columns, however slow it is.
 *
 * A client has up to FEED_SLOTS views, one in each slot, which share its credit: feed_client.c. The
 * frames of all its slots are taken together, from the same newest line: a round.
 *
 * A line whose radio settings differ from the backlog's cannot be folded in: the backlog restarts
 * with that line.
 */
#ifndef FFTD_DAEMON_CLIENT_FEED_H
#define FFTD_DAEMON_CLIENT_FEED_H

#include "daemon/client/readout.h"
#include "daemon/client/view.h"
#include "daemon/line/line_ring.h"
#include "daemon/wire/ws_message.h"

enum { FEED_SLOTS = 7 };

/* One view of a client. Zeroed: none. */
struct feed_slot {
    struct feed_slot *next; /* in its view's list */
    struct feed_view *view;
    struct view_trace *trace;     /* its own; NULL: clear/write */
    struct feed_backlog *backlog; /* to be sent; NULL: nothing new */
    uint32_t view_id;             /* the client's own number of its view */
    uint32_t base;                /* of its view, the number that it was sent; 0: none */
};

/* One client. Zeroed: it has no views. */
struct feed_client {
    struct feed_slot slot[FEED_SLOTS];
    struct ws_message *round[FEED_SLOTS]; /* a reference; still to be sent, the last slot first */
    uint32_t credit;                      /* rounds that it may be sent */
    bool credited;                        /* it got its first credit */
};

struct feed {
    struct line_ring *ring;
    struct line *latest; /* a reference; NULL before the first */
    double line_rate_hz; /* for the headers; set by the owner */
    struct feed_view *views;
    uint32_t view_count, max_views;
    uint64_t frames, merged; /* frames sent; lines in them beyond the first of each */
    uint64_t bins_bytes;     /* held by the bins of all backlogs */
    struct view_traces traces;
};

void feed_init(struct feed *f, struct line_ring *ring, uint32_t max_views);
void feed_finish(struct feed *f); /* every client must have left */

/* Takes over the reference to `line`. */
void feed_line(struct feed *f, struct line *line);

/*
 * Gives the slot a view, or another one. The newest line is ready for it at once. -EMFILE: too many
 * distinct views, -ENOMEM; the slot then keeps its old view. A trace begins when a slot first asks
 * for this detector, function and count, or with `restart`; it goes on while only edges and columns
 * change. -ENOBUFS: the traces of all clients would take more than VIEW_TRACES_BUDGET.
 */
int feed_slot_set(struct feed *f, struct feed_slot *s, const struct view *view, uint32_t view_id,
                  bool restart);
/* What all views are made of: FFT_DETECTOR_ bits in *detectors. Returns true if one is a
 * percentile. */
bool feed_wants_density(const struct feed *f, unsigned *detectors);
void feed_slot_leave(struct feed *f, struct feed_slot *s); /* zeroes the slot; zeroed is fine */
unsigned feed_slot_detector(const struct feed_slot *s);    /* of its view, which there is */
/* What the slot has not been sent yet, as a frame, as a reference. NULL: nothing, or no memory (it
 * stays). */
struct ws_message *feed_slot_take(struct feed *f, struct feed_slot *s);

/* ---- feed_client.c ---------------------------------------------------------------------- */

/* As feed_slot_set. With its first view a client gets full credit. slot: below FEED_SLOTS. */
int feed_set_view(struct feed *f, struct feed_client *c, unsigned slot, const struct view *view,
                  uint32_t view_id, bool restart);
void feed_remove_view(struct feed *f, struct feed_client *c, unsigned slot); /* none is fine */
void feed_leave(struct feed *f, struct feed_client *c); /* zeroes the client; zeroed is fine */
bool feed_has_view(const struct feed_client *c);

void feed_credit(struct feed_client *c, uint32_t rounds); /* never above WIRE_CREDIT_MAX */
bool feed_ready(const struct feed_client *c);
/*
 * What the next frame of the client's first slot shows, of several lines the newest. False: it has
 * no view there, or no line.
 */
bool feed_shown(const struct feed *f, const struct feed_client *c, struct readout_line *out);
/*
 * Returns the next frame, as a reference. The last one of a round takes one credit. A new round
 * begins with credit, and has a frame for each slot with new lines. The frame has the client's view
 * number and slot until the next call. NULL: not ready, or no memory (the backlogs stay).
 */
struct ws_message *feed_next_frame(struct feed *f, struct feed_client *c);

#endif
