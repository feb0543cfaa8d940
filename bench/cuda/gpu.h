/*
 * gpu.h - CUDA runtime helpers of the device-resident bench: checked calls, medians by events,
 * random memory, poison, comparisons on the device.
 */
#ifndef FFTD_BENCH_CUDA_GPU_H
#define FFTD_BENCH_CUDA_GPU_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define GPU(call)                                                                                  \
    do {                                                                                           \
        const cudaError_t gpu_error_ = (call);                                                     \
        if (gpu_error_ != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(gpu_error_));                                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct gpu_block { /* device memory, freed by the destructor */
    void *at = nullptr;
    size_t bytes = 0;
    explicit gpu_block(size_t wanted) : bytes(wanted)
    {
        GPU(cudaMalloc(&at, wanted > 0 ? wanted : 256));
    }
    ~gpu_block()
    {
        cudaFree(at);
    }
    gpu_block(const gpu_block &) = delete;
    void poison(cudaStream_t stream)
    {
        GPU(cudaMemsetAsync(at, 0xff, bytes, stream));
    }
    uint64_t address() const
    {
        return (uint64_t)at;
    }
};

/*
 * Measures milliseconds of one call of `work`, which enqueues on the stream: the median of `runs`.
 */
double gpu_median_ms(cudaStream_t stream, int runs, const std::function<void()> &work);

/* Fill with random bits; with random floats in -1 .. 1. */
void gpu_fill_bits(void *to, size_t bytes, uint32_t seed);
void gpu_fill_floats(void *to, size_t count, uint32_t seed);

/* Counts words that differ. */
size_t gpu_differing(const void *a, const void *b, size_t bytes);

/* Measure 1e9 bytes a second: copying (read + write) and reading a block of this size. */
double gpu_copy_rate(cudaStream_t stream, size_t bytes);
double gpu_read_rate(cudaStream_t stream, size_t bytes);

#endif
