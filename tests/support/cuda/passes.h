/*
 * passes.h - a pass as it was planned, run by the emulation, with scratch that was filled with
 * garbage. "Device" addresses are addresses of this process.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_PASSES_H
#define FFTD_TESTS_SUPPORT_CUDA_PASSES_H

#include "fft/cuda/pass_plan.h"

/* All launches of a plan, of what it was made for; tells how many. Fails the test when one goes
 * wrong. */
uint32_t emulate_pass(const struct cuda_pass *p, const struct engine_pass *pass, const void *in,
                      void *out);

#endif
