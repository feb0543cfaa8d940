/*
 * fibres.h - a cluster of blocks of threads as fibres that take turns at barriers. See shim.h for
 * what they see.
 */
#ifndef FFTD_EMULATE_CUDA_FIBRES_H
#define FFTD_EMULATE_CUDA_FIBRES_H

#include <cstddef>
#include <cstdint>

/*
 * Runs body(argument) in `threads` fibres of each of `blocks` blocks, a cluster that begins at
 * blockIdx, with `shared` bytes of shared memory a block; NULL or what failed.
 */
const char *fibres_run(unsigned blocks, unsigned threads, size_t shared, void (*body)(const void *),
                       const void *argument);

#endif
