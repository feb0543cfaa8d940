/*
 * tables.h - the roots of unity that the kernels read, computed in double and rounded once. Their
 * order is kernels/cuda/butterfly.h's: number 0 belongs to level 2 of a pass, m/4 + k to level m.
 */
#ifndef FFTD_FFT_CUDA_TABLES_H
#define FFTD_FFT_CUDA_TABLES_H

#include "fft/cuda/form.h"
#include "fft/iq.h"

/* Passes 1 and on of a form: [radix / 2][joined] each. */
void cuda_twiddles(const struct cuda_form *form, struct fft_iq *to);

/*
 * Rows k1 = 0 .. n1 - 1 of a long frame: [n1], in it all passes of the form, whose frequencies are
 * moved by k1/n1 of a bin.
 */
void cuda_bridge(const struct cuda_form *form, uint32_t n1, struct fft_iq *to);

#endif
