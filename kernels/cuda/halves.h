/*
 * halves.h - both halves of a real row's spectrum. The 2 n reals of a row are n points, even reals
 * as real parts and odd ones as imaginary parts; fft/real.h has the formulas that lead from the
 * spectrum of these points to the bins of the row, and back.
 */
#ifndef FFTD_KERNELS_CUDA_HALVES_H
#define FFTD_KERNELS_CUDA_HALVES_H

#include "kernels/cuda/small_dft.h"

/* Values number k and n - k. */
struct halves {
    point low, high;
};

/* The bins, times `scale`, from the spectrum of the points; w is exp(-pi i k / n). */
DEVICE halves part_halves(halves z, point w, float scale)
{
    const float half = 0.5F * scale;
    const point even = {half * (z.low.re + z.high.re), half * (z.low.im - z.high.im)};
    const point odd = {half * (z.low.im + z.high.im), half * (z.high.re - z.low.re)};
    const float re = fmaf(odd.re, w.re, -odd.im * w.im), im = fmaf(odd.re, w.im, odd.im * w.re);
    return {{even.re + re, even.im + im}, {even.re - re, im - even.im}};
}

/* The inverse, times two. Of k = 0 only `low` is a point. */
DEVICE halves join_halves(halves x, point w)
{
    const point even = {x.low.re + x.high.re, x.low.im - x.high.im};
    const point odd = times({x.low.re - x.high.re, x.low.im + x.high.im}, {w.re, -w.im});
    return {{even.re - odd.im, even.im + odd.re}, {even.re + odd.im, odd.re - even.im}};
}

#endif
