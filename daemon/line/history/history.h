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
 * are the line's bins; of a line with more bins than there is memory for, the largest of 2, 4, 8,
 * ... bins.
 */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_H

#include "daemon/line/history/history_row.h"
#include "daemon/line/line.h"

enum {
    HISTORY_TIERS = 6,
    HISTORY_FOLD = 4, /* rows of a tier in a row of the next one */
    HISTORY_BYTES_MIN = 1 << 20,
    HISTORY_QUERY_COLUMNS = 8192
};

struct history;

/* `bytes`, at least HISTORY_BYTES_MIN, are all that it ever takes. -ENOMEM. */
int history_create(struct history **out, size_t bytes);
void history_destroy(struct history *h); /* NULL is fine */
/* missed: lines between this one and the line before that were never seen. */
void history_add(struct history *h, const struct line *line, bool missed);

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
    int64_t oldest_ns; /* 0: none */
};
void history_state(struct history *h, struct history_state *out);

#endif
