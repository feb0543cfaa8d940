/*
 * radix.h - factors a length into the radices of its passes, for every engine.
 *
 * Pure functions, any thread.
 */
#ifndef FFTD_FFT_RADIX_H
#define FFTD_FFT_RADIX_H

#include <stdbool.h>
#include <stdint.h>

enum { RADIX_PASSES = 31 }; /* no 32-bit length has more factors */

struct radices {
    uint32_t count;
    uint32_t at[RADIX_PASSES]; /* [count]: their product is the length */
};

/* true if n = 2^a 3^b 5^c 7^d; 1 is, 0 is not. */
bool fft_radix_is_smooth(uint32_t n);

/*
 * Takes the first of `wanted` (0 last, each >= 2) that divides what is left, until 1 is left.
 * false: n is 0 or has a factor that `wanted` lacks. n = 1 has no radices.
 */
bool fft_radix_factor(struct radices *out, uint32_t n, const uint32_t *wanted);

#endif
