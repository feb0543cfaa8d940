/*
 * powers.h - searches among powers of bins, with a max pyramid (line.h) or without. Pure.
 *
 * A pyramid answers from a few values of each level; without one every bin is read. Both give the
 * same answers. Ranges are from .. to - 1, not empty. Powers are >= 0; a NAN is never the largest.
 */
#ifndef FFTD_DAEMON_LINE_POWERS_H
#define FFTD_DAEMON_LINE_POWERS_H

#include "daemon/line/line.h"

enum { POWERS_LEVELS = 32 };

/* Borrowed from the line, or from the caller. */
struct powers {
    uint32_t n;
    unsigned levels;                   /* with bins, level 0; 1: no pyramid */
    const float *level[POWERS_LEVELS]; /* level l has n >> l values, of 2^l bins each */
};

/* Builds the pyramid of the detector, unless the line has it. */
struct powers powers_of_line(const struct line *line, unsigned detector);
struct powers powers_of_bins(const float *bins, uint32_t n);

/* The largest power; 0 if none is larger. */
float powers_largest(const struct powers *p, uint32_t from, uint32_t to);
/* The bin that has it; of equal ones the first. */
uint32_t powers_strongest(const struct powers *p, uint32_t from, uint32_t to);
/* The first bin of more than this power; `to`: none. */
uint32_t powers_above(const struct powers *p, uint32_t from, uint32_t to, float power);

#endif
