/* density.h - levels of a frame: the level of each column, and its counter. */
#ifndef FFTD_KERNELS_CUDA_DENSITY_H
#define FFTD_KERNELS_CUDA_DENSITY_H

#include "kernels/cuda/device.h"

/*
 * Finds the largest power in each of `count` columns, `step` apart. Loads of all columns are in
 * flight together, so none waits for the previous one. All columns have `d.bins` bins or one less:
 * the last bin is read separately, perhaps twice.
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
 * Counts the levels of a frame by thread `t` of T. The powers are in shared memory. Adjacent
 * columns count in different cache lines, and no thread waits for an addition.
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
