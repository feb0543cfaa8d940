/*
 * engine_cuda.h - the engine for NVIDIA GPUs from Turing on, which uses the driver alone.
 *
 * "cuda" is the first device, "cuda:1" the second, and "cuda:all" distributes batches over all
 * devices in rotation. The kernels (kernels/cuda) are embedded in the program. Opening the engine
 * opens the driver (cuda_driver.h). See cuda_batch_queue.h for the path of a batch.
 */
#ifndef FFTD_FFT_CUDA_ENGINE_CUDA_H
#define FFTD_FFT_CUDA_ENGINE_CUDA_H

#include "fft/engine.h"

extern const struct engine_ops cuda_engine_ops;

#endif
