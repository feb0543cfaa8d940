/*
 * packed_twiddles.h - the twiddle factors that a program of GPU_FFT reads, after A. Holme's
 * description. Four of the stages of 16 points share one vector, the packed registers TW16+3 and
 * TW16+4.
 */
#ifndef FFTD_STUDIES_GPU_FFT_TESTS_PACKED_TWIDDLES_H
#define FFTD_STUDIES_GPU_FFT_TESTS_PACKED_TWIDDLES_H

#include <stdbool.h>

enum { PACKED_LANES = 16 };

/*
 * Puts the factors of a codelet of 2^bits points, 4 to 6, whose inputs are rotated by `angle`, a
 * part of a circle, times their index: a vector for the fifth stage, two for the sixth, before the
 * packed one of stages 0 to 3. Element 2^t + l of that one is that of stage t, lane l; element 0 is
 * unused. step: the constants of the recurrence that rotates each of them by its part of `angle`, 2
 * sin^2(a / 2) and sin a, instead. sign: of the exponent. Vectors are [16] pairs of floats; *to
 * moves after them.
 */
void packed_twiddles_put(float **to, int bits, double angle, double sign, bool step);

#endif
