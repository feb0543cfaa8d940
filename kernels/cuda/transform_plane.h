/*
 * transform_plane.h - two axes in one pass: a block transforms a plane [N][N] along its rows, then
 * along its columns. Every point is read and written once.
 *
 *     grid             planes: axes[0], then the other axes, from a.first on
 *     block            T x N
 *     shared memory    [N] rows of `padded` points (shape.h)
 *
 * Rows of a plane are axes[0].from and axes[0].to apart. A plane is read completely before any of
 * it is written, so from may equal to.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_PLANE_H
#define FFTD_KERNELS_CUDA_TRANSFORM_PLANE_H

#include "kernels/cuda/transform.h"

/* Columns of the plane in shared memory: like layout<ACROSS>, with padded rows. */
template <class Shape> struct plane_columns {
    CONSTANT int at(int first, int offset)
    {
        return (first + offset) * Shape::padded;
    }
};

/* The passes after the first; v: the results of the first, then of the last. */
template <class Shape, class Layout, class Barrier>
DEVICE void later_passes(const pass_args &a, int t, point *buffer, point *v, Barrier &&barrier)
{
    unroll<1, Shape::passes>([&](auto pass) {
        barrier(); /* others may still read */
        for_stored<Shape, Layout, pass - 1>(t, [&](auto e, int at) { buffer[at] = v[e]; });
        barrier();
        for_loaded<Shape, Layout, pass>(t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Shape, pass, false>(a, 0, t, v);
    });
}

template <class Shape> DEVICE void transform_plane(const pass_args &a)
{
    typedef layout<Shape, Shape::N, ALONG> Along;
    typedef plane_columns<Shape> Across;
    SHARED_MEMORY(shared);
    const tile_origin p = origin_of_tile(a, blockIdx.x, Shape::N);
    row_thread l = thread_along<Shape>();
    point *buffer = (point *)shared + l.row * Along::pitch;
    if (a.ahead > 0 && l.t == 0 && blockIdx.x + a.ahead < gridDim.x)
        bulk_prefetch(origin_of_tile(a, blockIdx.x + a.ahead, Shape::N).from +
                          l.row * a.axes[0].from,
                      Shape::N * sizeof(point));

    point v[Shape::E];
    load_row<Shape>(a, p, l, 1, v);
    run_pass<Shape, 0, false>(a, 0, l.t, v);
    later_passes<Shape, Along>(a, l.t, buffer, v,
                               [&] { row_barrier<Shape::T, Shape::N>((int)l.row); });
    row_barrier<Shape::T, Shape::N>((int)l.row);
    unroll<0, Shape::E>([&](auto e) { buffer[Shape::bin_of(e, 0) + l.t] = v[e]; });
    __syncthreads();

    l = thread_across<Shape::N>();
    buffer = (point *)shared + l.row;
    unroll<0, Shape::E>(
        [&](auto e) { v[e] = buffer[(Shape::point_of(e, 0) + l.t) * Shape::padded]; });
    run_pass<Shape, 0, false>(a, 0, l.t, v);
    later_passes<Shape, Across>(a, l.t, buffer, v, [&] { __syncthreads(); });
    point *to = p.to + l.row + l.t * a.axes[0].to;
    unroll<0, Shape::E>([&](auto e) {
        store_once(to + Shape::bin_of(e, 0) * a.axes[0].to, result_of(a, v[e]));
    });
}

#endif
