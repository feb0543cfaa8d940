/*
 * cuda_smooth.h - resources of the forms of kernels/cuda/transform_smooth.h: shared memory, and the
 * roots of unity of their passes. Pure.
 */
#ifndef FFTD_FFT_CUDA_CUDA_SMOOTH_H
#define FFTD_FFT_CUDA_CUDA_SMOOTH_H

#include "fft/cuda/cuda_form.h"

/* Points from row to row in the exchange buffer. */
uint32_t cuda_smooth_pitch(const struct cuda_form *form);

/* Points in the tables of passes 1 and up, and these tables. */
size_t cuda_smooth_roots(const struct cuda_form *form);
void cuda_smooth_fill(const struct cuda_form *form, struct fft_iq *to);

#endif
