/*
 * butterfly.h - Fourier transforms of 2 .. 64 points in registers: radix-2 decimation in time. Each
 * butterfly a + w b, a - w b takes six fused multiply-adds, so a twiddle costs no extra operation
 * (E. Linzer and E. Feig, "Implementation of efficient FFT algorithms on fused multiply-add
 * architectures", 1993).
 *
 * A pass of the whole transform takes R points x_r with twiddles: V_k = sum x_r w^r exp(-2 pi i r k
 * / R). Level m = 2, 4 .. R joins sub-transforms of m/2 points with the roots w^(R/m) exp(-2 pi i k
 * / m), k = 0 .. m/2 - 1. The roots for k >= m/4 are -i times those of k - m/4. A pass therefore
 * needs R/2 roots: number 0 for level 2, number m/4 + k for level m. fft/cuda/cuda_tables.c makes
 * the tables.
 */
#ifndef FFTD_KERNELS_CUDA_BUTTERFLY_H
#define FFTD_KERNELS_CUDA_BUTTERFLY_H

#include "kernels/cuda/device.h"

/* Taylor series, evaluated by the compiler: exact to double precision for |x| <= pi. */
CONSTANT double constant_cos(double x)
{
    double sum = 1, term = 1;
    for (int i = 2; i < 32; i += 2) {
        term *= -x * x / ((i - 1) * i);
        sum += term;
    }
    return sum;
}

CONSTANT double constant_sin(double x)
{
    double sum = x, term = x;
    for (int i = 3; i < 32; i += 2) {
        term *= -x * x / ((i - 1) * i);
        sum += term;
    }
    return sum;
}

/* exp(-2 pi i K / M) for K < M/2. */
template <int K, int M> struct root {
    static constexpr float re = (float)constant_cos(6.283185307179586 * K / M);
    static constexpr float im = (float)-constant_sin(6.283185307179586 * K / M);
};

/* a, b = a + b, a - b */
DEVICE void join(point &a, point &b)
{
    const point t = a;
    a = {t.re + b.re, t.im + b.im};
    b = {t.re - b.re, t.im - b.im};
}

/* a, b = a - i b, a + i b */
DEVICE void join_rotated(point &a, point &b)
{
    const point t = a, u = b;
    a = {t.re + u.im, t.im - u.re};
    b = {t.re - u.im, t.im + u.re};
}

/*
 * a, b = a + w b, a - w b. The second output is 2 a minus the first, which inherits the rounding of
 * the first. With PRECISE_BUTTERFLIES it is computed by itself for two more operations; the error
 * of a whole transform is a tenth less.
 */
DEVICE void join(point &a, point &b, point w)
{
    const float re = fmaf(-w.im, b.im, fmaf(w.re, b.re, a.re));
    const float im = fmaf(w.im, b.re, fmaf(w.re, b.im, a.im));
#ifdef PRECISE_BUTTERFLIES
    b = {fmaf(w.im, b.im, fmaf(-w.re, b.re, a.re)), fmaf(-w.im, b.re, fmaf(-w.re, b.im, a.im))};
#else
    b = {fmaf(2.0F, a.re, -re), fmaf(2.0F, a.im, -im)};
#endif
    a = {re, im};
}

/* a, b = a - i w b, a + i w b */
DEVICE void join_rotated(point &a, point &b, point w)
{
    join(a, b, point{w.im, -w.re});
}

/* Levels From .. R with constant roots. v: bit-reversed input, natural output. */
template <int R, int From> DEVICE void levels(point *v)
{
    if constexpr (From <= R) {
        unroll<0, R / 2>([&](auto butterfly) {
            constexpr int half = From / 2, k = butterfly % half;
            constexpr int i = butterfly / half * From + k;
            if constexpr (k == 0)
                join(v[i], v[i + half]);
            else if constexpr (4 * k == From)
                join_rotated(v[i], v[i + half]);
            else
                join(v[i], v[i + half], point{root<k, From>::re, root<k, From>::im});
        });
        levels<R, From * 2>(v);
    }
}

/* Levels From .. R with roots from a table: twiddle(known<number>). */
template <int R, int From, class Twiddle> DEVICE void levels(point *v, Twiddle &twiddle)
{
    if constexpr (From == 2) {
        const point w = twiddle(known<0>{});
        unroll<0, R / 2>([&](auto block) { join(v[2 * block], v[2 * block + 1], w); });
    } else if constexpr (From <= R) {
        constexpr int quarter = From / 4;
        unroll<0, quarter>([&](auto k) {
            const point w = twiddle(known<quarter + k>{});
            unroll<0, R / From>([&](auto block) {
                constexpr int i = block * From + k;
                join(v[i], v[i + 2 * quarter], w);
                join_rotated(v[i + quarter], v[i + 3 * quarter], w);
            });
        });
    }
    if constexpr (From < R)
        levels<R, From * 2>(v, twiddle);
}

template <int R> DEVICE void reverse_bits(point *v)
{
    point reordered[R];
    unroll<0, R>([&](auto i) { reordered[reversed_bits(i, R)] = v[i]; });
    unroll<0, R>([&](auto i) { v[i] = reordered[i]; });
}

/* The level that root `number` of a pass belongs to. */
CONSTANT int level_of(int number)
{
    int level = 2;
    while (level / 2 <= number)
        level *= 2;
    return level;
}

/* The first pass: no twiddles. v[R], natural order, in place. */
template <int R> DEVICE void transform(point *v)
{
    reverse_bits<R>(v);
    levels<R, 2>(v);
}

/* A later pass. */
template <int R, class Twiddle> DEVICE void transform(point *v, Twiddle twiddle)
{
    reverse_bits<R>(v);
    levels<R, 2>(v, twiddle);
}

/* The first level of the first pass, with a window, of R points load(known<0>) and so on. */
template <int R, class Load> DEVICE void join_windowed(point *v, const float *window, Load load)
{
    point reordered[R];
    unroll<0, R / 2>([&](auto i) {
        constexpr int half = R / 2, at = reversed_bits(i, R);
        const point a = load(i), c = load(known<i + half>{});
        const point b = {c.re * window[i + half], c.im * window[i + half]};
        reordered[at] = {fmaf(a.re, window[i], b.re), fmaf(a.im, window[i], b.im)};
        reordered[at + 1] = {fmaf(a.re, window[i], -b.re), fmaf(a.im, window[i], -b.im)};
    });
    unroll<0, R>([&](auto i) { v[i] = reordered[i]; });
}

/* The first pass with a window, folded into its first level. */
template <int R> DEVICE void transform_windowed(point *v, const float *window)
{
    join_windowed<R>(v, window, [&](auto i) { return v[i]; });
    levels<R, 4>(v);
}

#endif
