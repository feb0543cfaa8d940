/*
 * fibres.h - one block of threads as fibres that take turns at barriers. See shim.h for what they see.
 */
#ifndef FFTD_TESTS_CUDA_FIBRES_H
#define FFTD_TESTS_CUDA_FIBRES_H

#include <cstddef>
#include <cstdint>

/* Runs body(argument) in `threads` fibres with `shared` bytes of shared memory; NULL or what failed. */
const char *fibres_run(unsigned threads, size_t shared, void (*body)(const void *),
                       const void *argument);

#endif
