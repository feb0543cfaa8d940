/*
 * reference.h - the expected results for every engine: slow, double precision, independent of the
 * library.
 *
 * A textbook radix-2 FFT, which test_reference.c compares with the direct sum, and the spectrum
 * folded from it as fft/fft.h defines it; for other lengths a recursion on the smallest prime
 * factor. It shares only the format and plan types with the library.
 */
#ifndef FFTD_REFERENCE_REFERENCE_H
#define FFTD_REFERENCE_REFERENCE_H

#include <stdint.h>

#include "fft/fft.h"

struct complex64 {
    double re, im;
};

/* Transforms x[n] in place, forward sign, natural order; n is a power of two. */
void reference_fft(struct complex64 *x, uint32_t n);

/* Transforms x[n] in place, natural order, any n >= 1; fast if its prime factors are small. */
void reference_dft(struct complex64 *x, uint32_t n, bool inverse);

/* Returns bin k of the direct sum over x[n]. */
struct complex64 reference_dft_bin(const struct complex64 *x, uint32_t n, uint32_t k);

/* Returns sample i of raw, full scale 1.0. */
struct complex64 reference_sample(enum fft_iq_format format, const void *raw, uint64_t i);

/* Computes one frame's linear power, centred: [n]. */
void reference_power(const struct fft_spectrum_config *plan, const void *raw, uint64_t first,
                     double *bins);

/* All detectors of a span's frames. */
struct reference {
    double *mean, *max, *min, *last; /* [n] */
    uint64_t *hits;                  /* [columns][levels]; NULL: density is off */
    uint64_t *doubtful; /* [columns][levels]: hits so near an edge that rounding may move them to
                           the next level */
};

void reference_spectrum(struct reference *r, const struct fft_spectrum_config *plan,
                        const void *raw, uint32_t frames);
void reference_finish(struct reference *r);

#endif
