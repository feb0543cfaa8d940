/*
 * iq_ring.h - raw samples from the source thread to the dsp thread, and seconds of their history.
 *
 * One memfd mapped twice, back to back: any span of at most the capacity is contiguous.
 *
 *     first mapping               second mapping (the same bytes)
 *     |....oldest######head......|....oldest######head......|
 *
 * Positions count samples in 64 bits from the ring's beginning and never wrap. One writer. A reader
 * that holds keeps the writer away from everything at and after its position; one that does not
 * hold may be overtaken: it is moved forward and `overtaken` counts the samples.
 *
 * In real time the writer never waits: with no room it is given a scratch block, and what it writes
 * there is counted as LOSS_OVERRUN. A lossless ring (replay) makes the writer wait instead.
 *
 * Beside the samples runs a short queue of marks. A mark lies before the sample at its position:
 * whatever happened (loss, retuning) happened between that sample and the one before.
 *
 * Every function may be called from any thread, but the writer's only by one at a time.
 */
#ifndef FFTD_DAEMON_STREAM_IQ_RING_H
#define FFTD_DAEMON_STREAM_IQ_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/stream/ledger.h"
#include "daemon/stream/tuning.h"

struct iq_mark {
    uint64_t position;      /* set by the ring */
    uint64_t sample_number; /* of the sample at position: position + all samples lost so far */
    uint64_t lost[LOSS_CAUSES], events[LOSS_CAUSES];
    bool tuning_changed;
    struct tuning tuning;
    double gain_db;
    bool has_time;
    int64_t time_ns;      /* time of sample number time_number, */
    uint64_t time_number; /* set by the ring: what is lost behind it may be in the same mark */
};

struct iq_reader {
    struct iq_reader *next;
    uint64_t position; /* the next sample it wants */
    uint64_t overtaken;
    bool holds;
};

struct iq_ring_config {
    uint64_t bytes;        /* rounded up to whole pages */
    uint32_t sample_bytes; /* 2, 4 or 8 */
    uint32_t block;        /* samples in one write, at most; the scratch block's size */
    bool lossless;         /* the writer waits for readers that hold */
};

struct iq_ring;

int iq_ring_create(struct iq_ring **out, const struct iq_ring_config *config);
void iq_ring_destroy(struct iq_ring *r);            /* NULL is fine */
uint64_t iq_ring_capacity(const struct iq_ring *r); /* samples */

/* ---- writer ---- */

/*
 * Where to write up to config.block samples. NULL only in a lossless ring that had no room within
 * timeout_ms. Each begin is followed by one end, with the samples written (0 is fine).
 */
void *iq_ring_write_begin(struct iq_ring *r, int timeout_ms);
void iq_ring_write_end(struct iq_ring *r, uint32_t samples);
/* Something happened before the next sample. Between begin and end: before this block's first. */
void iq_ring_mark(struct iq_ring *r, const struct iq_mark *mark);
/* No sample will follow. Also from other threads: later writes are dropped. */
void iq_ring_close(struct iq_ring *r);

/* ---- readers ---- */

void iq_reader_join(struct iq_reader *reader, struct iq_ring *r, bool holds);
void iq_reader_leave(struct iq_reader *reader, struct iq_ring *r);
/* Frees (holding) or skips (not holding) everything before position. */
void iq_reader_advance(struct iq_reader *reader, struct iq_ring *r, uint64_t position);

struct iq_ring_state {
    uint64_t head; /* samples written: positions below are readable */
    bool closed;   /* head is final */
    bool has_mark; /* the oldest mark not popped: its position limits the segment */
    uint64_t mark_position;
};

/* Waits up to timeout_ms until head >= position, a mark is there, or the ring is closed. */
void iq_ring_wait(struct iq_ring *r, uint64_t position, int timeout_ms, struct iq_ring_state *out);
bool iq_ring_pop_mark(struct iq_ring *r, struct iq_mark *out); /* the dsp thread's */
/* The sample at a position that the reader holds; contiguous for up to the capacity. */
const void *iq_ring_at(const struct iq_ring *r, uint64_t position);

/* Samples written, and lost by cause so far, those not yet in a mark included. */
struct iq_ring_totals {
    uint64_t written, lost[LOSS_CAUSES], events[LOSS_CAUSES];
    double fill; /* part of the capacity that readers hold, 0 .. 1 */
};
void iq_ring_totals(struct iq_ring *r, struct iq_ring_totals *out);

#endif
