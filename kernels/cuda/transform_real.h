/*
 * transform_real.h - real rows of 2 n contiguous reals as rows of n points (transform.h, along),
 * whose spectrum becomes the bins of the row in the same kernel, and back. The rows cross memory
 * once.
 *
 *     grid             tiles of rows
 *     block            T x rows
 *     shared memory    as transform.h; between passes and bins the points are in their order, which
 *                      needs no padding
 *
 * The real side counts floats in the strides of its rows, which are even; a row is read completely
 * before any of it is written.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_REAL_H
#define FFTD_KERNELS_CUDA_TRANSFORM_REAL_H

#include "kernels/cuda/halves.h"
#include "kernels/cuda/transform.h"

/* What a thread works on. */
struct real_row {
    int t;
    uint32_t row;
    bool there;    /* false: beyond the last row */
    point *buffer; /* [padded], of this row */
};

template <class Shape, int rows> DEVICE real_row find_real_row(const tile_offset &p, point *shared)
{
    const row_thread l = thread_along<Shape>();
    return {l.t, l.row, l.row < p.rows, shared + l.row * Shape::padded};
}

/* The passes; no thread still reads the buffer at the call, nor at the end. */
template <class Shape, int rows>
DEVICE void run_passes(const pass_args &a, const real_row &r, point *v)
{
    typedef layout<Shape, rows, ALONG> Layout;
    const auto barrier = [&] { row_barrier<Shape::T, rows>((int)r.row); };
    run_pass<Shape, 0, false>(a, 0, r.t, v);
    unroll<1, Shape::passes>([&](auto pass) {
        for_stored<Shape, Layout, pass - 1>(r.t, [&](auto e, int at) { r.buffer[at] = v[e]; });
        barrier();
        for_loaded<Shape, Layout, pass>(r.t, [&](auto e, int at) { v[e] = r.buffer[at]; });
        run_pass<Shape, pass, false>(a, 0, r.t, v);
        barrier();
    });
}

/*
 * Calls body(k, root) for those k = 0 .. n/2 that are the thread's: it has bins or points k and
 * n - k.
 */
template <class Shape, class Body> DEVICE void for_halves(const pass_args &a, int t, Body &&body)
{
    unroll<0, Shape::E / 2>([&](auto i) {
        const int k = t + i * Shape::T;
        body(k, load_constant(a.parts + k));
    });
    if (t == 0)
        body(Shape::N / 2, load_constant(a.parts + Shape::N / 2));
}

/* Reals to bins. */
template <class Shape, int rows> DEVICE void part_tile(const pass_args &a)
{
    SHARED_MEMORY(shared);
    const tile_offset p = offset_of_tile(a, blockIdx.x, rows);
    const real_row r = find_real_row<Shape, rows>(p, (point *)shared);
    const float *reals = (const float *)a.from + p.from + r.row * a.axes[0].from;
    point *bins = a.to + p.to + r.row * a.axes[0].to;

    prefetch_ahead<Shape, rows>(a, sizeof(float));
    point v[Shape::E] = {};
    if (r.there)
        unroll<0, Shape::E>(
            [&](auto e) { v[e] = load_once((const point *)reals + Shape::point_of(e, r.t)); });
    run_passes<Shape, rows>(a, r, v);
    unroll<0, Shape::E>([&](auto e) { r.buffer[Shape::bin_of(e, r.t)] = v[e]; });
    row_barrier<Shape::T, rows>((int)r.row);
    if (!r.there)
        return;
    for_halves<Shape>(a, r.t, [&](int k, point root) {
        const halves z = {r.buffer[k], r.buffer[k ? Shape::N - k : 0]};
        const halves x = part_halves(z, root, a.scale);
        store_once(bins + k, x.low);
        store_once(bins + Shape::N - k, x.high);
    });
}

/* Bins to reals. */
template <class Shape, int rows> DEVICE void join_tile(const pass_args &a)
{
    SHARED_MEMORY(shared);
    const tile_offset p = offset_of_tile(a, blockIdx.x, rows);
    const real_row r = find_real_row<Shape, rows>(p, (point *)shared);
    const point *bins = a.from + p.from + r.row * a.axes[0].from;
    float *reals = (float *)a.to + p.to + r.row * a.axes[0].to;

    prefetch_ahead<Shape, rows>(a, sizeof(point));
    if (r.there)
        for_halves<Shape>(a, r.t, [&](int k, point root) {
            halves x = {load_once(bins + k), load_once(bins + Shape::N - k)};
            if (k == 0)
                x.low.im = x.high.im = 0;
            const halves z = join_halves(x, root);
            r.buffer[k] = swapped(z.low, a.inverse);
            if (k > 0 && k < Shape::N / 2)
                r.buffer[Shape::N - k] = swapped(z.high, a.inverse);
        });
    row_barrier<Shape::T, rows>((int)r.row);
    point v[Shape::E];
    unroll<0, Shape::E>([&](auto e) { v[e] = r.buffer[Shape::point_of(e, r.t)]; });
    row_barrier<Shape::T, rows>((int)r.row);
    run_passes<Shape, rows>(a, r, v);
    if (r.there)
        unroll<0, Shape::E>([&](auto e) {
            store_once((point *)reals + Shape::bin_of(e, r.t), result_of(a, v[e]));
        });
}

#endif
