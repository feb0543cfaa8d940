/* opencl_pass.h - the engine's hooks for passes of transforms: launches on the engine's queue, in
 * the order of the calls. */
#ifndef FFTD_FFT_OPENCL_OPENCL_PASS_H
#define FFTD_FFT_OPENCL_OPENCL_PASS_H

#include "fft/opencl/opencl_kernels.h"
#include "fft/opencl/opencl_pass_plan.h"

struct opencl_pass_state {
    struct opencl_pass plan;
    struct opencl_kernels kernels;
    struct _cl_mem *tables, *scratch;
};

int opencl_pass_init(struct engine_pass *p, struct fft_reason why);
void opencl_pass_finish(struct engine_pass *p);
int opencl_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to);

#endif
