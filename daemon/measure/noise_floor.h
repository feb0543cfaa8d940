/*
 * noise_floor.h - the mean power of a bin of noise, estimated from a percentile of the bins. Pure.
 *
 * Signals in fewer bins than the percentile leaves out move the estimate little. The percentile of
 * noise is not its mean: the estimate is divided by what the percentile is for the number of
 * independent spectra in the trace (noise_factor.h).
 */
#ifndef FFTD_DAEMON_MEASURE_NOISE_FLOOR_H
#define FFTD_DAEMON_MEASURE_NOISE_FLOOR_H

#include "daemon/line/noise_factor.h"
#include "daemon/measure/measure.h"

/* The percentile of the bins first .. last without spurs; of all, if all are spurs'. */
double noise_floor_percentile(const struct measure_input *in, double percent, uint32_t first,
                              uint32_t last);
/* Of the bins first .. last without spurs. The input must pass measure_needs_power. */
double noise_floor_estimate(struct noise_factor *f, const struct measure_input *in, double percent,
                            uint32_t first, uint32_t last);

#endif
