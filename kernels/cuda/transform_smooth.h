/*
 * transform_smooth.h - plain transforms of rows of n = 2^a 3^b 5^c 7^d points whose length and
 * radices are compile-time constants: tiles of rows as in transform.h, Stockham passes of mixed
 * radix as in mixed.h, which serves every other length.
 *
 *     grid             tiles: those along axes[0] first, then the other axes, from a.first on
 *     block            T x rows, along or across
 *     shared memory    [rows] exchange buffers of `padded` points; across: [padded][rows]; whole
 *                      tiles (transform.h): two points more
 *
 * N / R butterflies of radix R are seldom a multiple of T threads: in the last round of a pass some
 * threads have none. A row is read completely before any of it is written, so from may equal to.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_SMOOTH_H
#define FFTD_KERNELS_CUDA_TRANSFORM_SMOOTH_H

#include "kernels/cuda/small_dft.h"
#include "kernels/cuda/transform.h"

/*
 * The table of a pass of radix R has the powers w^1 .. w^(step - 1) of its roots, then the
 * multiples of step; the other powers are products of two. step is the root of R, rounded up.
 */
CONSTANT int smooth_step(int R)
{
    int step = 1;
    while (step * step < R)
        step++;
    return step;
}
CONSTANT int smooth_roots(int R)
{
    return smooth_step(R) - 1 + (R - 1) / smooth_step(R);
}

/* The distribution of a row of N points over N / E threads, in up to four passes. */
template <int N_, int E_, int R0, int R1, int R2 = 1, int R3 = 1> struct smooth_shape {
    static constexpr int N = N_, E = E_, T = N_ / E_;
    static constexpr int passes = R3 > 1 ? 4 : R2 > 1 ? 3 : 2, last = passes - 1;
    static_assert(R0 * R1 * R2 * R3 == N && T * E == N, "the radices make the length");

    CONSTANT int radix(int pass)
    {
        return pass == 0 ? R0 : pass == 1 ? R1 : pass == 2 ? R2 : R3;
    }
    CONSTANT int joined(int pass)
    {
        return pass == 0 ? 1 : joined(pass - 1) * radix(pass - 1);
    }
    CONSTANT int rounds(int pass)
    {
        return (N / radix(pass) + T - 1) / T;
    }
    /* Points in the registers of a thread. */
    CONSTANT int points()
    {
        int most = 0;
        for (int p = 0; p < passes; p++)
            most = rounds(p) * radix(p) > most ? rounds(p) * radix(p) : most;
        return most;
    }
    /* An even radix of pass 0 needs a gap after as many points, or its stores conflict in banks. */
    static constexpr int gap = R0 % 2 == 0, padded = N + N / R0 * gap;
    CONSTANT uint32_t spaced(uint32_t x)
    {
        return x + x / R0 * gap;
    }
    /* Offset of the roots of a pass in the table. */
    CONSTANT int roots_at(int pass)
    {
        return pass < 2 ? 0 : roots_at(pass - 1) + smooth_roots(radix(pass - 1)) * joined(pass - 1);
    }
};

/* Calls body(known<round>, butterfly) for the butterflies of a thread. */
template <class Shape, int pass, class Body> DEVICE void for_butterflies(int t, Body &&body)
{
    constexpr int count = Shape::N / Shape::radix(pass);
    unroll<0, Shape::rounds(pass)>([&](auto i) {
        const uint32_t j = (uint32_t)(t + i * Shape::T);
        if constexpr ((i + 1) * Shape::T <= count)
            body(i, j);
        else if (j < count)
            body(i, j);
    });
}

/* Multiplies point r by w^r, r = 1 .. R - 1. roots: [smooth_roots(R)][joined], at this w. */
template <int R, int joined> DEVICE void turn(point *v, const point *roots)
{
    constexpr int step = smooth_step(R);
    point low[step];
    unroll<1, step>([&](auto r) {
        low[r] = load_constant(roots + (r - 1) * joined);
        v[r] = times(v[r], low[r]);
    });
    unroll<1, (R - 1) / step + 1>([&](auto high) {
        const point w = load_constant(roots + (step - 2 + high) * joined);
        v[high * step] = times(v[high * step], w);
        unroll<1, step>([&](auto r) {
            if constexpr (high * step + r < R)
                v[high * step + r] = times(v[high * step + r], times(w, low[r]));
        });
    });
}

template <class Shape, int pass> DEVICE void run_smooth_pass(const pass_args &a, int t, point *v)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
    for_butterflies<Shape, pass>(t, [&](auto i, uint32_t j) {
        if constexpr (pass > 0)
            turn<R, joined>(v + i * R, a.roots + Shape::roots_at(pass) + j % joined);
        transform_any<R>(v + i * R);
    });
}

template <class Shape, int rows, lane_layout W, bool whole = false>
DEVICE void transform_smooth(const pass_args &a)
{
    constexpr int apart = W == ACROSS ? rows : 1;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, rows);
    const row_thread l = W == ACROSS ? thread_across<rows>() : thread_along<Shape>();
    const uint64_t from_stride = W == ACROSS ? a.from_stride : 1;
    const uint64_t to_stride = W == ACROSS ? a.to_stride : 1;
    point *const buffer = (point *)shared + l.row * (W == ACROSS ? 1 : Shape::padded);
    point v[Shape::points()] = {};

    if constexpr (W == ALONG)
        prefetch_ahead<Shape, rows>(a, sizeof(point));
    if constexpr (whole) {
        const point *const from =
            fetch_tile((point *)shared, rows * Shape::padded, p.from, p.rows * Shape::N) +
            l.row * Shape::N + l.t;
        for_butterflies<Shape, 0>(l.t, [&](auto i, uint32_t) {
            constexpr int R = Shape::radix(0);
            unroll<0, R>([&](auto r) {
                v[i * R + r] = swapped(from[i * Shape::T + r * (Shape::N / R)], a.inverse);
            });
        });
        __syncthreads();
    } else if (l.row < p.rows) {
        const point *from = p.from + l.row * a.axes[0].from + l.t * from_stride;
        for_butterflies<Shape, 0>(l.t, [&](auto i, uint32_t) {
            constexpr int R = Shape::radix(0);
            unroll<0, R>([&](auto r) {
                v[i * R + r] = swapped(
                    load_once(from + (i * Shape::T + r * (Shape::N / R)) * from_stride), a.inverse);
            });
        });
    }
    run_smooth_pass<Shape, 0>(a, l.t, v);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            __syncthreads();
        for_butterflies<Shape, pass - 1>(l.t, [&](auto i, uint32_t j) {
            constexpr int R = Shape::radix(pass - 1), joined = Shape::joined(pass - 1);
            point *const to =
                buffer + Shape::spaced(j / joined * (joined * R) + j % joined) * apart;
            unroll<0, R>([&](auto r) { to[Shape::spaced(r * joined) * apart] = v[i * R + r]; });
        });
        __syncthreads();
        for_butterflies<Shape, pass>(l.t, [&](auto i, uint32_t j) {
            constexpr int R = Shape::radix(pass);
            const point *const at = buffer + Shape::spaced(j) * apart;
            unroll<0, R>(
                [&](auto r) { v[i * R + r] = at[Shape::spaced(r * (Shape::N / R)) * apart]; });
        });
        run_smooth_pass<Shape, pass>(a, l.t, v);
    });
    if constexpr (whole) {
        __syncthreads();
        point *const to = (point *)shared + odd_point(p.to) + l.row * Shape::N + l.t;
        for_butterflies<Shape, Shape::last>(l.t, [&](auto i, uint32_t) {
            constexpr int R = Shape::radix(Shape::last), joined = Shape::joined(Shape::last);
            unroll<0, R>(
                [&](auto r) { to[i * Shape::T + r * joined] = result_of(a, v[i * R + r]); });
        });
        store_tile(p.to, (point *)shared, p.rows * Shape::N);
        return;
    }
    if (l.row >= p.rows)
        return;
    point *to = p.to + l.row * a.axes[0].to + l.t * to_stride;
    for_butterflies<Shape, Shape::last>(l.t, [&](auto i, uint32_t) {
        constexpr int R = Shape::radix(Shape::last), joined = Shape::joined(Shape::last);
        unroll<0, R>([&](auto r) {
            store_once(to + (i * Shape::T + r * joined) * to_stride, result_of(a, v[i * R + r]));
        });
    });
}

#endif
