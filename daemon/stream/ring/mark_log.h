/*
 * mark_log.h - the newest marks of a ring, for readers besides the dsp thread, which takes marks
 * from the queue. Plain state under the ring's lock.
 *
 * An entry has everything that is known at its position: its own mark, and for what that leaves out
 * the entry before. `lost` and `events` are totals since the start of the ring. Its time is that of
 * the recording, where an anchor has one.
 */
#ifndef FFTD_DAEMON_STREAM_RING_MARK_LOG_H
#define FFTD_DAEMON_STREAM_RING_MARK_LOG_H

#include "daemon/stream/ring/iq_mark.h"

enum { MARK_LOG = 512 };

struct mark_log {
    uint64_t end; /* number of the next entry; the oldest is MARK_LOG before it, or 0 */
    struct iq_mark entry[MARK_LOG];
};

void mark_log_add(struct mark_log *l, const struct iq_mark *mark);
/*
 * Returns the number of the first entry after `position`, and in *before the one before it, or
 * zeros. *since: the lowest position for which this is known; below, entries were dropped.
 */
uint64_t mark_log_find(const struct mark_log *l, uint64_t position, struct iq_mark *before,
                       uint64_t *since);
/* Copies entry *number, or the oldest if that was dropped. False: it is not there yet. */
bool mark_log_read(const struct mark_log *l, uint64_t *number, struct iq_mark *out);

#endif
