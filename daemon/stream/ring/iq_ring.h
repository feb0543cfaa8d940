/*
 * iq_ring.h - the IQ ring: raw samples from the source thread to the dsp thread, with history.
 *
 * One memfd is mapped twice, back to back, so any raw span up to the capacity is contiguous.
 *
 *     first mapping               second mapping (the same bytes)
 *     |....oldest######head......|....oldest######head......|
 *
 * Positions count samples in 64 bits from the start of the ring and never wrap. There is one
 * writer. A reader that holds protects all samples at and after its position from the writer. A
 * reader that does not hold may be overtaken: the ring moves it forward and counts the samples in
 * `overtaken`.
 *
 * In real time the writer never waits. Without room it gets a scratch block, and samples written
 * there count as LOSS_OVERRUN. A lossless ring (replay) makes the writer wait instead.
 *
 * A short queue of marks accompanies the samples. iq_mark.h has them.
 *
 * Any thread, except that only one thread at a time may call the writer's functions.
 */
#ifndef FFTD_DAEMON_STREAM_RING_IQ_RING_H
#define FFTD_DAEMON_STREAM_RING_IQ_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/stream/ring/iq_mark.h"

struct reason;

struct iq_reader {
    struct iq_reader *next;
    uint64_t position; /* of its next sample */
    uint64_t overtaken;
    bool holds;
};

struct iq_ring_config {
    uint64_t bytes;        /* rounded up to whole pages */
    uint32_t sample_bytes; /* 2, 4 or 8 */
    uint32_t block;        /* samples in one write, at most; the scratch block's size */
    bool lossless;         /* the writer waits for readers that hold */
    /*
     * (optional) The ring is filled with these samples, and the writer writes none: sample p is
     * cycle[p % cycle_samples] in every round, because the capacity is a multiple of cycle_samples.
     * `bytes` must be one, too. Samples that find no room do not move the head, so the next one
     * that does continues the cycle.
     */
    const void *cycle;
    uint32_t cycle_samples;
};

struct iq_ring;

/* -ENOMEM, or the errno of the call that failed, which `why` names. */
int iq_ring_create(struct iq_ring **out, const struct iq_ring_config *config, struct reason *why);
void iq_ring_destroy(struct iq_ring *r);            /* NULL is fine */
uint64_t iq_ring_capacity(const struct iq_ring *r); /* samples */

/* ---- writer ---- */

/*
 * Returns room for config.block samples. NULL: a lossless ring had no room within timeout_ms. After
 * each successful begin, call end once with the number of samples written (0 is fine).
 */
void *iq_ring_write_begin(struct iq_ring *r, int timeout_ms);
void iq_ring_write_end(struct iq_ring *r, uint32_t samples);
/* Adds a mark before the next sample. Between begin and end: before the first of this block. */
void iq_ring_mark(struct iq_ring *r, const struct iq_mark *mark);
/* Whether the writer waits for room from now on. For the writer's thread. */
void iq_ring_set_lossless(struct iq_ring *r, bool lossless);
/* Ends the stream: later writes are dropped. Any thread. */
void iq_ring_close(struct iq_ring *r);

/* ---- readers ---- */

void iq_reader_join(struct iq_reader *reader, struct iq_ring *r, bool holds);
/* Joins at a sample in the past. False: it is gone, or not written yet; then it has not joined. */
bool iq_reader_join_at(struct iq_reader *reader, struct iq_ring *r, uint64_t position, bool holds);
void iq_reader_leave(struct iq_reader *reader, struct iq_ring *r);
/* True if the writer has no room because of this reader: the others hold an eighth at most. */
bool iq_reader_stalls(const struct iq_reader *reader, struct iq_ring *r);
/* Frees the samples before position (a reader that holds), or skips them. */
void iq_reader_advance(struct iq_reader *reader, struct iq_ring *r, uint64_t position);

struct iq_ring_state {
    uint64_t head;       /* samples written: positions below are readable */
    bool closed;         /* head is final */
    bool has_mark;       /* a mark is queued; the position of the oldest ends the segment */
    bool mark_continues; /* or does not, because of its flag */
    uint64_t mark_position;
};

/* Waits up to timeout_ms until head >= position, a mark is queued, or the ring is closed. */
void iq_ring_wait(struct iq_ring *r, uint64_t position, int timeout_ms, struct iq_ring_state *out);
bool iq_ring_pop_mark(struct iq_ring *r, struct iq_mark *out); /* the dsp thread only */
/* The sample at a position that the reader holds; contiguous for up to the capacity. */
const void *iq_ring_at(const struct iq_ring *r, uint64_t position);
/* The same, for the dsp thread, which clears invalid samples before any other reader gets them. */
void *iq_ring_edit(struct iq_ring *r, uint64_t position);

/* ---- readers that follow another one ---- */

/*
 * Joins at a sample, or at the oldest that is still there, or at the newest if it is not written
 * yet. Returns the reader's position.
 */
uint64_t iq_reader_join_near(struct iq_reader *reader, struct iq_ring *r, uint64_t position,
                             bool holds);
/*
 * As iq_reader_advance. Returns how many samples from the reader's last position on were
 * overwritten since the last call.
 */
uint64_t iq_reader_take(struct iq_reader *reader, struct iq_ring *r, uint64_t position);
/*
 * Waits up to timeout_ms until `ahead` has reached the position, or left a closed ring. Returns its
 * position, or the head after it left. *final: nothing follows.
 */
uint64_t iq_ring_follow(struct iq_ring *r, const struct iq_reader *ahead, uint64_t position,
                        int timeout_ms, bool *final);
/* The newest marks, also popped ones: see mark_log.h. */
uint64_t iq_ring_find_mark(struct iq_ring *r, uint64_t position, struct iq_mark *before,
                           uint64_t *since);
bool iq_ring_read_mark(struct iq_ring *r, uint64_t *number, struct iq_mark *out);

/* Totals so far. Losses that are not in a mark yet are included. */
struct iq_ring_totals {
    uint64_t written, lost[LOSS_CAUSES], events[LOSS_CAUSES];
    double fill; /* part of the capacity that readers hold, 0 .. 1 */
};
void iq_ring_totals(struct iq_ring *r, struct iq_ring_totals *out);

#endif
