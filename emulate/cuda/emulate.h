/*
 * emulate.h - runs a kernel of kernels/cuda/ on the CPU. Device memory is the process's memory.
 *
 * One launch at a time, from any thread.
 */
#ifndef FFTD_EMULATE_CUDA_EMULATE_H
#define FFTD_EMULATE_CUDA_EMULATE_H

#include <stdint.h>

#include "fft/cuda/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there such a kernel in such a module? */
bool emulate_has(const char *module, const char *kernel);

/*
 * Runs every block of the launch, one after the other. Shared memory is exactly launch->shared
 * bytes of garbage. NULL, or what went wrong: no such kernel, a barrier that some threads never
 * reach, a write outside of shared memory.
 */
const char *emulate_launch(const struct cuda_launch *launch);

/* The same with arguments that are none of the engine's. */
const char *emulate_run(const struct cuda_launch *launch, const void *args);

#ifdef __cplusplus
}
#endif

#endif
