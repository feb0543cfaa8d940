/*
 * history.h - the recent lines in a bounded memory, thinned by age. Any thread.
 *
 *     line -> columns -> tier 0: a row a line
 *                          -> tier 1: a row of 4 lines -> tier 2: 16 lines -> ... tier 5: 1024
 *
 * A tier is a ring of rows: the newest row replaces the oldest ones. Older rows cover more time
 * each. A row has the mean, the maximum and the minimum of its lines, each kept apart: no peak and
 * no dip is lost. Levels are bytes with an offset and a
 * step for each row and detector, by the rule of the wire (wire_quantise): step = max(0.25, range /
 * 254) dB.
 *
 * A row has its own frequencies and settings. It ends when the next line has others. Its columns
 * are the line's bins; with more bins than history_columns_max, the largest of 2, 4, 8, ... bins.
 */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_H

#include "daemon/line/line.h"

enum {
    HISTORY_TIERS = 6,
    HISTORY_FOLD = 4,      /* rows of a tier in a row of the next one */
    HISTORY_DETECTORS = 3, /* mean, max, min: the first of line.h */
    HISTORY_BYTES_MIN = 1 << 20,
    HISTORY_QUERY_COLUMNS = 8192
};

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

struct history;

/* `bytes`, at least HISTORY_BYTES_MIN, are all that it ever takes. -ENOMEM. */
int history_create(struct history **out, size_t bytes);
void history_destroy(struct history *h); /* NULL is fine */
uint32_t history_columns_max(const struct history *h);
/* missed: lines between this one and the line before that were never seen. */
void history_add(struct history *h, const struct line *line, bool missed);

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

/*
 * A row as it was asked for. Its bins are divided into columns by the rule of views
 * (client/view.h): a column is the largest of its bins; a range outside of the row gives the whole
 * row.
 */
struct history_line {
    struct history_row row; /* columns, low_hz and column_hz are those of `levels` */
    bool finest;            /* a narrower range would not show more */
    const uint8_t *levels;  /* [row.columns]: dBFS = row.offset_db[d] + row.step_db[d] * level */
};

struct history_result {
    uint32_t rows;
    struct history_line *line; /* [rows], newest first */
    bool oldest;               /* there are none before these */
    uint8_t *levels;
    size_t level_count;
};

/* 0, also without any row; -ENOMEM. */
int history_read(struct history *h, const struct history_query *query, struct history_result *out);
void history_result_finish(struct history_result *r); /* zeroed is fine */
/* Appends older rows, and ends `older`. -ENOMEM: both are as before. */
int history_result_join(struct history_result *r, struct history_result *older);

/* What the store has. */
struct history_state {
    size_t bytes; /* of its memory */
    uint64_t rows, lines;
    int64_t oldest_ns; /* 0: there is none */
};
void history_state(struct history *h, struct history_state *out);

#endif
