/*
 * transform_parts.h - real rows that are longer than a block: 2 n reals as n points (halves.h),
 * which are the matrix [n2][n1] of a long row.
 *
 *     from bins    each point is made as it is loaded, from bin k and bin n - k, which another
 *                  thread loads again
 *     to bins      row k1 of the matrix and row n2 - k1, which has the mirror images of its points,
 *                  are in the same block
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_PARTS_H
#define FFTD_KERNELS_CUDA_TRANSFORM_PARTS_H

#include "kernels/cuda/halves.h"
#include "kernels/cuda/transform.h"

/* exp(-pi i k / n) */
DEVICE point part_root(const pass_args &a, uint32_t k)
{
    return raised(load_constant(a.parts + PASS_FINE + k / PASS_FINE),
                  load_constant(a.parts + k % PASS_FINE));
}

/* Point k of n, from the bins of a real row. */
DEVICE point joined_point(const pass_args &a, const point *bins, uint32_t n, uint32_t k)
{
    halves x = {bins[k], bins[n - k]};
    if (k == 0)
        x.low.im = x.high.im = 0;
    return swapped(join_halves(x, part_root(a, k)).low, a.inverse);
}

/*
 * The rows of a block: `half` adjacent ones in the lower half of `count` rows, then their mirror
 * images. Rows 0 and count/2 are their own mirror images: block 0 has both.
 */
struct mirrored_rows {
    uint32_t half, count;

    METHOD uint32_t row_of(uint32_t block, uint32_t index) const
    {
        const uint32_t row = block * half + index % half;
        return index < half ? row : row == 0 ? count / 2 : count - row;
    }
    /* The inverse. */
    METHOD uint32_t block_of(uint32_t row) const
    {
        return lower(row) / half;
    }
    METHOD uint32_t index_of(uint32_t row) const
    {
        return lower(row) % half + (row < count / 2 ? 0 : half);
    }
    METHOD uint32_t lower(uint32_t row) const
    {
        return row < count / 2 ? row : row == count / 2 ? 0 : count - row;
    }
};

/*
 * Stores the bins of the rows of a block, whose points are in v, across: an exchange brings points
 * k and n - k together. The rows of both halves are apart in shared memory, by an offset that keeps
 * them in different banks.
 */
template <class Shape, int rows>
DEVICE void store_parts(const pass_args &a, point *bins, point *shared, uint32_t block,
                        uint32_t count, row_thread l, const point *v)
{
    constexpr uint32_t N = Shape::N, half = rows / 2;
    const mirrored_rows order = {half, count};
    const auto at = [](uint32_t index, uint32_t k2) {
        return index < half ? k2 * half + index : (N + 1 + k2) * half + index - half;
    };
    const uint32_t index = threadIdx.x % half, n = N * count;
    const bool own = block == 0 && index == 0; /* rows 0 and count/2, one after the other */
    __syncthreads();
    unroll<0, Shape::E>([&](auto e) { shared[at(l.row, (uint32_t)Shape::bin_of(e, l.t))] = v[e]; });
    __syncthreads();
    unroll<0, Shape::E / 2>([&](auto i) {
        const uint32_t step = (threadIdx.x + i * (Shape::T * rows)) / half;
        const bool upper = own && step >= N / 2;
        const uint32_t k2 = upper ? step - N / 2 : step, from = upper ? half : index;
        const uint32_t other = own ? from : index + half;
        const uint32_t other_k2 = own && !upper ? (N - k2) % N : N - 1 - k2;
        const uint32_t k = order.row_of(block, from) + k2 * count;
        const halves z = {shared[at(from, k2)], shared[at(other, other_k2)]};
        const halves x = part_halves(z, part_root(a, k), a.scale);
        store_once(bins + k, x.low);
        store_once(bins + n - k, x.high);
    });
    if (block == 0 && threadIdx.x == 0) {
        const point z = shared[at(0, N / 2)];
        store_once(bins + n / 2, part_halves({z, z}, part_root(a, n / 2), a.scale).low);
    }
}

/* ---- two kernels --------------------------------------------------------------------------- */

/* The first kernel of a long row, from its bins: columns across. */
template <class Shape, int rows> DEVICE void join_columns(const pass_args &a)
{
    typedef layout<Shape, rows, ACROSS> Layout;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, rows);
    const row_thread l = thread_across<rows>();
    const uint32_t columns = (uint32_t)a.axes[0].count, column = p.column + l.row;
    point *buffer = (point *)shared + l.row;
    point v[Shape::E];
    unroll<0, Shape::E>([&](auto e) {
        v[e] = joined_point(a, p.from - p.column, Shape::N * columns,
                            (uint32_t)Shape::point_of(e, l.t) * columns + column);
    });
    run_pass<Shape, 0, false>(a, 0, l.t, v);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            __syncthreads();
        for_stored<Shape, Layout, pass - 1>(l.t, [&](auto e, int at) { buffer[at] = v[e]; });
        __syncthreads();
        for_loaded<Shape, Layout, pass>(l.t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Shape, pass, false>(a, 0, l.t, v);
    });
    store_row<Shape>(a, p, l, a.to_stride, v);
}

/* The second kernel of a long row, to its bins: rows and their mirror images, transposed. */
template <class Shape, int rows> DEVICE void part_rows(const pass_args &a)
{
    typedef layout<Shape, rows, TRANSPOSE> Layout;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, rows);
    const mirrored_rows order = {rows / 2, (uint32_t)a.axes[0].count};
    const uint32_t block = p.column / rows;
    row_thread l = thread_along<Shape>();
    uint32_t row = order.row_of(block, l.row);
    point *buffer = (point *)shared + l.row * Layout::pitch;
    const point *from = p.from - p.column * a.axes[0].from + row * a.axes[0].from;
    point v[Shape::E];
    unroll<0, Shape::E>([&](auto e) { v[e] = load_once(from + Shape::point_of(e, l.t)); });
    run_pass<Shape, 0, true>(a, row, l.t, v);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            __syncthreads();
        for_stored<Shape, Layout, pass - 1>(l.t, [&](auto e, int at) { buffer[at] = v[e]; });
        __syncthreads();
        if constexpr (pass == 1) {
            l = thread_across<rows>();
            buffer = (point *)shared + l.row * Layout::pitch;
            row = order.row_of(block, l.row);
        }
        for_loaded<Shape, Layout, pass>(l.t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Shape, pass, true>(a, row, l.t, v);
    });
    store_parts<Shape, rows>(a, p.to - p.column * a.axes[0].to, (point *)shared, block, order.count,
                             l, v);
}

#endif
