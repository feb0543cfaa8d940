/* detectors.h - the rate of all detectors compared with that of the mean alone. */
#ifndef FFTD_BENCH_CUDA_DETECTORS_H
#define FFTD_BENCH_CUDA_DETECTORS_H

#include "bench/cuda/gpu.h"

/*
 * Plans all samples (cs16) as one batch of frames of n points without overlap, prints the rates of
 * mean alone and of all detectors, and the largest error of a detector of the first frames, against
 * double precision.
 */
void measure_detectors(const gpu_block &samples, uint32_t n);

#endif
