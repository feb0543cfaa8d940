/*
 * noise_factor.h - a percentile of the bins of noise, divided by their mean. Pure.
 *
 * It depends on the number of independent spectra in the trace (statistics.h), so it is kept until
 * the shape of the line changes.
 */
#ifndef FFTD_DAEMON_LINE_NOISE_FACTOR_H
#define FFTD_DAEMON_LINE_NOISE_FACTOR_H

#include "daemon/line/line.h"

/* Zeroed at first; caches its result until the line's shape changes. */
struct noise_factor {
    char window[32];
    uint32_t n, hop;
    double percent, frames, lines;
    double averages; /* independent spectra in the trace, at least 1 */
    double factor;   /* percentile / mean of noise */
};

/* Of a trace that combines this detector of `lines` such lines. */
double noise_factor_of(struct noise_factor *f, const struct line *line, unsigned detector,
                       uint64_t lines, double percent);

#endif
