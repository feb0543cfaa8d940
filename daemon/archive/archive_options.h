/* archive_options.h - location and limits of the spectrum archive. Plain values. */
#ifndef FFTD_DAEMON_ARCHIVE_ARCHIVE_OPTIONS_H
#define FFTD_DAEMON_ARCHIVE_ARCHIVE_OPTIONS_H

#include <stdint.h>

#include "daemon/option/option.h"

enum { ARCHIVE_TIERS = 12 };

struct archive_options {
    const char *folder; /* NULL: there is no archive */
    const char *tiers;  /* "10/s:1h,1/s:1y" */
    uint32_t columns;   /* of a row, at most */
    double step_db;     /* of the mean; block.h has that of the others */
    uint64_t max_bytes; /* of all files: the oldest are deleted; 0: no limit */
    uint64_t min_free;  /* bytes of the disk that the archive leaves free */
};

extern const struct config_option archive_options[];

/* Rows of equal duration, and how long they are kept. */
struct archive_tier {
    uint64_t period_ns, age_ns;
};

struct archive_tiers {
    unsigned count;
    struct archive_tier tier[ARCHIVE_TIERS];
};

/*
 * "10/s:1h,1/s:1y", or with durations, "100ms:1h,1s:1y": from the finest tier to the coarsest.
 * Coarser ones follow by themselves, each of ten times the duration, up to a day, and as old as the
 * last one: so a view of a year reads few rows. -EINVAL: the text has another form, or tiers are
 * not in this order. Pure.
 */
int archive_tiers_parse(const char *text, struct archive_tiers *out);

#endif
