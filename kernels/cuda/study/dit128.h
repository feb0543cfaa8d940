/*
 * dit128.h - K. Aatish and B. Zhang, "Three Dimensional Fast Fourier Transform CUDA Implementation"
 * (University of California, San Diego, 2012): radix 2, decimation in time, 128 points, input in
 * natural order, output permuted. Point i belongs to thread i of a row. In stage p = 1 .. 7, with
 * stride S = 128 >> p:
 *
 *     v[i] = i & S ? v[i - S] - v[i] : v[i] + v[i + S]          all read before they are written
 *     v[i] = v[i] W^Q  where i & S/2, except in the last stage   W = exp(-2 pi i / 128)
 *     Q    = the top p bits of i, reversed, as the top of 6 bits
 *
 * v[i] ends as the bin whose number is i with its 7 bits reversed. Decimation in frequency has the
 * same strides; its twiddle, (i mod S) << (p - 1), belongs to the lower half of the same butterfly.
 */
#ifndef FFTD_KERNELS_CUDA_STUDY_DIT128_H
#define FFTD_KERNELS_CUDA_STUDY_DIT128_H

#include "kernels/cuda/device.h"
#include "kernels/cuda/study/args.h"

#ifdef __CUDACC__
DEVICE float fast_cos(float x)
{
    return __cosf(x);
}
DEVICE float fast_sin(float x)
{
    return __sinf(x);
}
/* The value in lane (own ^ mask) of the warp. */
DEVICE float from_lane(float v, int mask)
{
    return __shfl_xor_sync(0xffffffffU, v, mask);
}
#else
#define fast_cos  cosf
#define fast_sin  sinf
#define from_lane shim_from_lane
#endif

/* Parameters of the document and of its future work. */
enum twiddles { FAST_MATH, TABLE };
enum decimation { IN_TIME, IN_FREQUENCY };

CONSTANT int stride_of(int stage)
{
    return STUDY_N >> stage;
}

/*
 * Exponent of element i after a stage of decimation in time: 7 bits ABCDEXY give EDCBA0 after the
 * fifth.
 */
DEVICE int exponent_in_time(int i, int stage)
{
    return (int)(bits_reversed((uint32_t)i >> (STUDY_BITS - stage)) >> (32 - STUDY_BITS + 1));
}

DEVICE int exponent_in_frequency(int i, int stage)
{
    return i % stride_of(stage) << (stage - 1);
}

/* Bin of element i of the result. */
DEVICE int bin_of_element(int i)
{
    return (int)(bits_reversed((uint32_t)i) >> (32 - STUDY_BITS));
}

template <twiddles Kind> DEVICE point twiddle_of(const study_rows_args &a, int q)
{
    if constexpr (Kind == TABLE) {
        return load_constant(a.roots + q);
    } else {
        const float angle = -6.2831853F / STUDY_N * (float)q;
        return {fast_cos(angle), fast_sin(angle)};
    }
}

DEVICE point multiplied(point v, point w)
{
    return {fmaf(v.re, w.re, -v.im * w.im), fmaf(v.re, w.im, v.im * w.re)};
}

/* Element i after a stage, from its own point and that of its partner, one stride away. */
template <twiddles Kind, decimation D>
DEVICE point stage_of(const study_rows_args &a, int i, int stage, point own, point other)
{
    const int stride = stride_of(stage);
    const bool low = i & stride;
    point v = low ? point{other.re - own.re, other.im - own.im}
                  : point{own.re + other.re, own.im + other.im};
    if constexpr (D == IN_TIME) {
        if (stage < STUDY_BITS && (i & stride / 2))
            v = multiplied(v, twiddle_of<Kind>(a, exponent_in_time(i, stage)));
    } else {
        if (stage < STUDY_BITS && low)
            v = multiplied(v, twiddle_of<Kind>(a, exponent_in_frequency(i, stage)));
    }
    return v;
}

#endif
