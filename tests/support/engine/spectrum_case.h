/*
 * spectrum_case.h - runs one spectrum of noise and holds it against the double-precision reference.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_SPECTRUM_CASE_H
#define FFTD_TESTS_SUPPORT_ENGINE_SPECTRUM_CASE_H

#include "tests/support/engine/test_engines.h"

/*
 * Fails unless every trace of `frames` frames, and the density, are the reference's, every bin
 * written. The plan's window is `kind`, its depth 2 if it has none. Skips what the engine may
 * refuse and refuses. References are kept for the next engine.
 */
void spectrum_conforms(struct fft_engine *e, const struct fft_spectrum_plan *plan,
                       enum fft_window_kind kind, uint32_t frames);
void spectrum_case_finish(void); /* frees the references */

#endif
