/*
 * dit128.h - K. Aatish and B. Zhang, "Three Dimensional Fast Fourier Transform CUDA Implementation"
 * (University of California, San Diego, 2012): radix 2, decimation in time, 128 points; point i
 * belongs to thread i of a row. rule.h has the indices.
 */
#ifndef FFTD_STUDIES_CUDA_3D_KERNELS_DIT128_H
#define FFTD_STUDIES_CUDA_3D_KERNELS_DIT128_H

#include "kernels/cuda/device.h"
#include "studies/cuda_3d/kernels/args.h"
#include "studies/cuda_3d/kernels/rule.h"

#ifdef __CUDACC__
DEVICE float fast_cos(float x)
{
    return __cosf(x);
}
DEVICE float fast_sin(float x)
{
    return __sinf(x);
}
DEVICE void note_store(const void *, unsigned)
{
}
DEVICE void note_shared(const void *, unsigned)
{
}
#else
#define fast_cos    cosf
#define fast_sin    sinf
#define note_store  shim_note_store
#define note_shared shim_note_shared
#endif

/* Parameters of the document and of its future work. */
enum twiddles { FAST_MATH, TABLE };
enum decimation { IN_TIME, IN_FREQUENCY };

DEVICE void store_point(point *p, point v)
{
    note_store(p, sizeof v);
    *p = v;
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

/* An element of a row, and the bin where it ends. */
struct element {
    int i, bin;
};

DEVICE element element_of(int i)
{
    return {i, bin_of_element(STUDY_BITS, i)};
}

/* Element e after a stage, from its own point and that of its partner, one stride away. */
template <twiddles Kind, decimation D>
DEVICE point stage_of(const study_rows_args &a, element e, int stage, point own, point other)
{
    const int stride = stride_of(STUDY_BITS, stage);
    const bool low = e.i & stride;
    point v = low ? point{other.re - own.re, other.im - own.im}
                  : point{own.re + other.re, own.im + other.im};
    if constexpr (D == IN_TIME) {
        if (stage < STUDY_BITS && (e.i & stride / 2))
            v = multiplied(v, twiddle_of<Kind>(a, exponent_in_time(STUDY_BITS, e.bin, stage)));
    } else {
        if (stage < STUDY_BITS && low)
            v = multiplied(v, twiddle_of<Kind>(a, exponent_in_frequency(STUDY_BITS, e.i, stage)));
    }
    return v;
}

#endif
