/* archive_find.h - finds and reads the blocks of a tier in order of time. Any thread with its own
 * index. */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_FIND_H
#define FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_FIND_H

#include <sqlite3.h>

#include "daemon/archive/archive_options.h"
#include "daemon/archive/store/block.h"

/* A time; of the row that was written last, if it is relative: 0 or less. */
struct archive_time {
    int64_t ns;
    bool relative;
};

/*
 * The times in [*from_ns, *to_ns) that have rows in any of these tiers. -ENODATA: none; -EIO. They
 * end with the row that was written last: later ones are from a clock that was ahead, and are found
 * by a `to` that is neither INT64_MAX nor relative. Rows that are more than ten years older than it
 * are those of a clock without a battery, and are found by a `from` that is neither INT64_MIN nor
 * relative.
 */
struct archive_interval {
    int64_t from_ns, to_ns;
};
int archive_find_interval(sqlite3 *db, const uint64_t *period_ns, int tiers,
                          struct archive_time from, struct archive_time to,
                          struct archive_interval *out);
/*
 * The block of a tier that was written last, which gives the time even if there are rows of the
 * future. *end_ns: of its last row, INT64_MIN: none; *start_ns: of its first row; *segment: where
 * it is. 0 or -EIO.
 */
struct archive_last {
    int64_t start_ns, end_ns, segment;
};
int archive_find_last(sqlite3 *db, uint64_t period_ns, struct archive_last *out);
/* The end of the row that was written last, of all tiers; INT64_MIN: none. 0 or -EIO. */
int archive_find_newest(sqlite3 *db, int64_t *end_ns);
/* The end of the newest row of a tier in this time; INT64_MIN: it has none. 0 or -EIO. */
int archive_find_end(sqlite3 *db, uint64_t period_ns, const struct archive_interval *interval,
                     int64_t *end_ns);
/* The same for the start of the oldest row; INT64_MAX: it has none. */
int archive_find_start(sqlite3 *db, uint64_t period_ns, const struct archive_interval *interval,
                       int64_t *start_ns);
/* The periods of all tiers that have blocks, ascending. Their number, or -EIO. */
int archive_find_periods(sqlite3 *db, uint64_t period_ns[ARCHIVE_TIERS]);
/*
 * Both at once, of all tiers. The number of tiers; -ENODATA: none has rows of this time; -EIO.
 */
int archive_find_tiers(sqlite3 *db, struct archive_time from, struct archive_time to,
                       uint64_t period_ns[ARCHIVE_TIERS], struct archive_interval *interval);
/* A segment of a tier, and the time of its rows. */
struct archive_segment {
    int64_t id, first_ns, last_ns;
};
/*
 * The segments with rows in [from_ns, to_ns), by first_ns and then by id; free with free(). Their
 * number, -ENOMEM or -EIO.
 */
int archive_find_segments(sqlite3 *db, uint64_t period_ns, int64_t from_ns, int64_t to_ns,
                          struct archive_segment **out);
/* Which blocks of a tier. */
struct archive_blocks {
    sqlite3 *db;
    const char *folder;
    uint64_t period_ns;
    int64_t segment;        /* 0: all segments */
    int64_t after_segment;  /* segments that begin after it; 0: all */
    int64_t from_ns, to_ns; /* segments with rows in [from_ns, to_ns) */
    int64_t after_ns;       /* and that begin after this; INT64_MIN: all */
    bool newest;            /* the newest of them alone */
};
/*
 * Calls `take` with each block in order of time, until it returns something else than 0, which is
 * the result. A damaged or deleted block is left out. -ENOMEM, -EIO.
 */
int archive_find_blocks(const struct archive_blocks *which,
                        int (*take)(void *user, struct block_reader *r), void *user);

#endif
