/*
 * transform_case.h - runs one transform and compares it with the double-precision reference.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_TRANSFORM_CASE_H
#define FFTD_TESTS_SUPPORT_ENGINE_TRANSFORM_CASE_H

#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"

/*
 * The largest relative L2 error allowed for a transform of this many points: 1.1 times the error of
 * FFTW 3.3.10 on noise. That error was measured at 2^8 .. 2^20 (AVX-512, PATIENT) and at other
 * lengths from 243 to 531441 (Debian's build), and is interpolated over the logarithm of the
 * length. Shorter transforms have the bound of 243. Code without fused multiply-add may have a
 * tenth more. QPUs: 1.1 times the error of GPU_FFT 3.0 on noise, run in emulation at 2^8, 2^12 and
 * 2^20.
 */
double transform_bound(const struct fft_engine *e, uint64_t points);

/*
 * The bound of a plan. Rank 2 and 3 have the bound of a rank 1 transform of as many points. Real
 * transforms have the bound of twice as many: they split or join the halves in one more radix-2
 * pass.
 */
double transform_bound_of(const struct fft_engine *e, const struct fft_transform_config *plan);

/* The factor of the plan's results. */
double transform_scale(const struct fft_transform_config *plan);

/*
 * Runs the plan on noise (c2r: on the spectrum of noise) and fails unless
 *   - every output is within `bound` of the reference, relative, in the L2 norm,
 *   - no byte between the outputs has changed, and out of place no byte of the input.
 * Returns the error; 0 also if the engine refuses a plan that it may refuse.
 */
double transform_conforms(struct fft_engine *e, const struct fft_transform_config *plan,
                          double bound);

/* Creates and executes the plan, or fails the test. in == out: in place. */
void transform_run(struct fft_engine *e, const struct fft_transform_config *plan, const void *in,
                   void *out);

/* Runs a packed rank 1 c2c of one row, out of place. */
void transform_row(struct fft_engine *e, uint32_t n, bool inverse, const struct fft_iq *in,
                   struct fft_iq *out);

/* sqrt(sum |got - want|^2 / sum |want|^2). */
double transform_error(const struct fft_iq *got, const struct complex64 *want, size_t count);

#endif
