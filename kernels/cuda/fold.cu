/*
 * fold.cu - kernels after the spectra: combine partial detectors, count levels into hits, clear
 * hits.
 */
#include "kernels/cuda/density.h"

enum { COMBINE_THREADS = 1024, DENSITY_THREADS = 256, CLEAR_THREADS = 256 };

/* 0 sum, 1 max, 2 min */
DEVICE float combined(int detector, float a, float b)
{
    return detector == 0 ? a + b : detector == 1 ? fmaxf(a, b) : fminf(a, b);
}

/*
 * Each block folds `bins` adjacent bins. Its threads form parts of `bins` threads: part p folds
 * groups p, p + parts, p + 2 parts ..., then the first part folds the results of all. The order is
 * fixed, so sums are reproducible.
 *
 *     grid             n / bins, detectors
 *     shared memory    [parts][bins] floats
 */
extern "C" __global__ void __launch_bounds__(COMBINE_THREADS)
    combine(const __grid_constant__ combine_args a)
{
    SHARED_MEMORY(shared);
    float *results = (float *)shared;
    const int detector = (int)blockIdx.y;
    const uint32_t lane = threadIdx.x % a.bins, part = threadIdx.x / a.bins;
    const uint32_t bin = blockIdx.x * a.bins + lane, parts = blockDim.x / a.bins;
    const float *from = a.from[detector];
    if (!from)
        return;

    float value = detector == 2 ? INFINITY : 0;
#pragma unroll 8
    for (uint32_t group = part; group < a.groups; group += parts)
        value = combined(detector, value, from[(size_t)group * a.n + bin]);
    results[threadIdx.x] = value;
    __syncthreads();
    if (part == 0) {
        for (uint32_t other = 1; other < parts; other++)
            value = combined(detector, value, results[other * a.bins + lane]);
        a.to[detector][bin] = value;
    }
}

/*
 * Each block counts `tile` adjacent columns, one column per thread. The threads of a column divide
 * the frames. With 32 columns, the counters of a thread are all in its own bank.
 *
 *     grid             columns / tile, parts of the frames
 *     shared memory    [levels][tile] counters
 */
extern "C" __global__ void __launch_bounds__(DENSITY_THREADS)
    density_count(const __grid_constant__ density_args a)
{
    SHARED_MEMORY(shared);
    uint32_t *counters = (uint32_t *)shared;
    const density_scale &d = a.density;
    const uint32_t lane = threadIdx.x % a.tile, phases = DENSITY_THREADS / a.tile;
    const uint32_t column = blockIdx.x * a.tile + lane, count = d.levels * a.tile;
    for (uint32_t i = threadIdx.x; i < count; i += DENSITY_THREADS)
        counters[i] = 0;
    __syncthreads();

    const uint32_t begin = blockIdx.y * a.frames_each;
    const uint32_t end = begin + a.frames_each < a.frames ? begin + a.frames_each : a.frames;
    if (column < d.columns)
        for (uint32_t frame = begin + threadIdx.x / a.tile; frame < end; frame += phases) {
            float peak;
            find_peaks<1>(d, a.powers + (size_t)frame * a.n, column, 0, &peak);
            atomicAdd(counters + level_of_peak(d, peak) * a.tile + lane, 1U);
        }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += DENSITY_THREADS) {
        const uint32_t to = blockIdx.x * a.tile + i / d.levels, level = i % d.levels;
        const uint32_t hits = counters[level * a.tile + i / d.levels];
        if (to < d.columns && hits > 0)
            atomicAdd(d.hits + (size_t)to * d.levels + level, hits);
    }
}

extern "C" __global__ void __launch_bounds__(CLEAR_THREADS)
    clear(const __grid_constant__ clear_args a)
{
    for (uint32_t i = blockIdx.x * CLEAR_THREADS + threadIdx.x; i < a.count;
         i += gridDim.x * CLEAR_THREADS)
        a.words[i] = 0;
}
