/*
 * archive_age.h - how old the segments of an archive are. Pure.
 *
 * Ages count back from the newest row of a tier, in the order in which rows were written. What lies
 * between two segments counts if it is at most AGE_CLOCK_GAP_NS; if it is longer, or if time goes
 * back, only the duration of the later segment does: one of the two was written while the clock of
 * the computer was wrong. No age is larger than the time from the segment's newest row to `now`
 * (age_clock.h), unless that row is in the future.
 */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_AGE_H
#define FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_AGE_H

#include <stddef.h>
#include <stdint.h>

struct archive_aged {
    int64_t id; /* rises in the order of writing */
    uint64_t period_ns, bytes;
    int64_t first_ns, last_ns; /* start of its first row, end of its last one, as they claim */
    uint64_t age_ns;           /* the result: of its newest row */
};

/* Sorts by age: oldest first. */
void archive_age_sort(struct archive_aged *list, size_t count, int64_t now_ns);

#endif
