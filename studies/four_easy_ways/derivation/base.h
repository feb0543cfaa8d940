/*
 * base.h - the derivation's fourth step: the radix becomes a variable (figures 14 to 17).
 *
 * Double precision, forward sign, n a power of `base`.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_BASE_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_BASE_H

#include "reference/reference.h"

enum { BASE_MAX = 256 };

/* Multiplies by the matrix B_L of figures 14 and 15, written out for any base; n up to a few
 * hundred. */
void base_fft_dense(struct complex64 *x, uint32_t n, uint32_t base);

/* Figure 17's loop nest: the same code for every base. In place; needs only n and the base. */
void base_fft(struct complex64 *x, uint32_t n, uint32_t base);
void base_passes(struct complex64 *x, uint32_t n, uint32_t base); /* for points in reversed order */

#endif
