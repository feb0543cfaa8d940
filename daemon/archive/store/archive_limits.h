/*
 * archive_limits.h - deletes what an archive has too much of, and says so in the log. The thread of
 * its store.
 */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_LIMITS_H
#define FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_LIMITS_H

#include "daemon/archive/store/archive_store.h"

enum archive_reason { ARCHIVE_OLD, ARCHIVE_MANY, ARCHIVE_REASONS };

/* What was deleted and is not logged yet. Zeroed: nothing. */
struct archive_limits {
    struct archive_deleted {
        uint64_t count, log_at_ns; /* segments; steady: not before */
        char name[ARCHIVE_NAME];   /* of the first */
        int64_t first_ns, last_ns; /* of all their rows */
    } deleted[ARCHIVE_REASONS];
};

/*
 * Deletes segments whose rows are older than their tier allows, by archive_age.h and now_ns of the
 * age clock; then the oldest until the rest has at most max_bytes (0: no limit). Segments being
 * written stay. The first segment that is deleted for a reason is logged at once; after that, one
 * line an hour says how many were.
 */
void archive_limits_apply(struct archive_limits *l, struct archive_store *s,
                          const struct archive_tiers *tiers, uint64_t max_bytes, int64_t now_ns);
void archive_limits_finish(struct archive_limits *l, const char *folder); /* logs the rest */

#endif
