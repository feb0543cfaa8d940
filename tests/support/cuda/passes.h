/*
 * passes.h - runs a planned pass in the emulator, with scratch filled with arbitrary bits. "Device"
 * addresses are addresses of this process.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_PASSES_H
#define FFTD_TESTS_SUPPORT_CUDA_PASSES_H

#include "fft/cuda/cuda_pass_plan.h"

/* Runs all launches of a planned pass and returns their number. Fails the test on error. */
uint32_t emulate_pass(const struct cuda_pass *p, const struct engine_pass *pass, const void *in,
                      void *out);

#endif
