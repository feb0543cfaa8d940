/* opencl_memory.h - the engine's hooks for buffers: memory objects that the host accesses through
 * the driver's mapping. Where host and device share memory, mapping makes no copy. */
#ifndef FFTD_FFT_OPENCL_OPENCL_MEMORY_H
#define FFTD_FFT_OPENCL_OPENCL_MEMORY_H

#include "fft/opencl/opencl_state.h"

int opencl_memory_create(struct fft_buffer *b);
int opencl_memory_map(struct fft_buffer *b, void **at);
int opencl_memory_unmap(struct fft_buffer *b);
void opencl_memory_destroy(struct fft_buffer *b);
int opencl_memory_wait(struct fft_engine *e); /* until the transforms' queue is empty */

#endif
