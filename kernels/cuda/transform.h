/*
 * transform.h - plain transforms of rows of 2^k points in registers and shared memory: one tile of
 * rows per block, every point read and written once. Stockham passes, as in shape.h.
 *
 *     along        thread i is thread i % T of row i / T: adjacent threads are on the same row
 *     across       thread i is thread i / rows of row i % rows: adjacent threads, adjacent rows
 *     transpose    along for the first pass, across for the others: the exchange between them
 *                  transposes the tile, so a transposition costs nothing extra
 *
 *     grid             tiles: those along axes[0] first, then the other axes, from a.first on
 *     block            T x rows
 *     shared memory    [rows] exchange buffers of `pitch` points; across: [n][rows] points; whole
 *                      tiles: two more
 *
 * A row is read completely before any of it is written, so from may equal to.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_H
#define FFTD_KERNELS_CUDA_TRANSFORM_H

#define PRECISE_BUTTERFLIES /* memory bandwidth is the limit, not arithmetic */
#include "kernels/cuda/bulk.h"
#include "kernels/cuda/direction.h"
#include "kernels/cuda/shape.h"

enum lane_layout { ALONG, ACROSS, TRANSPOSE };

/* ---- origins -----------------------------------------------------------------------------  */

/* Offsets of the first row of a tile, its number along axes[0], and the number of rows. */
struct tile_offset {
    uint64_t from, to;
    uint32_t column, rows;
};

DEVICE tile_offset offset_of_tile(const pass_args &a, uint32_t tile, uint32_t rows)
{
    const uint32_t count = (uint32_t)a.axes[0].count, tiles = (count + rows - 1) / rows;
    const uint32_t column = tile % tiles * rows, left = count - column;
    uint64_t from = column * a.axes[0].from, to = column * a.axes[0].to;
    uint32_t rest = tile / tiles + (uint32_t)a.first;
    for (int i = 1; i < PASS_AXES; i++) {
        const uint32_t here = (uint32_t)a.axes[i].count;
        if (here == 1)
            continue;
        from += rest % here * a.axes[i].from;
        to += rest % here * a.axes[i].to;
        rest /= here;
    }
    return {from, to, column, left < rows ? left : rows};
}

/* The same with addresses. */
struct tile_origin {
    const point *from;
    point *to;
    uint32_t column, rows;
};

DEVICE tile_origin origin_of_tile(const pass_args &a, uint32_t tile, uint32_t rows)
{
    const tile_offset p = offset_of_tile(a, tile, rows);
    return {a.from + p.from, a.to + p.to, p.column, p.rows};
}

struct row_thread {
    uint32_t row;
    int t;
};

template <class Shape> DEVICE row_thread thread_along()
{
    return {threadIdx.x / Shape::T, (int)(threadIdx.x % Shape::T)};
}
template <int rows> DEVICE row_thread thread_across()
{
    return {threadIdx.x % rows, (int)(threadIdx.x / rows)};
}

/* stride: from point to point of a row. */
template <class Shape>
DEVICE void load_row(const pass_args &a, const tile_origin &p, row_thread l, uint64_t stride,
                     point *v)
{
    const point *from = p.from + l.row * a.axes[0].from + l.t * stride;
    unroll<0, Shape::E>([&](auto e) {
        v[e] = swapped(load_once(from + Shape::point_of(e, 0) * stride), a.inverse);
    });
}

template <class Shape>
DEVICE void store_row(const pass_args &a, const tile_origin &p, row_thread l, uint64_t stride,
                      const point *v)
{
    point *to = p.to + l.row * a.axes[0].to + l.t * stride;
    unroll<0, Shape::E>(
        [&](auto e) { store_once(to + Shape::bin_of(e, 0) * stride, result_of(a, v[e])); });
}

/* ---- whole tiles ------------------------------------------------------------------------- */

/*
 * If nothing is between the rows of a tile in memory, a bulk copy may bring them to shared memory
 * before the exchanges use it, and another one store what the threads leave there. That takes less
 * power than loads and stores of threads, and so the clock stays higher. Bulk copies move 16 bytes
 * at a time: a thread moves an odd point at either end. The barrier of the copy follows the
 * `exchanged` points of the exchange buffers, and one point.
 */
DEVICE uint32_t odd_point(const point *p)
{
    return (uint32_t)((uintptr_t)p / sizeof(point)) % 2;
}

/* Returns the first of the points in shared memory. */
DEVICE point *fetch_tile(point *shared, uint32_t exchanged, const point *from, uint32_t points)
{
    uint64_t *const copied = (uint64_t *)(shared + exchanged + 1);
    const uint32_t odd = odd_point(from), even = (points - odd) / 2 * 2;
    point *const to = shared + odd;
    if (threadIdx.x == 0) {
        bulk_open(copied);
        bulk_copy(to + odd, from + odd, even * sizeof(point), copied);
        if (odd)
            to[0] = load_once(from);
        if (odd + even < points)
            to[points - 1] = load_once(from + points - 1);
    }
    __syncthreads();
    bulk_wait(copied, 0);
    return to;
}

/* All threads have left `points` points from shared + odd_point(to) on. */
DEVICE void store_tile(point *to, const point *shared, uint32_t points)
{
    const uint32_t odd = odd_point(to), even = (points - odd) / 2 * 2;
    const point *const from = shared + odd;
    bulk_written();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(to + odd, from + odd, even * sizeof(point));
        if (odd)
            store_once(to, from[0]);
        if (odd + even < points)
            store_once(to + points - 1, from[points - 1]);
        bulk_stored();
    }
}

/* ---- the exchange ------------------------------------------------------------------------ */

/*
 * Index of point first + offset of a row in shared memory; offset is a compile-time constant. Rows
 * are padded as in shape.h; the pitch keeps adjacent rows free of bank conflicts, too.
 */
template <class Shape, int rows, lane_layout W> struct layout {
    static constexpr int banks = 16; /* of one point each */
    static constexpr int transposed =
        (Shape::padded + banks - 1) / banks * banks + (rows < banks ? banks / rows : 1);
    static constexpr int pitch = W == ACROSS ? 1 : W == TRANSPOSE ? transposed : Shape::padded;

    CONSTANT int at(int first, int offset)
    {
        if (W == ACROSS)
            return (first + offset) * rows;
        return first + first / Shape::pad + (offset + offset / Shape::pad);
    }
};

/* Calls body(element, index) for all points that pass `pass` stores. */
template <class Shape, class Layout, int pass, class Body>
DEVICE void for_stored(int t, Body &&body)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
    static_assert(joined == 1 || joined % Shape::pad == 0, "offsets are whole pads");
    unroll<0, Shape::E / R>([&](auto i) {
        const int j = t + i * Shape::T, first = j / joined * (joined * R) + j % joined;
        unroll<0, R>([&](auto r) { body(known<i * R + r>{}, Layout::at(first, r * joined)); });
    });
}

/* The same for all points that it loads. */
template <class Shape, class Layout, int pass, class Body>
DEVICE void for_loaded(int t, Body &&body)
{
    constexpr int R = Shape::radix(pass), apart = Shape::N / R;
    static_assert(apart % Shape::pad == 0, "offsets are whole pads");
    unroll<0, Shape::E / R>([&](auto i) {
        const int j = t + i * Shape::T;
        unroll<0, R>([&](auto r) { body(known<i * R + r>{}, Layout::at(j, r * apart)); });
    });
}

/* ---- roots of a long row ----------------------------------------------------------------- */

/* c (1 + d) */
DEVICE point raised(point c, point d)
{
    return {c.re + fmaf(c.re, d.re, -c.im * d.im), c.im + fmaf(c.re, d.im, c.im * d.re)};
}

/* exp(-2 pi i at / whole). The fine table holds differences from 1, which keeps full precision. */
DEVICE point long_root(const pass_args &a, uint32_t at)
{
    return raised(load_constant(a.coarse + (at >> a.fine_bits)),
                  load_constant(a.fine + (at & ((1U << a.fine_bits) - 1))));
}

/* ---- passes ------------------------------------------------------------------------------ */

/*
 * A pass of row number `row` of the axes[0].count rows of a long row. Its frequencies are row/rows
 * of a bin higher, and its roots, in the order of butterfly.h, are roots of the whole length.
 */
template <class Shape, int pass>
DEVICE void bridge_pass(const pass_args &a, uint32_t row, int t, point *v)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
    const uint32_t rows = (uint32_t)a.axes[0].count;
    unroll<0, Shape::E / R>([&](auto i) {
        const uint32_t at = (uint32_t)(t + i * Shape::T) % joined * rows + row;
        point w[R / 2];
        unroll<0, R / 2>([&](auto number) {
            constexpr int level = level_of(number), k = number == 0 ? 0 : number - level / 4;
            w[number] =
                long_root(a, at * (Shape::N / joined / level) + k * (Shape::N / level) * rows);
        });
        transform<R>(v + i * R, [&](auto number) { return w[number]; });
    });
}

template <class Shape, int pass, bool bridged>
DEVICE void run_pass(const pass_args &a, uint32_t row, int t, point *v)
{
    constexpr int R = Shape::radix(pass);
    if constexpr (bridged)
        bridge_pass<Shape, pass>(a, row, t, v);
    else if constexpr (pass == 0)
        unroll<0, Shape::E / R>([&](auto i) { transform<R>(v + i * R); });
    else
        join_pass<Shape, pass>(v, a.roots + Shape::twiddles_at(pass), t);
}

/*
 * With few blocks per multiprocessor no other block computes during the load, so rows are
 * prefetched. Strides of the input count elements of these bytes.
 */
template <class Shape, int rows>
DEVICE void prefetch_ahead(const pass_args &a, uint64_t element_bytes)
{
    const uint32_t next = blockIdx.x + a.ahead;
    if (a.ahead > 0 && threadIdx.x == 0 && next < gridDim.x)
        bulk_prefetch((const char *)a.from + offset_of_tile(a, next, rows).from * element_bytes,
                      Shape::N * sizeof(point) / 16 * 16);
}

template <class Shape, int rows, lane_layout W, bool bridged, bool whole = false>
DEVICE void transform_tile(const pass_args &a)
{
    typedef layout<Shape, rows, W> Layout;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, rows);
    row_thread l = W == ACROSS ? thread_across<rows>() : thread_along<Shape>();
    point *buffer = (point *)shared + l.row * Layout::pitch;
    const auto barrier = [&] {
        if constexpr (W == ALONG)
            row_barrier<Shape::T, rows>((int)l.row);
        else
            __syncthreads();
    };

    if constexpr (W == ALONG)
        prefetch_ahead<Shape, rows>(a, sizeof(point));
    point v[Shape::E] = {};
    if constexpr (whole) {
        const point *const from =
            fetch_tile((point *)shared, rows * Layout::pitch, p.from, p.rows * Shape::N) +
            l.row * Shape::N + l.t;
        unroll<0, Shape::E>(
            [&](auto e) { v[e] = swapped(from[Shape::point_of(e, 0)], a.inverse); });
        __syncthreads();
    } else if (l.row < p.rows) {
        load_row<Shape>(a, p, l, W == ACROSS ? a.from_stride : 1, v);
    }
    run_pass<Shape, 0, bridged>(a, p.column + l.row, l.t, v);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            barrier();
        for_stored<Shape, Layout, pass - 1>(l.t, [&](auto e, int at) { buffer[at] = v[e]; });
        barrier();
        if constexpr (pass == 1 && W == TRANSPOSE) {
            l = thread_across<rows>();
            buffer = (point *)shared + l.row * Layout::pitch;
        }
        for_loaded<Shape, Layout, pass>(l.t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Shape, pass, bridged>(a, p.column + l.row, l.t, v);
    });
    if constexpr (whole) {
        __syncthreads();
        point *const to = (point *)shared + odd_point(p.to) + l.row * Shape::N + l.t;
        unroll<0, Shape::E>([&](auto e) { to[Shape::bin_of(e, 0)] = result_of(a, v[e]); });
        store_tile(p.to, (point *)shared, p.rows * Shape::N);
    } else if (l.row < p.rows) {
        store_row<Shape>(a, p, l, W == ALONG ? 1 : a.to_stride, v);
    }
}

#endif
