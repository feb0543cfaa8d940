/*
 * row_fold.h - folds the lines that wait for one row. The output's thread.
 *
 * All lines of a fold have the same n, centre frequency and rate, and are of one epoch.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_FOLD_H
#define FFTD_DAEMON_OUTPUT_ROW_FOLD_H

#include "daemon/line/line_ring.h"
#include "daemon/output/row.h"

struct row_fold {
    struct line_ring *ring; /* of the lines */
    unsigned detector_index;
    struct line *newest; /* a reference; NULL while there are no lines */
    uint32_t lines;
    uint64_t first_sample, end_sample, frames;
    int64_t time_ns;
    double *sum;  /* [n] mean: sum of power * frames */
    float *power; /* [n] other detectors: the fold; mean: the result */
    uint32_t n;
};

/* True if `line` can be folded with the lines that are there. */
bool row_fold_fits(const struct row_fold *f, const struct line *line);
/* Takes over the reference to the line, which must fit. 0 or -ENOMEM. */
int row_fold_add(struct row_fold *f, struct line *line);
/* The row of all lines; at least one. It is valid until the next call. */
struct row row_fold_result(struct row_fold *f);
/* Drops all lines. */
void row_fold_clear(struct row_fold *f);
void row_fold_finish(struct row_fold *f);

#endif
