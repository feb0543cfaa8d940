/*
 * general.h - the general radix: one loop nest that transforms any length, by any factors.
 *
 * After L. R. Mullin and S. G. Small, "Four Easy Ways to a Faster FFT" (J. Math. Modelling and
 * Algorithms 1, 2002), step four: the radix is a variable of the loop nest, not a property of the
 * code. There is no planning, measuring or generated code; the only state is the length's roots of
 * unity. Every pass may have its own radix, so all lengths 2^a 3^b 5^c 7^d work.
 *
 * The points are floats and the arithmetic of a pass is double, so each pass rounds once. That
 * costs little in scalar code and makes this the most accurate transform of the library.
 */
#ifndef FFTD_FFT_GENERAL_H
#define FFTD_FFT_GENERAL_H

#include "fft/iq.h"
#include "fft/radix.h"
#include "fft/twiddle.h"

enum { GENERAL_MAX_RADIX = 256 };

/* The bases of a length, the preferred one first, ended by 0. Base 4 is the cheapest power of two,
 * by a model of passes, cache and TLB and by measurement. */
extern const uint32_t fft_general_bases[];

struct general {
    uint32_t n;
    struct radices radices; /* first pass first */
    struct root *fine;      /* w_n^k for k < FINE */
    struct root *coarse;    /* w_n^(k FINE) */
};

/*
 * radices: their product is the length, each 2 .. GENERAL_MAX_RADIX. 0 or -ENOMEM; finish follows
 * also after a failed init, and takes a zeroed object.
 */
int fft_general_init(struct general *g, const struct radices *radices);
void fft_general_finish(struct general *g);

/*
 * to[k] = sum over j of from[j * stride] exp(-2 pi i j k / n), k = 0 .. n-1; with `inverse`
 * exp(+2 pi i j k / n). Unscaled, natural order. from and to must not overlap. Any thread; g is not
 * changed.
 */
void fft_general_fft(const struct general *g, const struct fft_iq *from, size_t stride,
                     struct fft_iq *to, bool inverse);

#endif
