/* history_row.h - rows of the history, of one line or of several, and what is asked of it. Plain
 * values. */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_ROW_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTORY_DETECTORS = 3 }; /* mean, max, min: the first of line.h */

/* Why a row does not continue the one before it. Of a row of several lines: before one of them. */
enum {
    HISTORY_LOSS = 1,    /* samples were lost that should not have been */
    HISTORY_RETUNE = 2,  /* the radio was tuned or set */
    HISTORY_PLAN = 4,    /* the FFT was set */
    HISTORY_RESTART = 8, /* the stream began again for another reason */
    HISTORY_LOOP = 16,   /* the recording began again */
    HISTORY_MISSED = 32  /* lines were not stored in time */
};

struct history_row {
    uint64_t first_line, line; /* oldest and newest */
    uint32_t lines;            /* in this row, at most line - first_line + 1 */
    uint64_t frames;
    int64_t time_ns;          /* Unix time of its first sample */
    double low_hz, column_hz; /* left edge of column 0, width of a column */
    uint32_t columns, bins;   /* bins of a column */
    double gain_db;
    uint64_t lost; /* samples, of HISTORY_LOSS */
    unsigned detectors;
    uint8_t breaks; /* HISTORY_ bits */
    bool rate_assumed;
    bool archived; /* of the spectrum archive: the numbers of lines are those of archive_past.h */
    float offset_db[HISTORY_DETECTORS], step_db[HISTORY_DETECTORS];
};

/* What is read: the newest rows before a line or a time. */
struct history_query {
    double low_hz, high_hz; /* NAN: that edge of each row */
    uint32_t columns;       /* of a row, at most; up to HISTORY_QUERY_COLUMNS */
    unsigned detector;      /* below HISTORY_DETECTORS */
    uint64_t before;        /* only lines before this one; UINT64_MAX: all */
    int64_t from_ns, to_ns; /* only rows that begin at or after, and before these times */
    uint32_t rows;          /* at most */
    uint32_t lines;         /* in a row, at least: rows of line / lines are combined */
    size_t levels;          /* in all rows, at most */
};

#endif
