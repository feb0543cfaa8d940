/* engine_list.c - every engine in this build, best first. A new engine is one line here. */
#include "fft/engine.h"

#include "fft/cpu/engine_cpu.h"
#if FFTD_HAVE_CUDA
#include "fft/cuda/engine_cuda.h"
#endif
#include "fft/opencl/engine_opencl.h"
#include "fft/qpu/engine_qpu.h"

const struct engine_ops *const fft_engine_list[] = {
#if FFTD_HAVE_CUDA
    &cuda_engine_ops,
#endif
    &opencl_engine_ops, /* "auto" takes it where the cpu engine is not quicker: opencl_search.c */
    &cpu_engine_ops,
    &qpu_engine_ops,
#if FFTD_HAVE_QPU_EMU
    &qpu_emu_engine_ops,
#endif
    NULL,
};
