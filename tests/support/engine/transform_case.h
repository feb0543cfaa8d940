/*
 * transform_case.h - runs one transform and holds it against the double-precision reference.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_TRANSFORM_CASE_H
#define FFTD_TESTS_SUPPORT_ENGINE_TRANSFORM_CASE_H

#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"

/*
 * The relative L2 error that a transform of this many points may have: 1.1 times that of
 * FFTW 3.3.10 on noise, measured at 2^8 .. 2^20 (AVX-512, PATIENT) and at other lengths from 243 to
 * 531441 (Debian's), between them by the logarithm. Shorter ones may have that of 243, and code
 * without fused multiplication a tenth more. QPUs: 1.1 times that of GPU_FFT 3.0 on noise, run in
 * emulation at 2^8, 2^12 and 2^20.
 */
double transform_bound(const struct fft_engine *e, uint64_t points);

/*
 * The same for a plan: rank 2 and 3 as a rank 1 transform of as many points, real ones as one of
 * twice as many: parting or joining the halves is one more pass of radix 2.
 */
double transform_bound_of(const struct fft_engine *e, const struct fft_transform_plan *plan);

/*
 * Runs the plan on noise (c2r: on the spectrum of noise) and fails unless
 *   - every output is within `bound` of the reference, relative, in the L2 norm,
 *   - no byte between the outputs was changed, and out of place no input.
 * Returns the error; 0 also if the engine may refuse this plan, and does.
 */
double transform_conforms(struct fft_engine *e, const struct fft_transform_plan *plan,
                          double bound);

/* Creates and executes, or fails the test. in == out: in place. */
void transform_run(struct fft_engine *e, const struct fft_transform_plan *plan, const void *in,
                   void *out);

/* A rank 1 c2c of one row, out of place, packed. */
void transform_row(struct fft_engine *e, uint32_t n, bool inverse, const struct fft_iq *in,
                   struct fft_iq *out);

/* sqrt(sum |got - want|^2 / sum |want|^2). */
double transform_error(const struct fft_iq *got, const struct complex64 *want, size_t count);

#endif
