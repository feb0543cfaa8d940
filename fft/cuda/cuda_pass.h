/*
 * cuda_pass.h - pass hooks of transforms. A call queues launches on the engine's stream for
 * transforms, after all work queued there earlier.
 */
#ifndef FFTD_FFT_CUDA_CUDA_PASS_H
#define FFTD_FFT_CUDA_CUDA_PASS_H

#include "fft/cuda/cuda_kernels.h"
#include "fft/cuda/cuda_pass_plan.h"

struct cuda_pass_state {
    struct cuda_pass plan;
    struct cuda_kernels kernels;
    cuda_address memory, tables, scratch; /* memory: the allocation of both */
    void *upload;                         /* the tables, while the device may still read them */
};

int cuda_pass_init(struct engine_pass *p, struct fft_reason why);
bool cuda_pass_joins_axes(const struct engine_pass *p);
void cuda_pass_finish(struct engine_pass *p);
int cuda_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to);

#endif
