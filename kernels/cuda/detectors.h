/*
 * detectors.h - folds |X|^2 of successive frames in registers: E bins per thread; `bin(known<e>)`
 * maps an element to its bin. `at` is the offset of the row of the group in [groups][n]. `single`:
 * powers of single frames are wanted, too; `counts`: their levels for the density.
 */
#ifndef FFTD_KERNELS_CUDA_DETECTORS_H
#define FFTD_KERNELS_CUDA_DETECTORS_H

#include "kernels/cuda/device.h"

DEVICE float power_of(point v)
{
    return fmaf(v.im, v.im, v.re * v.re);
}

/* Stores the powers of a single frame. */
template <int E, class Bin> DEVICE void store_powers(float *to, const point *v, Bin bin)
{
    unroll<0, E>([&](auto e) { to[bin(e)] = power_of(v[e]); });
}

/* The sum alone. */
template <int E> struct mean_fold {
    static constexpr bool single = false, counts = false;
    float sum[E];

    template <class Bin> METHOD void begin(const spectrum_args &a, size_t at, bool resume, Bin bin)
    {
        unroll<0, E>([&](auto e) { sum[e] = resume ? a.sum[at + bin(e)] : 0; });
    }
    METHOD void add(const point *v)
    {
        unroll<0, E>(
            [&](auto e) { sum[e] = fmaf(v[e].im, v[e].im, fmaf(v[e].re, v[e].re, sum[e])); });
    }
    template <class Bin> METHOD void end(const spectrum_args &a, size_t at, Bin bin)
    {
        unroll<0, E>([&](auto e) { a.sum[at + bin(e)] = sum[e]; });
    }
};

/* All detectors. Those that are not wanted are folded and discarded. */
template <int E> struct detectors_fold {
    static constexpr bool single = true, counts = false;
    float sum[E], max[E], min[E];

    template <class Bin> METHOD void begin(const spectrum_args &a, size_t at, bool resume, Bin bin)
    {
        unroll<0, E>([&](auto e) {
            sum[e] = resume && a.sum ? a.sum[at + bin(e)] : 0;
            max[e] = resume && a.max ? a.max[at + bin(e)] : 0;
            min[e] = resume && a.min ? a.min[at + bin(e)] : INFINITY;
        });
    }
    template <int e> METHOD void add(known<e>, float power)
    {
        sum[e] += power;
        max[e] = fmaxf(max[e], power);
        min[e] = fminf(min[e], power);
    }
    METHOD void add(const point *v)
    {
        unroll<0, E>([&](auto e) { add(known<e>{}, power_of(v[e])); });
    }
    template <class Bin> METHOD void end(const spectrum_args &a, size_t at, Bin bin)
    {
        if (a.sum)
            unroll<0, E>([&](auto e) { a.sum[at + bin(e)] = sum[e]; });
        if (a.max)
            unroll<0, E>([&](auto e) { a.max[at + bin(e)] = max[e]; });
        if (a.min)
            unroll<0, E>([&](auto e) { a.min[at + bin(e)] = min[e]; });
    }
};

/* All detectors and density. */
template <int E> struct counting_fold : detectors_fold<E> {
    static constexpr bool counts = true;
};

#endif
