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
 * Bins k and n - k come from points k and n - k. If a thread computes two butterflies in the pass
 * beside the bins, these are a butterfly and its mirror image, whose points are the mirror images
 * of its own: then no exchange is needed between that pass and the bins.
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

/*
 * Passes from .. to - 1; v has the points of pass from - 1. No thread still reads the buffer at a
 * call with from = 1.
 */
template <class Shape, int rows, int from, int to>
DEVICE void run_passes(const pass_args &a, const real_row &r, point *v)
{
    typedef layout<Shape, rows, ALONG> Layout;
    unroll<from, to>([&](auto pass) {
        if constexpr (pass > 1)
            row_barrier<Shape::T, rows>((int)r.row);
        for_stored<Shape, Layout, pass - 1>(r.t, [&](auto e, int at) { r.buffer[at] = v[e]; });
        row_barrier<Shape::T, rows>((int)r.row);
        for_loaded<Shape, Layout, pass>(r.t, [&](auto e, int at) { v[e] = r.buffer[at]; });
        run_pass<Shape, pass, false>(a, 0, r.t, v);
    });
}

/* ---- mirror images ------------------------------------------------------------------------ */

/*
 * Butterfly j of a pass of radix R has points or bins j + r apart, r = 0 .. R - 1, apart = n/R.
 * Their mirror images are those of butterfly apart - j in reverse order. Butterflies 0 and apart/2
 * are their own mirror images: thread 0 has both.
 */
template <class Shape, int pass> struct mirror {
    static constexpr int R = Shape::radix(pass), apart = Shape::N / R;
    /* A thread has butterfly t and its mirror image. Pays from radix 16 on (measured). */
    static constexpr bool pairs = Shape::E == 2 * R && R >= 16;

    CONSTANT int butterfly(int i, int t)
    {
        return i == 0 ? t : t > 0 ? apart - t : apart / 2;
    }
    /*
     * Element of the mirror image of element e < R/2 or R <= e < R + R/2 of v[E]: of thread 0, and
     * of the others. Element 0 of thread 0 is its own.
     */
    CONSTANT int own(int e)
    {
        return e < R ? (R - e) % R : 3 * R - 1 - e;
    }
    CONSTANT int other(int e)
    {
        return 2 * R - 1 - e;
    }
    /* Calls body(known<e>, k) for those elements, which have bins or points k < n/2. */
    template <class Body> DEVICE void for_low(int t, Body &&body)
    {
        unroll<0, R / 2>([&](auto r) {
            body(known<r>{}, butterfly(0, t) + r * apart);
            body(known<R + r>{}, butterfly(1, t) + r * apart);
        });
    }
};

/* By value: a choice of addresses would move an array from registers to memory. */
DEVICE point chosen(bool first, point a, point b)
{
    return {first ? a.re : b.re, first ? a.im : b.im};
}

/* ---- bins of every thread ------------------------------------------------------------------ */

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

DEVICE halves load_halves(const point *bins, int n, int k)
{
    halves x = {load_once(bins + k), load_once(bins + n - k)};
    if (k == 0)
        x.low.im = x.high.im = 0;
    return x;
}

DEVICE void store_halves(point *bins, int n, int k, halves x)
{
    store_once(bins + k, x.low);
    store_once(bins + n - k, x.high);
}

/* ---- reals to bins ------------------------------------------------------------------------- */

/* The last pass and the bins of its butterflies. */
template <class Shape, int rows>
DEVICE void part_mirrored(const pass_args &a, const real_row &r, point *v, point *bins)
{
    typedef layout<Shape, rows, ALONG> Layout;
    typedef mirror<Shape, Shape::last> Mirror;
    constexpr int N = Shape::N, R = Mirror::R;
    const point *table = a.roots + Shape::twiddles_at(Shape::last);
    if constexpr (Shape::last > 1)
        row_barrier<Shape::T, rows>((int)r.row);
    for_stored<Shape, Layout, Shape::last - 1>(r.t, [&](auto e, int at) { r.buffer[at] = v[e]; });
    row_barrier<Shape::T, rows>((int)r.row);
    unroll<0, 2>([&](auto i) {
        const int j = Mirror::butterfly(i, r.t);
        unroll<0, R>([&](auto e) { v[i * R + e] = r.buffer[Layout::at(j, e * Mirror::apart)]; });
        transform<R>(v + i * R,
                     [&](auto number) { return root_of<Shape, Shape::last, number>(table, j); });
    });
    if (!r.there)
        return;
    Mirror::for_low(r.t, [&](auto e, int k) {
        const halves z = {v[e], chosen(r.t > 0, v[Mirror::other(e)], v[Mirror::own(e)])};
        store_halves(bins, N, k, part_halves(z, load_constant(a.parts + k), a.scale));
    });
    if (r.t == 0) {
        const halves z = {v[R / 2], v[R / 2]};
        store_once(bins + N / 2, part_halves(z, load_constant(a.parts + N / 2), a.scale).low);
    }
}

/* The last pass, an exchange and the bins. */
template <class Shape, int rows>
DEVICE void part_exchanged(const pass_args &a, const real_row &r, point *v, point *bins)
{
    run_passes<Shape, rows, Shape::last, Shape::passes>(a, r, v);
    row_barrier<Shape::T, rows>((int)r.row);
    unroll<0, Shape::E>([&](auto e) { r.buffer[Shape::bin_of(e, r.t)] = v[e]; });
    row_barrier<Shape::T, rows>((int)r.row);
    if (!r.there)
        return;
    for_halves<Shape>(a, r.t, [&](int k, point root) {
        const halves z = {r.buffer[k], r.buffer[k ? Shape::N - k : 0]};
        store_halves(bins, Shape::N, k, part_halves(z, root, a.scale));
    });
}

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
    run_pass<Shape, 0, false>(a, 0, r.t, v);
    run_passes<Shape, rows, 1, Shape::last>(a, r, v);
    if constexpr (mirror<Shape, Shape::last>::pairs)
        part_mirrored<Shape, rows>(a, r, v, bins);
    else
        part_exchanged<Shape, rows>(a, r, v, bins);
}

/* ---- bins to reals ------------------------------------------------------------------------- */

/* The points of the thread's two butterflies, from their bins. */
template <class Shape>
DEVICE void join_mirrored(const pass_args &a, const real_row &r, point *v, const point *bins)
{
    typedef mirror<Shape, 0> Mirror;
    constexpr int N = Shape::N, R = Mirror::R;
    if (!r.there)
        return;
    point high[2 * R];
    Mirror::for_low(r.t, [&](auto e, int k) {
        const halves z = join_halves(load_halves(bins, N, k), load_constant(a.parts + k));
        v[e] = swapped(z.low, a.inverse);
        high[e] = swapped(z.high, a.inverse);
    });
    point middle = {0, 0};
    if (r.t == 0)
        middle =
            swapped(join_halves(load_halves(bins, N, N / 2), load_constant(a.parts + N / 2)).low,
                    a.inverse);
    unroll<0, R / 2>([&](auto i) {
        constexpr int e = R / 2 + i, f = R + e; /* elements of the upper halves */
        point own = middle;
        if constexpr (e > R / 2)
            own = high[Mirror::own(e)];
        v[e] = chosen(r.t > 0, high[Mirror::other(e)], own);
        v[f] = chosen(r.t > 0, high[Mirror::other(f)], high[Mirror::own(f)]);
    });
}

/* Pass 0 of these butterflies, and pass 1. */
template <class Shape, int rows>
DEVICE void start_mirrored(const pass_args &a, const real_row &r, point *v)
{
    typedef layout<Shape, rows, ALONG> Layout;
    typedef mirror<Shape, 0> Mirror;
    constexpr int R = Mirror::R;
    unroll<0, 2>([&](auto i) {
        const int first = Mirror::butterfly(i, r.t) * R;
        transform<R>(v + i * R);
        unroll<0, R>([&](auto e) { r.buffer[Layout::at(first, e)] = v[i * R + e]; });
    });
    row_barrier<Shape::T, rows>((int)r.row);
    for_loaded<Shape, Layout, 1>(r.t, [&](auto e, int at) { v[e] = r.buffer[at]; });
    run_pass<Shape, 1, false>(a, 0, r.t, v);
}

/* The points of the row, an exchange, and passes 0 and 1. */
template <class Shape, int rows>
DEVICE void start_exchanged(const pass_args &a, const real_row &r, point *v, const point *bins)
{
    if (r.there)
        for_halves<Shape>(a, r.t, [&](int k, point root) {
            const halves z = join_halves(load_halves(bins, Shape::N, k), root);
            r.buffer[k] = swapped(z.low, a.inverse);
            if (k > 0 && k < Shape::N / 2)
                r.buffer[Shape::N - k] = swapped(z.high, a.inverse);
        });
    row_barrier<Shape::T, rows>((int)r.row);
    unroll<0, Shape::E>([&](auto e) { v[e] = r.buffer[Shape::point_of(e, r.t)]; });
    row_barrier<Shape::T, rows>((int)r.row);
    run_pass<Shape, 0, false>(a, 0, r.t, v);
    run_passes<Shape, rows, 1, 2>(a, r, v);
}

template <class Shape, int rows> DEVICE void join_tile(const pass_args &a)
{
    SHARED_MEMORY(shared);
    const tile_offset p = offset_of_tile(a, blockIdx.x, rows);
    const real_row r = find_real_row<Shape, rows>(p, (point *)shared);
    const point *bins = a.from + p.from + r.row * a.axes[0].from;
    float *reals = (float *)a.to + p.to + r.row * a.axes[0].to;

    prefetch_ahead<Shape, rows>(a, sizeof(point));
    point v[Shape::E] = {};
    if constexpr (mirror<Shape, 0>::pairs) {
        join_mirrored<Shape>(a, r, v, bins);
        start_mirrored<Shape, rows>(a, r, v);
    } else {
        start_exchanged<Shape, rows>(a, r, v, bins);
    }
    run_passes<Shape, rows, 2, Shape::passes>(a, r, v);
    if (r.there)
        unroll<0, Shape::E>([&](auto e) {
            store_once((point *)reals + Shape::bin_of(e, r.t), result_of(a, v[e]));
        });
}

#endif
