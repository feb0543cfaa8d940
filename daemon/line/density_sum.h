/*
 * density_sum.h - adds up the densities of lines: how often each column was at each level.
 *
 * Persistence says how long a line counts. With none, only the newest line does. With infinite
 * persistence every line does, and hits are exact: each column's hits sum to `frames`. In between,
 * all counts are multiplied by exp(-T / time constant) before a line of T seconds is added.
 *
 * One thread at a time. Zeroed: empty, no persistence.
 */
#ifndef FFTD_DAEMON_LINE_DENSITY_SUM_H
#define FFTD_DAEMON_LINE_DENSITY_SUM_H

#include "daemon/line/line.h"

struct density {
    double persistence_s; /* 0: none; INFINITY; or the time constant */
    struct fft_density shape;
    uint32_t epoch, n;
    struct tuning tuning;
    bool rate_assumed, simulated;
    double frames;                     /* that each column's hits sum to */
    double *hits;                      /* [columns][levels] */
    uint64_t lines;                    /* since it was empty */
    uint64_t line;                     /* number of the newest line */
    uint64_t first_sample, end_sample; /* of the lines that count */
    int64_t time_ns;                   /* of first_sample */
};

/*
 * Adds a line. Without hits it is ignored. Lines of another shape, epoch or tuning than those
 * before start it again. 0 or -ENOMEM.
 */
int density_add(struct density *d, const struct line *line);
void density_clear(struct density *d); /* keeps memory and persistence */
int density_copy(struct density *into, const struct density *from); /* into is zeroed; -ENOMEM */
/*
 * The same with levels added up to steps of at least step_db; each column's hits still sum to
 * `frames`. The last level may have less of them. into is zeroed; -ENOMEM.
 */
int density_coarsen(struct density *into, const struct density *from, double step_db);
void density_finish(struct density *d); /* zeroed is fine */

/* Bins of column c: density_first_bin(d, c) up to density_first_bin(d, c + 1) - 1. */
uint32_t density_first_bin(const struct density *d, uint32_t column);
/*
 * The level in dBFS that `percent` of the frames of a column do not exceed, 0 < percent <= 100; 50
 * is the median. Hits count as spread evenly over their level, so it is exact to step_db. Its
 * columns must have hits.
 */
double density_percentile_db(const struct density *d, uint32_t column, double percent);
/* The same as linear power for each bin [n]: that of its column. */
void density_percentiles(const struct density *d, double percent, float *power);

#endif
