/*
 * significance.h - whether the strongest bin of a band can be noise. Pure.
 *
 * The mean of K independent spectra of noise has a gamma distribution of shape K in each bin
 * (statistics.h). So the ratio of a bin to an estimate of the noise from m bins that are not
 * correlated has an F distribution of 2 K and 2 K m degrees of freedom. The probability that one of
 * M bins of noise has a ratio as large is at most M times that of one bin. A bin is significant if
 * that probability is below SIGNIFICANCE_FALSE_ALARM.
 *
 * K is that of the window, the overlap, the frames and the trace. For max and min detectors,
 * percentiles and traces that do not keep mean power, K is 1 or that of a line: their fluctuation
 * is smaller, so they cause fewer false alarms, and weaker signals count as noise.
 */
#ifndef FFTD_DAEMON_MEASURE_SIGNIFICANCE_H
#define FFTD_DAEMON_MEASURE_SIGNIFICANCE_H

#include <stdbool.h>

#include "daemon/line/noise_factor.h"
#include "daemon/measure/measure.h"

/* A measurement of noise alone gives values in one of 10,000 independent lines at most. */
#define SIGNIFICANCE_FALSE_ALARM 1e-4

/*
 * A signal from bin `low` to `high`, whose peak was the strongest of `searched` bins, against the
 * median of the bins on both sides of it: as many as the signal has, and at least 64. Bins of spurs
 * and those beyond the usable band do not count. Without any others the signal is significant.
 */
bool significance_over_neighbours(struct noise_factor *f, const struct measure_input *in,
                                  uint32_t peak, double low, double high, uint32_t searched);

/*
 * The strongest of the bins first .. last against their noise floor, which f was used to estimate
 * from their 10th percentile (noise_floor.h).
 */
bool significance_over_floor(const struct noise_factor *f, const struct measure_input *in,
                             double noise, uint32_t first, uint32_t last);

#endif
