/*
 * cufft.h - cuFFT, opened at run time, between a kernel that unpacks and windows and one that
 * squares and sums; and cuFFT alone.
 */
#ifndef FFTD_BENCH_CUDA_CUFFT_H
#define FFTD_BENCH_CUDA_CUFFT_H

#include "bench/cuda/gpu.h"

/* False: cuFFT is not installed. */
bool cufft_open();

/*
 * Measures the best pipeline over all cs16 samples, each line the mean of `line_frames` frames:
 * 2^21, 2^23, 2^25 or all samples at a time, on one and on two streams, as a graph. Returns 1e9
 * samples a second.
 */
double cufft_spectrum_rate(cudaStream_t stream, const void *samples, size_t count,
                           const float *window, uint32_t n, uint32_t line_frames, float *lines);

/* Measures count points as transforms of n points, out of place. */
double cufft_plain_rate(cudaStream_t stream, float2 *from, float2 *to, size_t count, uint32_t n);

/* Runs these transforms once. */
void cufft_plain(cudaStream_t stream, float2 *from, float2 *to, size_t count, uint32_t n);

#endif
