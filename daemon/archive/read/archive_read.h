/*
 * archive_read.h - a part of the archive as a picture: cells of equal time and frequency. Any
 * thread; blocks on the disk.
 *
 * The coarsest tier whose rows are not longer than a cell is read; before its oldest row the next
 * coarser one, after its newest row the next finer one. At most ARCHIVE_READ_ROWS rows of that tier
 * are read: if finer ones would be more, the picture has fewer rows than it might. So the work does
 * not depend on how long the time is.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_READ_H
#define FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_READ_H

#include <stddef.h>

#include "daemon/archive/store/archive_find.h"

enum {
    ARCHIVE_READ_ROWS = 1024,
    ARCHIVE_READ_COLUMNS = 8192,
    ARCHIVE_READ_CELLS = 1 << 22 /* rows times columns, at most */
};

struct archive_query {
    struct archive_time from, to; /* INT64_MIN, INT64_MAX: from the oldest, to the newest row */
    double low_hz, high_hz;       /* NAN: that edge of the newest row in this time */
    uint32_t rows, columns;       /* at most; not 0 */
    unsigned detector;            /* 0 mean, 1 max, 2 min */
};

/*
 * Row r covers the time from start_ns + r row_ns, column c the frequencies from low_hz + c
 * column_hz. A cell has the largest maximum, the smallest minimum, or the mean weighted by frames,
 * of all stored columns and rows that reach into it.
 */
struct archive_picture {
    int64_t start_ns, row_ns;
    double low_hz, column_hz;
    uint32_t rows, columns;
    unsigned detector;
    uint64_t period_ns; /* of the tier that was chosen */
    float *level;       /* [rows][columns] dBFS; NAN: nothing was received there */
    uint8_t *breaks;    /* [rows] ARCHIVE_ bits */
    uint64_t *lost;     /* [rows] samples */
    char *facts;        /* JSON, of the newest row; NULL: none */
};

/*
 * 0, -ENODATA: the archive has no rows there, or not this detector; -ENOENT: there is no archive;
 * -EIO, -ENOMEM. On failure there is nothing to finish.
 */
int archive_read(const char *folder, const struct archive_query *query,
                 struct archive_picture *out);
void archive_picture_finish(struct archive_picture *p); /* zeroed is fine */

#endif
