/*
 * view_reduce.h - display reduction: how the bins of a column become its level. Pure, any thread.
 *
 *     peak     the largest bin (positive peak)
 *     normal   the largest bin in odd columns; in even columns the smallest if the bins both rise
 *              and fall, else the largest (rosenfell). The largest bin of a column that shows its
 *              smallest one counts in the column to the right, so that no carrier is hidden: it is
 *              at most one column from its place
 *     min      the smallest bin (negative peak)
 *     mean     mean power of the bins
 *     sample   the bin in the middle
 *
 * Columns count from 1. The last one of normal shows its largest bin.
 * (Agilent Application Note 150, "Spectrum Analysis Basics": detector types)
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_REDUCE_H
#define FFTD_DAEMON_CLIENT_VIEW_REDUCE_H

#include <stdint.h>

enum reduction {
    REDUCTION_PEAK,
    REDUCTION_NORMAL,
    REDUCTION_MIN,
    REDUCTION_MEAN,
    REDUCTION_SAMPLE,
    REDUCTIONS
};

/* In the order of the enum, for people. */
#define REDUCTION_NAMES "peak, normal, min, mean or sample"

/* The bins of a line that a view shows, and how they are divided into columns. */
struct view_grid {
    uint32_t first, bins;     /* of the line's */
    uint32_t columns;         /* <= bins */
    double low_hz, column_hz; /* left edge of column 0, width of a column */
};

int reduction_index(const char *name); /* -1: none */
const char *reduction_name(enum reduction how);

/* Writes power[columns] of the view's bins [p->bins], whose first is bins[0]. */
void view_reduce(enum reduction how, const struct view_grid *p, const float *bins, float *power);

/*
 * First bin of a column, relative to the view's first: the smallest j whose centre satisfies
 * (j + 1/2) * columns >= column * bins. For column = columns it is `bins`.
 */
uint32_t view_column_start(const struct view_grid *p, uint32_t column);

#endif
