/*
 * concurrent_plans.h - checks an engine that plans concurrently: one thread makes and drops
 * spectra while another one uses a spectrum of its own.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_CONCURRENT_PLANS_H
#define FFTD_TESTS_SUPPORT_ENGINE_CONCURRENT_PLANS_H

#include "fft/engine.h"

/*
 * Frames of n points give the same bits while another thread makes spectra of n and 2 n points,
 * `rounds` of each; each of them is then used by this thread.
 */
void concurrent_plans_check(struct fft_engine *e, uint32_t n, uint32_t rounds);

#endif
