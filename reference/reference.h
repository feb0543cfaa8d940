/*
 * reference.h - the truth that every engine is held against: slow, double precision, independent.
 *
 * A textbook radix-2 FFT (test_reference.c holds it to the direct sum), and the spectrum folded
 * from it as fft/fft.h defines it; for other lengths the recursion on the smallest prime factor. It
 * shares no code with the library but the format and plan types.
 */
#ifndef FFTD_REFERENCE_REFERENCE_H
#define FFTD_REFERENCE_REFERENCE_H

#include <stdint.h>

#include "fft/fft.h"

struct complex64 {
    double re, im;
};

/* x[n] in place, forward sign, natural order, n a power of two. */
void reference_fft(struct complex64 *x, uint32_t n);

/* x[n] in place, natural order, any n >= 1; fast where its prime factors are small. */
void reference_dft(struct complex64 *x, uint32_t n, bool inverse);

/* Bin k of the direct sum over x[n]. */
struct complex64 reference_dft_bin(const struct complex64 *x, uint32_t n, uint32_t k);

/* Sample i of raw, full scale 1.0. */
struct complex64 reference_sample(enum fft_iq_format format, const void *raw, uint64_t i);

/* One frame's linear power, centred: [n]. */
void reference_power(const struct fft_spectrum_plan *plan, const void *raw, uint64_t first,
                     double *bins);

/* All traces of `frames` frames of a span. */
struct reference {
    double *mean, *max, *min, *last; /* [n] */
    uint64_t *hits;                  /* [columns][levels], NULL: density is off */
    uint64_t *doubtful;              /* [columns][levels]: of these, so near an edge that rounding
                                        may put them into the row beside it */
};

void reference_spectrum(struct reference *r, const struct fft_spectrum_plan *plan, const void *raw,
                        uint32_t frames);
void reference_finish(struct reference *r);

#endif
