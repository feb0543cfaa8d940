/*
 * archive.h - rows of the spectrum archive, their layout and their tiers.
 *
 *     line -> columns -> tier 0: rows of 100 ms -> tier 1: 1 s -> 10 s -> 100 s -> ...
 *
 * A row has the mean, the maximum and the minimum of all of its frames and bins, each kept apart:
 * the mean weighted by frames, in linear power. No peak and no dip is lost, however coarse a row
 * is. docs/archive.md describes the files.
 */
#ifndef FFTD_DAEMON_ARCHIVE_ARCHIVE_H
#define FFTD_DAEMON_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/unix_time.h"

enum {
    ARCHIVE_DETECTORS = 3,  /* mean, max, min: the first of line.h */
    ARCHIVE_ROWS = 64,      /* of a block, at most */
    ARCHIVE_FACTS = 4096,   /* bytes of the facts, with the final 0 */
    ARCHIVE_COLUMNS = 65536 /* of a row, at most */
};

/* Why a row does not continue the previous one; in addition to the reasons of history_row.h. */
enum { ARCHIVE_LOSS = 1, ARCHIVE_GAP = 2, ARCHIVE_MISSED = 4, ARCHIVE_REFOLDED = 8 };

/* Number of the period in which a time is; rounded down, also before 1970. */
static inline int64_t archive_period_index(int64_t time_ns, int64_t period_ns)
{
    return time_ns / period_ns - (time_ns % period_ns < 0);
}

/* Where the columns of a row are. */
struct archive_layout {
    double low_hz, column_hz; /* left edge of column 0, width of a column */
    uint32_t columns, bins;   /* bins of a column; of the last column perhaps fewer */
    unsigned detectors;       /* FFT_DETECTOR_ bits present: mean, max, min */
};

/* Times of rows, in the years 1830 to 2118, so that differences of them do not overflow. */
#define ARCHIVE_TIME_LEAST  INT64_C(-4400000000000000000)
#define ARCHIVE_TIME_MOST   INT64_C(4700000000000000000)
#define ARCHIVE_PERIOD_MOST (UINT64_C(86400) * 1000000000)
static inline int64_t archive_time_bound(int64_t time_ns)
{
    return time_ns < ARCHIVE_TIME_LEAST  ? ARCHIVE_TIME_LEAST
           : time_ns > ARCHIVE_TIME_MOST ? ARCHIVE_TIME_MOST
                                         : time_ns;
}

struct archive_row {
    int64_t time_ns;     /* Unix time of its first sample */
    int64_t duration_ns; /* up to its last sample */
    uint64_t first_line; /* number of its first line */
    uint64_t first_sample;
    uint32_t lines, epoch;
    uint64_t frames;
    uint64_t lost;   /* samples that should not have been lost */
    unsigned breaks; /* ARCHIVE_ bits */
};

/* Also of a row that no file may have: one of a damaged recording. */
static inline int64_t archive_row_end_ns(const struct archive_row *row)
{
    return unix_time_sum(row->time_ns, row->duration_ns);
}

/* Rows of one layout and one set of facts. */
struct archive_rows {
    struct archive_layout layout;
    char facts[ARCHIVE_FACTS]; /* JSON: what else is needed to interpret the levels */
    uint32_t count;
    struct archive_row row[ARCHIVE_ROWS];
    float *db[ARCHIVE_DETECTORS]; /* [ARCHIVE_ROWS][columns]; unused if the detector is absent */
};

#endif
