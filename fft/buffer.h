/*
 * buffer.h - what the library itself needs of buffers, beside fft.h. Internal.
 */
#ifndef FFTD_FFT_BUFFER_H
#define FFTD_FFT_BUFFER_H

#include "fft/engine.h"

/* The caller's memory as a buffer of an engine that works on the host's; nothing to destroy. */
struct fft_buffer fft_buffer_of_host(struct fft_engine *e, const void *memory, size_t bytes);

#endif
