/*
 * engine_cuda.h - spectra on NVIDIA GPUs, from Turing on, through the driver alone.
 *
 * Devices: "cuda" is the first one, "cuda:1" the second, "cuda:all" all of them, which take the
 * batches in turn. Kernels are in the program (kernels/cuda); the driver is opened when the engine
 * is (driver.h). See batch_queue.h for the way of a batch.
 */
#ifndef FFTD_FFT_CUDA_ENGINE_CUDA_H
#define FFTD_FFT_CUDA_ENGINE_CUDA_H

#include "fft/engine.h"

extern const struct engine_ops engine_cuda;

#endif
