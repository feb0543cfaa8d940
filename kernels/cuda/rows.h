/*
 * rows.h - loads and stores single points of rows: origins of rows, and conversion between complex
 * points and real rows. fft/real.h has the formulas of real rows.
 */
#ifndef FFTD_KERNELS_CUDA_ROWS_H
#define FFTD_KERNELS_CUDA_ROWS_H

#include "kernels/cuda/direction.h"
#include "kernels/cuda/halves.h"

enum rows_kind { ROWS_COMPLEX, ROWS_R2C, ROWS_C2R };

/* i / x; by_x is 2^32 / x, rounded up, or 0 for 1. Exact while i x < 2^32. */
DEVICE uint32_t divided(uint32_t i, uint32_t by_x)
{
    return by_x ? __umulhi(i, by_x) : i;
}

/* ---- origins -----------------------------------------------------------------------------  */

/* Offsets of the first point of a row. */
struct row_origin {
    uint64_t from, to;
    uint32_t column; /* number along the first axis */
};

template <class Count> DEVICE row_origin origin_of(const pass_args &a, Count row)
{
    row_origin p = {0, 0, 0};
    for (int i = 0; i < PASS_AXES; i++) {
        const Count count = (Count)a.axes[i].count, at = row < count ? row : row % count;
        row = row < count ? 0 : row / count;
        p.from += at * a.axes[i].from;
        p.to += at * a.axes[i].to;
        p.column = i == 0 ? (uint32_t)at : p.column;
    }
    return p;
}

DEVICE row_origin origin_of_row(const pass_args &a, uint64_t row)
{
    if (a.first + a.rows <= UINT32_MAX) /* 64-bit division is slow */
        return origin_of<uint32_t>(a, (uint32_t)row);
    return origin_of<uint64_t>(a, row);
}

/* ---- points ------------------------------------------------------------------------------ */

DEVICE point load_reals(const pass_args &a, uint64_t row, uint32_t x)
{
    const float *from = (const float *)a.from + row;
    if (!a.halved)
        return {from[x * a.from_stride], 0};
    from += 2 * x * a.from_stride;
    return a.paired ? load_once((const point *)from) : point{from[0], from[a.from_stride]};
}

/* From the bins of an odd real row, of which only half are stored. */
DEVICE point load_mirrored(const pass_args &a, uint64_t row, uint32_t x)
{
    const bool mirrored = x > a.n / 2;
    const point v = a.from[row + (mirrored ? a.n - x : x) * a.from_stride];
    return {v.re, x == 0 ? 0 : mirrored ? -v.im : v.im};
}

/* Point x of the n complex points that represent the row. */
template <rows_kind kind>
DEVICE point load_point(const pass_args &a, const row_origin &p, uint32_t x)
{
    if constexpr (kind == ROWS_R2C)
        return load_reals(a, p.from, x);
    else if constexpr (kind == ROWS_C2R)
        return swapped(load_mirrored(a, p.from, x), a.inverse);
    else
        return swapped(load_once(a.from + p.from + x * a.from_stride), a.inverse);
}

DEVICE void store_reals(const pass_args &a, uint64_t row, uint32_t x, point v)
{
    float *to = (float *)a.to + row;
    if (!a.halved) {
        to[x * a.to_stride] = v.re;
        return;
    }
    to += 2 * x * a.to_stride;
    if (a.paired) {
        store_once((point *)to, v);
    } else {
        to[0] = v.re;
        to[a.to_stride] = v.im;
    }
}

/* Root `at` of a long row. The fine table holds differences from 1, which keeps full precision. */
DEVICE point long_root(const pass_args &a, uint32_t at)
{
    const point c = load_constant(a.coarse + at / PASS_FINE);
    const point d = load_constant(a.fine + at % PASS_FINE);
    return {c.re + fmaf(c.re, d.re, -c.im * d.im), c.im + fmaf(c.re, d.im, c.im * d.re)};
}

DEVICE void store_complex(const pass_args &a, const row_origin &p, uint32_t x, point v)
{
    if (a.fine)
        v = times(v, long_root(a, p.column * x));
    store_once(a.to + p.to + x * a.to_stride, result_of(a, v));
}

template <rows_kind kind>
DEVICE void store_point(const pass_args &a, const row_origin &p, uint32_t x, point v)
{
    if constexpr (kind == ROWS_C2R)
        store_reals(a, p.to, x, result_of(a, v));
    else if constexpr (kind == ROWS_COMPLEX)
        store_complex(a, p, x, v);
    else if (x <= a.n / 2)
        a.to[p.to + x * a.to_stride] = result_of(a, v);
}

/* ---- both halves of a real row's spectrum -------------------------------------------------- */

/* Stores bins k and n - k of 2 n reals, from points k and n - k of the spectrum of their pairs. */
DEVICE void part(const pass_args &a, const row_origin &p, uint32_t k, halves z, point w)
{
    point *to = a.to + p.to;
    const halves x = part_halves(z, w, a.scale);
    to[k * a.to_stride] = x.low;
    to[(a.n - k) * a.to_stride] = x.high;
}

/* Loads the bins, and makes points k and n - k of them; of k = 0 only `low` is a point. */
DEVICE halves join(const pass_args &a, const row_origin &p, uint32_t k, point w)
{
    const point *from = a.from + p.from;
    halves x = {from[k * a.from_stride], from[(a.n - k) * a.from_stride]};
    if (k == 0)
        x.low.im = x.high.im = 0;
    return join_halves(x, w);
}

#endif
