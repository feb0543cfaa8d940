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

/*
 * The values of the T threads of a row as they are, in the order of the threads: [E/4][T][4]. For
 * detectors that a later launch continues; in the order of bins, every value may be in another
 * sector of memory.
 */
template <int E, int T> DEVICE void keep_values(float *to, const float *x, int t)
{
    unroll<0, E / 4>([&](auto i) {
        adjacent<float, 4> four;
        unroll<0, 4>([&](auto k) { four.at[k] = x[4 * i + k]; });
        ((adjacent<float, 4> *)to)[i * T + t] = four;
    });
}
template <int E, int T> DEVICE void restore_values(float *x, const float *from, int t)
{
    unroll<0, E / 4>([&](auto i) {
        const auto four = ((const adjacent<float, 4> *)from)[i * T + t];
        unroll<0, 4>([&](auto k) { x[4 * i + k] = four.at[k]; });
    });
}

/* The sum alone. */
template <int E> struct mean_fold {
    static constexpr bool single = false, counts = false;
    static constexpr int detectors = 1;
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
    template <int T> METHOD void keep(float *to, int t) const
    {
        keep_values<E, T>(to, sum, t);
    }
    template <int T> METHOD void restore(const float *from, int t)
    {
        restore_values<E, T>(sum, from, t);
    }
};

/* All detectors. Those that are not wanted are folded and discarded. */
template <int E> struct detectors_fold {
    static constexpr bool single = true, counts = false;
    static constexpr int detectors = 3;
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
    template <int T> METHOD void keep(float *to, int t) const
    {
        keep_values<E, T>(to, sum, t);
        keep_values<E, T>(to + E * T, max, t);
        keep_values<E, T>(to + 2 * E * T, min, t);
    }
    template <int T> METHOD void restore(const float *from, int t)
    {
        restore_values<E, T>(sum, from, t);
        restore_values<E, T>(max, from + E * T, t);
        restore_values<E, T>(min, from + 2 * E * T, t);
    }
};

/* All detectors and density. */
template <int E> struct counting_fold : detectors_fold<E> {
    static constexpr bool counts = true;
};

#endif
