/*
 * small_dft.h - Fourier transforms of any small length 2^a 3^b 5^c 7^d in registers (butterfly.h
 * has those of 2^k points): odd lengths by the symmetry of their roots, others composed of two
 * factors.
 */
#ifndef FFTD_KERNELS_CUDA_SMALL_DFT_H
#define FFTD_KERNELS_CUDA_SMALL_DFT_H

#define PRECISE_BUTTERFLIES /* memory bandwidth is the limit, not arithmetic */
#include "kernels/cuda/butterfly.h"

DEVICE point times(point a, point w)
{
    return {fmaf(a.re, w.re, -a.im * w.im), fmaf(a.re, w.im, a.im * w.re)};
}

/*
 * The sine is folded into the last additions, which saves a rounding. Its nearest float is 1.6e-8
 * too small, the next one (`up`) 4.4e-8 too large.
 */
template <bool up = false> DEVICE void transform_three(point *v)
{
    constexpr float s = root<1, 3>::im - (up ? 0x1p-24F : 0);
    const point sum = {v[1].re + v[2].re, v[1].im + v[2].im};
    const point difference = {v[1].re - v[2].re, v[1].im - v[2].im};
    const point even = {fmaf(-0.5F, sum.re, v[0].re), fmaf(-0.5F, sum.im, v[0].im)};
    v[0] = {v[0].re + sum.re, v[0].im + sum.im};
    v[1] = {fmaf(-s, difference.im, even.re), fmaf(s, difference.re, even.im)};
    v[2] = {fmaf(s, difference.im, even.re), fmaf(-s, difference.re, even.im)};
}

/* Odd lengths: sums x_r + x_(R-r) are multiplied by cosines, differences by sines. */
template <int R> DEVICE void transform_odd(point *v)
{
    point sum[R / 2], difference[R / 2];
    const point first = v[0];
    unroll<0, R / 2>([&](auto i) {
        const point x = v[1 + i], y = v[R - 1 - i];
        sum[i] = {x.re + y.re, x.im + y.im};
        difference[i] = {x.re - y.re, x.im - y.im};
        v[0] = {v[0].re + sum[i].re, v[0].im + sum[i].im};
    });
    unroll<1, R / 2 + 1>([&](auto k) {
        point even = first, odd = {0, 0};
        unroll<0, R / 2>([&](auto i) {
            constexpr int index = k * (i + 1) % R;
            constexpr int near = index > R / 2 ? R - index : index; /* exact series */
            constexpr float c = root<near, R>::re;
            constexpr float s = index > R / 2 ? -root<near, R>::im : root<near, R>::im;
            even = {fmaf(c, sum[i].re, even.re), fmaf(c, sum[i].im, even.im)};
            odd = {fmaf(s, difference[i].re, odd.re), fmaf(s, difference[i].im, odd.im)};
        });
        v[k] = {even.re - odd.im, even.im + odd.re};
        v[R - k] = {even.re + odd.im, even.im - odd.re};
    });
}

template <int R> DEVICE void transform_any(point *v);

/*
 * A and B are coprime: point (B i + A j) mod AB is element (i, j) of two dimensions, bin k is
 * element (k mod A, k mod B), and there are no roots between them (I. J. Good, "The interaction
 * algorithm and practical Fourier analysis", 1958).
 */
CONSTANT int common_bin(int A, int B, int of_a, int of_b)
{
    int k = of_a;
    while (k % B != of_b)
        k += A;
    return k;
}
template <int A, int B> DEVICE void transform_coprime(point *v)
{
    point rows[B][A];
    unroll<0, B>([&](auto j) {
        unroll<0, A>([&](auto i) { rows[j][i] = v[(B * i + A * j) % (A * B)]; });
        transform_any<A>(rows[j]);
    });
    unroll<0, A>([&](auto i) {
        point column[B];
        unroll<0, B>([&](auto j) { column[j] = rows[j][i]; });
        transform_any<B>(column);
        unroll<0, B>([&](auto j) { v[common_bin(A, B, i, j)] = column[j]; });
    });
}

/* exp(-2 pi i K / M) for any K; the series of `root` is exact below half a circle. */
template <int K, int M> DEVICE point any_root()
{
    constexpr int k = K % M, near = 2 * k > M ? M - k : k;
    return {root<near, M>::re, 2 * k > M ? -root<near, M>::im : root<near, M>::im};
}

/*
 * A times B points, with roots between them. Threes that come last have the larger sine: with one
 * constant in all of them, its error would add up over the passes of a row of 3^k points.
 */
template <int A, int B> DEVICE void transform_product(point *v)
{
    point rows[B][A];
    unroll<0, B>([&](auto j) {
        unroll<0, A>([&](auto i) { rows[j][i] = v[B * i + j]; });
        transform_any<A>(rows[j]);
        unroll<1, A>([&](auto k) {
            if constexpr (j > 0)
                rows[j][k] = times(rows[j][k], any_root<j * k, A * B>());
        });
    });
    unroll<0, A>([&](auto k) {
        point column[B];
        unroll<0, B>([&](auto j) { column[j] = rows[j][k]; });
        if constexpr (B == 3)
            transform_three<true>(column);
        else
            transform_any<B>(column);
        unroll<0, B>([&](auto j) { v[k + A * j] = column[j]; });
    });
}

/* In place, natural order. */
template <int R> DEVICE void transform_any(point *v)
{
    if constexpr (R == 9 || R == 27)
        transform_product<3, R / 3>(v);
    else if constexpr (R == 25)
        transform_product<5, 5>(v);
    else if constexpr (R == 6 || R == 10 || R == 14 || R == 18)
        transform_coprime<2, R / 2>(v);
    else if constexpr (R == 12 || R == 20)
        transform_coprime<4, R / 4>(v);
    else if constexpr (R == 15 || R == 21 || R == 24)
        transform_coprime<3, R / 3>(v);
    else if constexpr (R == 3)
        transform_three(v);
    else if constexpr (R % 2 && R > 1)
        transform_odd<R>(v);
    else if constexpr (R > 1)
        transform<R>(v);
}

#endif
