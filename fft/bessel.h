/*
 * bessel.h - the function of Kaiser's window, in double precision.
 *
 * Source: J. F. Kaiser, "Nonrecursive Digital Filter Design Using the I0-Sinh Window Function",
 * 1974. A pure function, any thread.
 */
#ifndef FFTD_FFT_BESSEL_H
#define FFTD_FFT_BESSEL_H

/* The modified Bessel function of the first kind and order 0: I0(x). */
double fft_bessel_i0(double x);

#endif
