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

/* Does the module have the kernel? */
bool emulate_has(const char *module, const char *kernel);

/*
 * Runs the blocks of the launch one after the other. Shared memory is exactly launch->shared bytes,
 * filled with garbage. Returns NULL or the error: no such kernel, a barrier that some threads never
 * reach, a write outside shared memory.
 */
const char *emulate_launch(const struct cuda_launch *launch);

/* The same for kernels whose arguments are not in union cuda_args. */
const char *emulate_run(const struct cuda_launch *launch, const void *args);

#ifdef __cplusplus
}
#endif

#endif
