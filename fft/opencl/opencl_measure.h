/*
 * opencl_measure.h - chooses a plan by timing the likeliest candidates on the device.
 *
 * The choice is kept on disk for this device, driver and spectrum.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_MEASURE_H
#define FFTD_FFT_OPENCL_OPENCL_MEASURE_H

#include "fft/opencl/opencl_device.h"

/* Sets *out to the fastest choice. Leaves it unchanged if no candidate could be timed. */
void opencl_measure(struct opencl_choice *out, struct opencl_device *device,
                    const struct fft_spectrum_config *plan);

#endif
