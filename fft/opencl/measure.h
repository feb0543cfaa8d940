/*
 * measure.h - chooses a plan by timing the likeliest ones on the device, and remembers the choice
 * on disk, for this device, driver and spec.
 */
#ifndef FFTD_FFT_OPENCL_MEASURE_H
#define FFTD_FFT_OPENCL_MEASURE_H

#include "fft/opencl/device.h"

/* *out: the quickest; left as it is if none could be measured. */
void opencl_measure(struct opencl_choice *out, struct opencl_device *device,
                    const struct fft_spectrum_plan *plan);

#endif
