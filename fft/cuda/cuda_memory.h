/*
 * cuda_memory.h - buffer hooks: device memory, and a pinned host block that mirrors it while
 * mapped. The first map allocates the block.
 */
#ifndef FFTD_FFT_CUDA_CUDA_MEMORY_H
#define FFTD_FFT_CUDA_CUDA_MEMORY_H

#include "fft/cuda/cuda_pinned.h"
#include "fft/cuda/cuda_state.h"

struct cuda_memory {
    cuda_address address;
    struct cuda_pinned mirror;
};

int cuda_memory_create(struct fft_buffer *b);
int cuda_memory_map(struct fft_buffer *b, void **at);
int cuda_memory_unmap(struct fft_buffer *b);
void cuda_memory_destroy(struct fft_buffer *b);
int cuda_memory_wait(struct fft_engine *e); /* waits for all work on the stream of the transforms */

#endif
