/* noise.h - random input of the bench's transforms, and the errors of their output. */
#ifndef FFTD_BENCH_NOISE_H
#define FFTD_BENCH_NOISE_H

#include "fft/iq.h"
#include "reference/reference.h"

/* Fills x[n] with uniform noise in -1 .. 1; the same values for the same n. */
void noise_fill(struct fft_iq *x, uint32_t n);

/* sqrt(sum |got - want|^2 / sum |want|^2) over n points. */
double noise_relative_error(const struct fft_iq *got, const struct complex64 *want, uint32_t n);

/* The relative error of `out` as the forward transform of `in`; NaN: out of memory. */
double noise_transform_error(const struct fft_iq *in, const struct fft_iq *out, uint32_t n);

#endif
