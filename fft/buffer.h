/*
 * buffer.h - functions of buffers for the library itself, in addition to fft.h. Internal.
 */
#ifndef FFTD_FFT_BUFFER_H
#define FFTD_FFT_BUFFER_H

#include "fft/engine.h"

/* Wraps the caller's memory for an engine that works on host memory; nothing to destroy. */
struct fft_buffer fft_buffer_of_host(struct fft_engine *e, const void *memory, size_t bytes);

#endif
