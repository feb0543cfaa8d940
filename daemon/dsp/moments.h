/*
 * moments.h - weighted sums over raw samples: of I, Q, I^2, Q^2 and I Q.
 *
 * Pure functions, any thread. Values are in units of the format's full scale (fft/iq.h).
 */
#ifndef FFTD_DAEMON_DSP_MOMENTS_H
#define FFTD_DAEMON_DSP_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "fft/iq.h"

/* Sums of w, w x, w y, w x^2, w y^2 and w x y, where x + j y is a sample minus the pivot. */
struct moments {
    double weight, x, y, xx, yy, xy;
};

enum { MOMENT_LAGS = 2 };

/* The same of the differences of each sample and the one 1, 2, ... before it. */
struct moment_steps {
    struct moments sums[MOMENT_LAGS];
    struct fft_iq last[MOMENT_LAGS]; /* minus the pivot; the newest is the last */
    bool begun;
};

/*
 * Adds samples that have the same weight; to `steps` their differences. A pivot near the mean keeps
 * the squares of weak signals beside a large offset exact.
 */
void moments_add(struct moments *m, struct moment_steps *steps, enum fft_iq_format format,
                 const void *raw, size_t samples, struct fft_iq pivot, double weight);

struct moments_mean {
    double i, q;       /* means, the pivot included */
    double ii, qq, iq; /* variances and covariance */
};

/* m->weight > 0. */
struct moments_mean moments_mean(const struct moments *m, struct fft_iq pivot);

#endif
