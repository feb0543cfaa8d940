/*
 * transform_real.h - real rows of 2 n contiguous reals as rows of n points (transform.h, along),
 * whose spectrum becomes the bins of the row in the same kernel, and back. The rows cross memory
 * once.
 *
 *     grid             tiles of rows
 *     block            T x rows
 *     shared memory    as transform.h; between passes and bins the points are in their order, which
 *                      needs no padding. Of whole tiles, reals and bins are there, too
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

/* ---- bins in memory ---------------------------------------------------------------------- */

/* near: the bins are in shared memory. */
template <bool near> DEVICE halves load_halves(const point *bins, int n, int k)
{
    halves x;
    if constexpr (near)
        x = {bins[k], bins[n - k]};
    else
        x = {load_once(bins + k), load_once(bins + n - k)};
    if (k == 0)
        x.low.im = x.high.im = 0;
    return x;
}

template <bool near> DEVICE void store_halves(point *bins, int n, int k, halves x)
{
    if constexpr (near) {
        bins[k] = x.low;
        bins[n - k] = x.high;
    } else {
        store_once(bins + k, x.low);
        store_once(bins + n - k, x.high);
    }
}

/* ---- reals to bins ------------------------------------------------------------------------- */

/* The last pass, whose butterflies are mirror images. */
template <class Shape, int rows>
DEVICE void end_mirrored(const pass_args &a, const real_row &r, point *v)
{
    typedef layout<Shape, rows, ALONG> Layout;
    typedef mirror<Shape, Shape::last> Mirror;
    constexpr int R = Mirror::R;
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
}

/* The bins of its points. */
template <class Shape, bool near>
DEVICE void part_mirrored(const pass_args &a, const real_row &r, const point *v, point *bins)
{
    typedef mirror<Shape, Shape::last> Mirror;
    constexpr int N = Shape::N, R = Mirror::R;
    Mirror::for_low(r.t, [&](auto e, int k) {
        const halves z = {v[e], chosen(r.t > 0, v[Mirror::other(e)], v[Mirror::own(e)])};
        store_halves<near>(bins, N, k, part_halves(z, load_constant(a.parts + k), a.scale));
    });
    if (r.t == 0) {
        const halves z = {v[R / 2], v[R / 2]};
        const halves x = part_halves(z, load_constant(a.parts + N / 2), a.scale);
        store_halves<near>(bins, N, N / 2, {x.low, x.low});
    }
}

/* The last pass and an exchange, which brings mirror images together. */
template <class Shape, int rows>
DEVICE void end_exchanged(const pass_args &a, const real_row &r, point *v)
{
    run_passes<Shape, rows, Shape::last, Shape::passes>(a, r, v);
    row_barrier<Shape::T, rows>((int)r.row);
    unroll<0, Shape::E>([&](auto e) { r.buffer[Shape::bin_of(e, r.t)] = v[e]; });
    row_barrier<Shape::T, rows>((int)r.row);
}

/* Bins in shared memory take the place of the points there. */
template <class Shape, bool near>
DEVICE void part_exchanged(const pass_args &a, const real_row &r, point *bins)
{
    constexpr int N = Shape::N;
    halves x[Shape::E / 2 + 1];
    const auto part = [&](int k) {
        const halves z = {r.buffer[k], r.buffer[k ? N - k : 0]};
        return part_halves(z, load_constant(a.parts + k), a.scale);
    };
    unroll<0, Shape::E / 2>([&](auto i) {
        const int k = r.t + i * Shape::T;
        x[i] = part(k);
        if constexpr (!near)
            store_halves<near>(bins, N, k, x[i]);
    });
    if (r.t == 0)
        x[Shape::E / 2] = part(N / 2);
    if constexpr (near) {
        __syncthreads();
        unroll<0, Shape::E / 2>(
            [&](auto i) { store_halves<near>(bins, N, r.t + i * Shape::T, x[i]); });
    }
    if (r.t == 0)
        store_halves<near>(bins, N, N / 2, {x[Shape::E / 2].low, x[Shape::E / 2].low});
}

template <class Shape, bool near>
DEVICE void part_points(const pass_args &a, const real_row &r, const point *v, point *bins)
{
    if constexpr (mirror<Shape, Shape::last>::pairs)
        part_mirrored<Shape, near>(a, r, v, bins);
    else
        part_exchanged<Shape, near>(a, r, bins);
}

template <class Shape, int rows, bool whole> DEVICE void part_tile(const pass_args &a)
{
    SHARED_MEMORY(shared);
    const tile_offset p = offset_of_tile(a, blockIdx.x, rows);
    const real_row r = find_real_row<Shape, rows>(p, (point *)shared);
    const point *points = (const point *)((const float *)a.from + p.from);
    point *const bins = a.to + p.to;

    prefetch_ahead<Shape, rows>(a, sizeof(float));
    point v[Shape::E] = {};
    if constexpr (whole) {
        points = fetch_tile((point *)shared, rows * Shape::padded, points, p.rows * Shape::N) +
                 r.row * Shape::N;
        unroll<0, Shape::E>([&](auto e) { v[e] = points[Shape::point_of(e, r.t)]; });
        __syncthreads();
    } else if (r.there) {
        points += r.row * a.axes[0].from / 2;
        unroll<0, Shape::E>([&](auto e) { v[e] = load_once(points + Shape::point_of(e, r.t)); });
    }
    run_pass<Shape, 0, false>(a, 0, r.t, v);
    run_passes<Shape, rows, 1, Shape::last>(a, r, v);
    if constexpr (mirror<Shape, Shape::last>::pairs)
        end_mirrored<Shape, rows>(a, r, v);
    else
        end_exchanged<Shape, rows>(a, r, v);
    if constexpr (whole) {
        if constexpr (mirror<Shape, Shape::last>::pairs)
            __syncthreads();
        part_points<Shape, true>(a, r, v,
                                 (point *)shared + odd_point(bins) + r.row * (Shape::N + 1));
        store_tile(bins, (point *)shared, p.rows * (Shape::N + 1));
    } else if (r.there) {
        part_points<Shape, false>(a, r, v, bins + r.row * a.axes[0].to);
    }
}

/* ---- bins to reals ------------------------------------------------------------------------- */

/* The points of the thread's two butterflies, from their bins. */
template <class Shape, bool near>
DEVICE void join_mirrored(const pass_args &a, const real_row &r, point *v, const point *bins)
{
    typedef mirror<Shape, 0> Mirror;
    constexpr int N = Shape::N, R = Mirror::R;
    point high[2 * R];
    Mirror::for_low(r.t, [&](auto e, int k) {
        const halves z = join_halves(load_halves<near>(bins, N, k), load_constant(a.parts + k));
        v[e] = swapped(z.low, a.inverse);
        high[e] = swapped(z.high, a.inverse);
    });
    point middle = {0, 0};
    if (r.t == 0)
        middle = swapped(
            join_halves(load_halves<near>(bins, N, N / 2), load_constant(a.parts + N / 2)).low,
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

/* The points of the row. Bins in shared memory are where the exchange buffer is. */
template <class Shape, bool near>
DEVICE void join_exchanged(const pass_args &a, const real_row &r, const point *bins)
{
    constexpr int N = Shape::N;
    halves z[Shape::E / 2 + 1];
    const auto join = [&](int k) {
        return join_halves(load_halves<near>(bins, N, k), load_constant(a.parts + k));
    };
    unroll<0, Shape::E / 2>([&](auto i) { z[i] = join(r.t + i * Shape::T); });
    if (r.t == 0)
        z[Shape::E / 2] = join(N / 2);
    if constexpr (near)
        __syncthreads();
    unroll<0, Shape::E / 2>([&](auto i) {
        const int k = r.t + i * Shape::T;
        r.buffer[k] = swapped(z[i].low, a.inverse);
        if (k > 0)
            r.buffer[N - k] = swapped(z[i].high, a.inverse);
    });
    if (r.t == 0)
        r.buffer[N / 2] = swapped(z[Shape::E / 2].low, a.inverse);
}

/* An exchange, and passes 0 and 1. */
template <class Shape, int rows>
DEVICE void start_exchanged(const pass_args &a, const real_row &r, point *v)
{
    row_barrier<Shape::T, rows>((int)r.row);
    unroll<0, Shape::E>([&](auto e) { v[e] = r.buffer[Shape::point_of(e, r.t)]; });
    row_barrier<Shape::T, rows>((int)r.row);
    run_pass<Shape, 0, false>(a, 0, r.t, v);
    run_passes<Shape, rows, 1, 2>(a, r, v);
}

template <class Shape, bool near>
DEVICE void join_points(const pass_args &a, const real_row &r, point *v, const point *bins)
{
    if constexpr (mirror<Shape, 0>::pairs)
        join_mirrored<Shape, near>(a, r, v, bins);
    else
        join_exchanged<Shape, near>(a, r, bins);
}

template <class Shape, int rows, bool whole> DEVICE void join_tile(const pass_args &a)
{
    SHARED_MEMORY(shared);
    const tile_offset p = offset_of_tile(a, blockIdx.x, rows);
    const real_row r = find_real_row<Shape, rows>(p, (point *)shared);
    const point *bins = a.from + p.from;
    point *points = (point *)((float *)a.to + p.to);

    prefetch_ahead<Shape, rows>(a, sizeof(point));
    point v[Shape::E] = {};
    if constexpr (whole) {
        bins = fetch_tile((point *)shared, rows * Shape::padded, bins, p.rows * (Shape::N + 1));
        join_points<Shape, true>(a, r, v, bins + r.row * (Shape::N + 1));
        if constexpr (mirror<Shape, 0>::pairs)
            __syncthreads();
    } else if (r.there) {
        join_points<Shape, false>(a, r, v, bins + r.row * a.axes[0].from);
    }
    if constexpr (mirror<Shape, 0>::pairs)
        start_mirrored<Shape, rows>(a, r, v);
    else
        start_exchanged<Shape, rows>(a, r, v);
    run_passes<Shape, rows, 2, Shape::passes>(a, r, v);
    if constexpr (whole) {
        point *const to = (point *)shared + odd_point(points) + r.row * Shape::N;
        __syncthreads();
        unroll<0, Shape::E>([&](auto e) { to[Shape::bin_of(e, r.t)] = result_of(a, v[e]); });
        store_tile(points, (point *)shared, p.rows * Shape::N);
    } else if (r.there) {
        points += r.row * a.axes[0].to / 2;
        unroll<0, Shape::E>(
            [&](auto e) { store_once(points + Shape::bin_of(e, r.t), result_of(a, v[e])); });
    }
}

#endif
