/*
 * emulate.h - runs a kernel of kernels/cuda/ on the CPU. Device memory is the process's memory.
 *
 * One launch at a time, from any thread.
 */
#ifndef FFTD_EMULATE_CUDA_EMULATE_H
#define FFTD_EMULATE_CUDA_EMULATE_H

#include <stdint.h>

#include "fft/cuda/cuda_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does the module have the kernel? */
bool emulate_has(const char *module, const char *kernel);
/* The module of a kernel, whose name no other one has. NULL: there is no such kernel. */
const char *emulate_module(const char *kernel);

/*
 * Runs the blocks of the launch one after the other, but those of a cluster, or all that run
 * together, side by side. Shared memory is exactly launch->shared bytes, filled with arbitrary
 * bits. Returns NULL or the error: no such kernel, a barrier that some threads never reach, a write
 * outside shared memory.
 */
const char *emulate_launch(const struct cuda_launch *launch);

/* The same for kernels whose arguments are not in union cuda_args. */
const char *emulate_run(const struct cuda_launch *launch, const void *args);

/*
 * Counts the stores to global memory of the last launch as a device combines them: the stores that
 * the threads of a warp make at the same place of the program touch sectors of 32 bytes. Only
 * kernels that call shim_note_store() are counted.
 */
struct emulate_stores {
    uint64_t bytes, sectors;
    uint64_t block_bytes; /* of the block that stored the most */
};
struct emulate_stores emulate_last_stores(void);

/*
 * Counts the accesses to shared memory of the last launch, of kernels that call shim_note_shared().
 * The device serves 128 bytes of a warp in a step, a word of 4 bytes from each of 32 banks; words
 * that meet in a bank take a step each. Without conflicts, and with all threads at work, steps are
 * bytes / 128.
 */
struct emulate_shared {
    uint64_t bytes, steps;
};
struct emulate_shared emulate_last_shared(void);

#ifdef __cplusplus
}
#endif

#endif
