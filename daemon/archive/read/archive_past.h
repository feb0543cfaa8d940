/*
 * archive_past.h - the past of the waterfall: rows of the history in memory, and before them those
 * of the archive. Any thread; blocks on the disk.
 *
 * Every run of fftd counts its lines from 0. So that archived rows have numbers too, and all of
 * them are before line 0, theirs are the microseconds from their time to the year 2100, negative:
 * first_line is the start of the row and line its end. Numbers are 64 bits in two's complement.
 *
 * Archived rows are longer the older they are: those of the coarsest tier that has 300 rows between
 * them and the newest row of the archive.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_PAST_H
#define FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_PAST_H

#include "daemon/line/history/history.h"

struct past_source {
    struct history *history;
    const char *folder; /* of the archive; NULL: none */
};

/* As history_read. An archive that cannot be read is logged, and ends the rows. */
int archive_past_read(const struct past_source *past, const struct history_query *query,
                      struct history_result *out);

#endif
