/*
 * pipeline.h - the loops around another library's FFT, vectorised by the compiler for this machine.
 */
#ifndef FFTD_BENCH_LIBS_PIPELINE_H
#define FFTD_BENCH_LIBS_PIPELINE_H

#include <stdint.h>

#include "fft/iq.h"

/*
 * Computes out[i] = raw[i] * window[i] for n samples. window: [2 n], each value twice, so that re
 * and im need no shuffling, and multiplied by the format's scale.
 */
void pipeline_load(enum fft_iq_format format, const void *raw, const float *window,
                   struct fft_iq *out, uint32_t n);
/* sum[k] += |x[k]|^2 */
void pipeline_power(const struct fft_iq *x, float *sum, uint32_t n);

#endif
