/*
 * detectors.h - folds |X|^2 of successive frames in registers: E bins per thread; `bin(known<e>)`
 * maps an element to its bin. `at` is the offset of the row of the group in [groups][n].
 */
#ifndef FFTD_KERNELS_CUDA_DETECTORS_H
#define FFTD_KERNELS_CUDA_DETECTORS_H

#include "kernels/cuda/device.h"

DEVICE float power_of(point v)
{
    return fmaf(v.im, v.im, v.re * v.re);
}

/* The sum alone. */
template <int E> struct mean_fold {
    static constexpr bool counts = false; /* no density */
    float sum[E];

    template <class Bin> METHOD void begin(const spectrum_args &a, size_t at, bool resume, Bin bin)
    {
        unroll<0, E>([&](auto e) { sum[e] = resume ? a.sum[at + bin(e)] : 0; });
    }
    template <class Bin>
    METHOD void add(const spectrum_args &, const point *v, uint32_t, size_t, Bin)
    {
        unroll<0, E>(
            [&](auto e) { sum[e] = fmaf(v[e].im, v[e].im, fmaf(v[e].re, v[e].re, sum[e])); });
    }
    template <class Bin> METHOD void end(const spectrum_args &a, size_t at, Bin bin)
    {
        unroll<0, E>([&](auto e) { a.sum[at + bin(e)] = sum[e]; });
    }
};

/*
 * All detectors and single frames. Detectors that are not wanted are folded and discarded. Frames
 * are stored in separate loops: a condition inside the fold loop costs registers.
 */
template <int E> struct detectors_fold {
    static constexpr bool counts = true;
    float sum[E], max[E], min[E];

    template <class Bin> METHOD void begin(const spectrum_args &a, size_t at, bool resume, Bin bin)
    {
        unroll<0, E>([&](auto e) {
            sum[e] = resume && a.sum ? a.sum[at + bin(e)] : 0;
            max[e] = resume && a.max ? a.max[at + bin(e)] : 0;
            min[e] = resume && a.min ? a.min[at + bin(e)] : INFINITY;
        });
    }
    template <class Bin>
    METHOD void add(const spectrum_args &a, const point *v, uint32_t frame, size_t n, Bin bin)
    {
        unroll<0, E>([&](auto e) {
            const float power = power_of(v[e]);
            sum[e] += power;
            max[e] = fmaxf(max[e], power);
            min[e] = fminf(min[e], power);
        });
        if (a.powers)
            unroll<0, E>([&](auto e) { a.powers[frame * n + bin(e)] = power_of(v[e]); });
        if (a.last && frame == a.frames - 1)
            unroll<0, E>([&](auto e) { a.last[bin(e)] = power_of(v[e]); });
    }
    template <class Bin> METHOD void end(const spectrum_args &a, size_t at, Bin bin)
    {
        unroll<0, E>([&](auto e) {
            if (a.sum)
                a.sum[at + bin(e)] = sum[e];
            if (a.max)
                a.max[at + bin(e)] = max[e];
            if (a.min)
                a.min[at + bin(e)] = min[e];
        });
    }
};

#endif
