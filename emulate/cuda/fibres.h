/*
 * fibres.h - runs a cluster of blocks as fibres, which switch at barriers. shim.h declares what
 * kernels see.
 */
#ifndef FFTD_EMULATE_CUDA_FIBRES_H
#define FFTD_EMULATE_CUDA_FIBRES_H

#include <cstddef>
#include <cstdint>

/*
 * Runs body(argument) in `threads` fibres of each of `blocks` blocks, a cluster that begins at
 * blockIdx, with `shared` bytes of shared memory per block. Returns NULL or the error.
 */
const char *fibres_run(unsigned blocks, unsigned threads, size_t shared, void (*body)(const void *),
                       const void *argument);

#endif
