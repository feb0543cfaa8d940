/*
 * transform_plane.h - two axes in one pass: a block transforms a plane along its rows, then along
 * its columns. Every point is read and written once.
 *
 *     grid             planes: axes[1] and the later axes, from a.first on
 *     block            Row::T x Column::N = Column::T x Row::N
 *     shared memory    [Column::N] rows of `padded` points (shape.h)
 *
 * Rows of a plane are axes[0].from and axes[0].to apart, their points are adjacent. `roots` has the
 * table of the rows, then that of the columns. A plane is read completely before any of it is
 * written, so from may equal to.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_PLANE_H
#define FFTD_KERNELS_CUDA_TRANSFORM_PLANE_H

#include "kernels/cuda/transform.h"

/* Columns of the plane in shared memory: like layout<ACROSS>, with padded rows. */
template <class Row> struct plane_columns {
    CONSTANT int at(int first, int offset)
    {
        return (first + offset) * Row::padded;
    }
};

/* The passes after the first; v: the results of the first, then of the last. */
template <class Shape, class Layout, class Barrier>
DEVICE void later_passes(const point *roots, int t, point *buffer, point *v, Barrier &&barrier)
{
    unroll<1, Shape::passes>([&](auto pass) {
        barrier(); /* others may still read */
        for_stored<Shape, Layout, pass - 1>(t, [&](auto e, int at) { buffer[at] = v[e]; });
        barrier();
        for_loaded<Shape, Layout, pass>(t, [&](auto e, int at) { v[e] = buffer[at]; });
        join_pass<Shape, pass>(v, roots + Shape::twiddles_at(pass), t);
    });
}

template <class Row, class Column> DEVICE void transform_plane(const pass_args &a)
{
    static_assert(Row::E == Column::E, "both axes have the same threads");
    typedef layout<Row, Column::N, ALONG> Along;
    typedef plane_columns<Row> Across;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, Column::N);
    row_thread l = thread_along<Row>();
    point *buffer = (point *)shared + l.row * Along::pitch;
    if (a.ahead > 0 && l.t == 0 && blockIdx.x + a.ahead < gridDim.x)
        bulk_prefetch(origin_of_tile(a, blockIdx.x + a.ahead, Column::N).from +
                          l.row * a.axes[0].from,
                      Row::N * sizeof(point));

    point v[Row::E];
    load_row<Row>(a, p, l, 1, v);
    run_pass<Row, 0, false>(a, 0, l.t, v);
    later_passes<Row, Along>(a.roots, l.t, buffer, v,
                             [&] { row_barrier<Row::T, Column::N>((int)l.row); });
    row_barrier<Row::T, Column::N>((int)l.row);
    unroll<0, Row::E>([&](auto e) { buffer[Row::bin_of(e, 0) + l.t] = v[e]; });
    __syncthreads();

    l = thread_across<Row::N>();
    buffer = (point *)shared + l.row;
    unroll<0, Column::E>(
        [&](auto e) { v[e] = buffer[(Column::point_of(e, 0) + l.t) * Row::padded]; });
    run_pass<Column, 0, false>(a, 0, l.t, v);
    later_passes<Column, Across>(a.roots + Row::twiddles_at(Row::passes), l.t, buffer, v,
                                 [&] { __syncthreads(); });
    point *to = p.to + l.row + l.t * a.axes[0].to;
    unroll<0, Column::E>(
        [&](auto e) { store_once(to + Column::bin_of(e, 0) * a.axes[0].to, result_of(a, v[e])); });
}

#endif
