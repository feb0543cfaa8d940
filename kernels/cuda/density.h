/* density.h - levels of a frame: what a column shows of it, and where that is counted. */
#ifndef FFTD_KERNELS_CUDA_DENSITY_H
#define FFTD_KERNELS_CUDA_DENSITY_H

#include "kernels/cuda/device.h"

/*
 * The largest powers of `count` columns, `step` apart: loads of all of them are under way at a
 * time, or each would wait for the one before. All columns have `d.bins` bins or one less, so that
 * the last one is looked at apart, and perhaps twice.
 */
template <int count>
DEVICE void find_peaks(const density_scale &d, const float *powers, uint32_t column, uint32_t step,
                       float *peak)
{
    const float *at[count];
    unroll<0, count>([&](auto i) {
        const uint32_t own = column + i * step < d.columns ? column + i * step : d.columns - 1;
        at[i] = powers + __ldg(d.first + own);
        peak[i] = powers[__ldg(d.first + own + 1) - 1];
    });
#pragma unroll 4
    for (uint32_t bin = 0; bin + 1 < d.bins; bin++)
        unroll<0, count>([&](auto i) { peak[i] = fmaxf(peak[i], at[i][bin]); });
}

DEVICE uint32_t level_of_peak(const density_scale &d, float peak)
{
    const float row = d.offset - d.slope * log2f(peak);
    return (uint32_t)fminf(fmaxf(row, 0.0F), (float)(d.levels - 1));
}

/*
 * Number `t` of T threads that share a frame, whose powers lie in shared memory. Neighbouring
 * columns count in different lines of the cache, and nobody waits for an addition.
 */
template <int T> DEVICE void count_levels(const density_scale &d, const float *powers, int t)
{
    constexpr int at_once = 4;
    for (uint32_t first = (uint32_t)t; first < d.columns; first += at_once * T) {
        float peak[at_once];
        find_peaks<at_once>(d, powers, first, T, peak);
        unroll<0, at_once>([&](auto i) {
            const uint32_t column = first + i * T;
            if (column < d.columns)
                atomicAdd(d.hits + column * d.levels + level_of_peak(d, peak[i]), 1U);
        });
    }
}

#endif
