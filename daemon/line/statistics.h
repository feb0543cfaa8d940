/*
 * statistics.h - percentiles of bins, and their values for noise. Pure, any thread.
 *
 * The power of complex Gaussian noise in one bin is exponential. The mean of K independent spectra
 * is a gamma distribution of shape K, whose percentiles are not its mean: the median of one
 * spectrum is ln 2 = -1.59 dB. Overlapped frames are not independent: K_eff < K.
 */
#ifndef FFTD_DAEMON_LINE_STATISTICS_H
#define FFTD_DAEMON_LINE_STATISTICS_H

#include <stdint.h>

#include "daemon/line/line.h"
#include "fft/window.h"

/* The value that `percent` of the values do not exceed; exact, no memory. count > 0, values >= 0.
 */
float statistics_percentile(const float *values, uint32_t count, double percent);
/* The same without the values in the gaps, which do not overlap; of all values if none is left. */
float statistics_percentile_without(const float *values, uint32_t count,
                                    const struct line_bins *gap, uint32_t gaps, double percent);

/*
 * Independent spectra with the variance of a mean of `frames` frames of n samples, `hop` apart:
 * K / (1 + 2 sum over j of (1 - j/K) rho_j^2), rho_j = sum w[i] w[i + j hop] / sum w^2 (P. D.
 * Welch, "The Use of Fast Fourier Transform for the Estimation of Power Spectra", 1967).
 */
double statistics_effective_averages(const struct fft_window *window, uint32_t n, uint32_t hop,
                                     uint64_t frames);

/* The percentile of a gamma distribution of this shape (>= 0.5), divided by its mean. */
double statistics_gamma_percentile(double shape, double percent);

/*
 * The probability that x is exceeded by the ratio of two independent gamma distributions of these
 * shapes, each divided by its mean: an F distribution of twice as many degrees of freedom. Shapes
 * beyond 10^4 count as that. x > 0.
 */
double statistics_f_above(double x, double shape, double shape_below);

#endif
