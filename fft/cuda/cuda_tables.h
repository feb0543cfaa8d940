/*
 * cuda_tables.h - roots of unity for the kernels, computed in double precision and rounded once.
 * Their order is that of kernels/cuda/butterfly.h: number 0 belongs to level 2 of a pass, m/4 + k
 * to level m.
 */
#ifndef FFTD_FFT_CUDA_CUDA_TABLES_H
#define FFTD_FFT_CUDA_CUDA_TABLES_H

#include "fft/cuda/cuda_form.h"
#include "fft/iq.h"

/* Writes passes 1 and up of a form: [radix / 2][joined] each. */
void cuda_twiddles(const struct cuda_form *form, struct fft_iq *to);

/*
 * Writes rows k1 = 0 .. n1 - 1 of a long frame: [n1], each with all passes of the form, at
 * frequencies offset by k1/n1 of a bin.
 */
void cuda_bridge(const struct cuda_form *form, uint32_t n1, struct fft_iq *to);

#endif
