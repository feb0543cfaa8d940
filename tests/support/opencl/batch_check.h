/* batch_check.h - compares batches of planned spectra on a test device with the reference. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_BATCH_CHECK_H
#define FFTD_TESTS_SUPPORT_OPENCL_BATCH_CHECK_H

#include "tests/support/opencl/plan_device.h"

/* Runs noise through a plan, from sample 3 on, with a window. Every detector must be within `limit`
 * of the reference, as an rms of amplitudes relative to theirs. Returns the largest distance. */
double batch_conforms(const struct device *device, const struct fft_spectrum_config *spec,
                      const char *choice, uint32_t frames, double limit);

/* Runs a tone in the centre of a bin through a plan, without a window; it must read its level
 * within 0.01 dB. Returns the power of the worst other bin, a spur, in dBc. */
double batch_spur(const struct device *device, const char *choice, uint32_t n, double amplitude);

#endif
