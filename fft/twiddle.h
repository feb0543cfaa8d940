/*
 * twiddle.h - roots of unity in double precision, for tables.
 *
 * The forward sign: w_n^k = exp(-2 pi i k / n). Pure functions, any thread.
 */
#ifndef FFTD_FFT_TWIDDLE_H
#define FFTD_FFT_TWIDDLE_H

#include <stdint.h>

struct root {
    double re, im;
};

/* w_n^k, within 1 ulp for any k: the angle is reduced with integers. n >= 1. */
struct root fft_twiddle(uint64_t k, uint64_t n);

#endif
