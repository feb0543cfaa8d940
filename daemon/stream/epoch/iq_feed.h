/*
 * iq_feed.h - copies samples of the IQ ring from a position on, with the marks between them. One
 * thread at a time.
 *
 * In real time the writer may overwrite samples before they are copied. The feed reports them as
 * missing and continues after them.
 */
#ifndef FFTD_DAEMON_STREAM_EPOCH_IQ_FEED_H
#define FFTD_DAEMON_STREAM_EPOCH_IQ_FEED_H

#include "daemon/stream/epoch/epoch.h"

struct iq_feed {
    struct iq_ring *ring;
    uint32_t sample_bytes;
    struct iq_reader reader;
    uint64_t position; /* of the next sample */
    uint64_t mark_number;
    struct iq_mark mark; /* of the next sample */
    bool fresh;          /* the mark is new: set by the feed, cleared by its user */
    bool anew;           /* the same: samples are missing before, or it is the first one */
};

/*
 * Joins at a position, or at the next one of which the ring still has samples and marks. holds: the
 * writer waits for the feed. The epoch outlives it.
 */
void iq_feed_join(struct iq_feed *f, const struct epoch *e, uint64_t position, bool holds);
void iq_feed_leave(struct iq_feed *f);
/* Goes to `position`, or farther if the samples from there on are gone. */
void iq_feed_skip(struct iq_feed *f, uint64_t position);
/*
 * Copies samples from f->position to `end`, or to the next mark: at most `most`, which fit into
 * `buffer`. The last ones of the copy are good: returns how many, *good points to them, and *first
 * is the position of the first. 0: all are gone. The mark is that of *first.
 */
uint64_t iq_feed_read(struct iq_feed *f, uint64_t end, void *buffer, uint64_t most, void **good,
                      uint64_t *first);

#endif
