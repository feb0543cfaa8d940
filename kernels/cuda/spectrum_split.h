/*
 * spectrum_split.h - fused spectra of long frames, n = n1 n2, in two kernels (D. H. Bailey, "FFTs in
 * external or hierarchical memory", 1990). Sample n2 m1 + m2 is row m1, column m2 of a matrix:
 *
 *     columns    transform of every column m2 over m1, window on load; leaves [n1][n2] in the middle
 *     rows       transform of every row k1 over m2, with the twiddles exp(-2 pi i k1 m2 / n) inside:
 *                they move its frequencies by k1/n1 of a bin, so each pass has them in its own roots;
 *                bin k1 + n1 k2, |X|^2 folded over the frames of a group in registers
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_SPLIT_H
#define FFTD_KERNELS_CUDA_SPECTRUM_SPLIT_H

#include "kernels/cuda/sample.h"
#include "kernels/cuda/shape.h"
#include "kernels/cuda/traces.h"

/*
 * A block works on C neighbouring columns, T threads each; neighbours in a warp are neighbours in
 * memory.
 *
 *     grid             n2 / C, any number that shares the frames
 *     shared memory    exchange: [n1 padded][C]
 */
template <class Shape, int C> struct column_tile {
    static constexpr int E = Shape::E, T = Shape::T;

    /* A pad of one row of columns behind every R0: only needed where a row is under 32 banks. */
    CONSTANT int at(int i)
    {
        return (C < 16 ? i + i / Shape::radix(0) : i) * C;
    }

    template <int pass> DEVICE void put(const point *v, point *buffer, int t)
    {
        constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
        unroll<0, E / R>([&](auto i) {
            const int j = t + i * T, first = j / joined * (joined * R) + j % joined;
            unroll<0, R>([&](auto r) { buffer[at(first + r * joined)] = v[i * R + r]; });
        });
    }
    template <int pass> DEVICE void take(point *v, const point *buffer, int t)
    {
        constexpr int R = Shape::radix(pass), apart = Shape::N / R;
        unroll<0, E / R>([&](auto i) {
            const int j = t + i * T;
            unroll<0, R>([&](auto r) { v[i * R + r] = buffer[at(j + r * apart)]; });
        });
    }
    /* Passes 1 and on. */
    DEVICE void finish(point *v, point *buffer, const point *twiddles, int t)
    {
        unroll<1, Shape::passes>([&](auto pass) {
            __syncthreads();
            put<pass - 1>(v, buffer, t);
            __syncthreads();
            take<pass>(v, buffer, t);
            join_pass<Shape, pass>(v, twiddles + Shape::twiddles_at(pass), t);
        });
    }
};

/* A thread's part of a column: samples and window. */
template <class Shape, class Format> struct column_input {
    typedef typename Format::raw raw;
    static constexpr int E = Shape::E, R = Shape::radix(0);
    /* Are there registers for the window and for the frame after this one? */
    static constexpr bool early = E <= 16;

    const spectrum_args &a;
    const uint32_t n2, column;
    const int t;
    raw x[E];
    float window[E];

    METHOD size_t at(int e) const
    {
        return (size_t)Shape::point_of(e, t) * n2 + column;
    }
    METHOD void fetch(uint32_t frame)
    {
        const raw *from = (const raw *)a.samples + (size_t)frame * a.hop;
        if (frame < a.frames)
            unroll<0, E>([&](auto e) { x[e] = from[at(e)]; });
    }
    METHOD void fetch_window()
    {
        unroll<0, E>([&](auto e) { window[e] = __ldg(a.window + at(e)); });
    }
    METHOD void open(uint32_t frame)
    {
        if constexpr (early) {
            fetch_window();
            fetch(frame);
        }
    }
    METHOD void load(point *v, uint32_t frame, uint32_t next)
    {
        if constexpr (!early) {
            fetch(frame);
            fetch_window();
        }
        unroll<0, E>([&](auto e) { v[e] = Format::unpack(x[e]); });
        unroll<0, E / R>([&](auto i) { transform_windowed<R>(v + i * R, window + i * R); });
        if constexpr (early)
            fetch(next);
    }
};

template <class Shape, class Format, int C> DEVICE void spectrum_columns(const spectrum_args &a)
{
    typedef column_tile<Shape, C> Tile;
    constexpr int E = Shape::E;
    SHARED_MEMORY(shared);
    const uint32_t n2 = gridDim.x * C, column = blockIdx.x * C + threadIdx.x % C;
    const size_t n = (size_t)Shape::N * n2;
    const int t = (int)threadIdx.x / C;
    point *buffer = (point *)shared + threadIdx.x % C;
    column_input<Shape, Format> input{a, n2, column, t, {}, {}};

    input.open(blockIdx.y);
#pragma unroll 1
    for (uint32_t frame = blockIdx.y; frame < a.frames; frame += gridDim.y) {
        point v[E];
        input.load(v, frame, frame + gridDim.y);
        Tile::finish(v, buffer, a.twiddles, t);
        point *to = a.middle + frame * n + column;
        unroll<0, E>([&](auto e) { to[(size_t)Shape::bin_of(e, t) * n2] = v[e]; });
    }
}

/*
 * A block works on `rows` neighbouring rows, T threads each.
 *
 *     grid             n1 / rows, groups
 *     shared memory    [rows] exchange buffers
 *     bridge           [n1][the roots of every pass, the first included]: see row_roots_at
 */
template <class Shape> struct row_roots {
    CONSTANT int at(int pass)
    {
        int at = 0;
        for (int p = 0; p < pass; p++)
            at += Shape::joined(p) * Shape::radix(p) / 2;
        return at;
    }
    static constexpr int count = at(Shape::passes);
};

template <class Shape, int rows, class Fold> DEVICE void spectrum_rows(const spectrum_args &a)
{
    constexpr int E = Shape::E, T = Shape::T, N = Shape::N, half = E / 2;
    static_assert(E == Shape::radix(0), "one butterfly a thread in the first pass");
    SHARED_MEMORY(shared);
    const int row = (int)threadIdx.x / T, t = (int)threadIdx.x % T;
    const uint32_t n1 = gridDim.x * rows, k1 = blockIdx.x * rows + row, group = blockIdx.y;
    const size_t n = (size_t)N * n1;
    point *buffer = (point *)shared + row * Shape::padded;
    const auto bin = [&](auto e) { return k1 + (size_t)n1 * Shape::centred_bin_of(e, t); };

    /* The roots stay in registers for all frames of the group. */
    point roots[Shape::passes][half];
    const point *own = a.bridge + (size_t)k1 * row_roots<Shape>::count;
    unroll<0, Shape::passes>([&](auto pass) {
        constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
        unroll<0, half>([&](auto i) {
            const int j = t + i / (R / 2) * T;
            roots[pass][i] = own[row_roots<Shape>::at(pass) + i % (R / 2) * joined + j % joined];
        });
    });

    Fold fold;
    fold.begin(a, group * n, a.resume, bin);
    const uint32_t first = group * a.group_frames;
    const uint32_t end = first + a.group_frames < a.frames ? first + a.group_frames : a.frames;
#pragma unroll 1
    for (uint32_t frame = first; frame < end; frame++) {
        const point *from = a.middle + frame * n + (size_t)k1 * N;
        point v[E];
        unroll<0, E>([&](auto e) { v[e] = from[Shape::point_of(e, t)]; });
        transform<E>(v, [&](auto number) { return roots[0][number]; });
        unroll<1, Shape::passes>([&](auto pass) {
            constexpr int R = Shape::radix(pass);
            row_barrier<T, rows>(row);
            put<Shape, pass - 1>(v, buffer, t);
            row_barrier<T, rows>(row);
            take<Shape, pass>(v, buffer, t);
            unroll<0, E / R>([&](auto i) {
                transform<R>(v + i * R,
                             [&](auto number) { return roots[pass][i * (R / 2) + number]; });
            });
        });
        fold.add(a, v, frame, n, bin);
    }
    fold.end(a, group * n, bin);
}

#endif
