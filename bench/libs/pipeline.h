/*
 * pipeline.h - the loops around a foreign FFT, as the compiler makes them for this machine.
 */
#ifndef FFTD_BENCH_LIBS_PIPELINE_H
#define FFTD_BENCH_LIBS_PIPELINE_H

#include <stdint.h>

#include "fft/iq.h"

/*
 * out[i] = the value of raw[i] * window[i], n samples. window: [2 n], each value twice, so that re
 * and im need no shuffling; times the format's scale.
 */
void pipeline_load(enum fft_iq_format format, const void *raw, const float *window,
                   struct fft_iq *out, uint32_t n);
/* sum[k] += |x[k]|^2 */
void pipeline_power(const struct fft_iq *x, float *sum, uint32_t n);

#endif
