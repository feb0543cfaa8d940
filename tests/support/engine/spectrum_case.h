/*
 * spectrum_case.h - runs one spectrum of noise and compares it with the double-precision reference.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_SPECTRUM_CASE_H
#define FFTD_TESTS_SUPPORT_ENGINE_SPECTRUM_CASE_H

#include "tests/support/engine/test_engines.h"

/*
 * Runs `frames` frames. Fails unless every bin is written and every detector and the density match
 * the reference. Sets the plan's window to `kind`, and its depth to 2 if that is 0. Does nothing if
 * the engine refuses a plan that it may refuse. Caches references for the next engine.
 */
void spectrum_conforms(struct fft_engine *e, const struct fft_spectrum_config *wanted,
                       enum fft_window_kind kind, uint32_t frames);
void spectrum_case_finish(void); /* frees the cached references */

#endif
