/* gpu_internal.h - the state of an open device, for code that launches kernels or calls cuFFT. */
#ifndef FFTD_BENCH_DEVICE_GPU_INTERNAL_H
#define FFTD_BENCH_DEVICE_GPU_INTERNAL_H

#include "bench/device/gpu.h"
#include "fft/cuda/cuda_device.h"
#include "fft/engine.h"

struct gpu {
    struct cuda_driver driver;
    struct cuda_device device;
    struct CUstream_st *stream;
    bool inside; /* the device's context is current until gpu_close */
};

/* Translates a driver's result to -errno; an error is printed on standard error. */
int gpu_check(const struct gpu *g, int result, const char *what);

#endif
