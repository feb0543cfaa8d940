/*
 * transform_cluster.h - a long row in one kernel: the matrix [n2][n1] of the row, in row order, is
 * in the shared memory of a cluster of blocks, so the row crosses device memory once each way.
 *
 *     grid             blocks x rows; a cluster is a row
 *     block            n1 n2 / blocks / E threads
 *     shared memory    its part of the matrix: first the exchange of its columns, then its rows
 *
 * Each block transforms its part of adjacent columns (across), writes the points of each other
 * block's rows to the shared memory of that block, and transforms its own rows (transpose) with the
 * roots between the two.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_CLUSTER_H
#define FFTD_KERNELS_CUDA_TRANSFORM_CLUSTER_H

#include "kernels/cuda/cluster.h"
#include "kernels/cuda/transform.h"

/* Transforms the columns and writes them to the shared memory of the blocks with the rows. */
template <class Columns, class Rows, int blocks>
DEVICE void cluster_columns(const pass_args &a, const point *row, point *shared)
{
    constexpr int width = Rows::N / blocks, height = Columns::N / blocks;
    typedef layout<Columns, width, ACROSS> Layout;
    typedef layout<Rows, height, TRANSPOSE> Next;
    const row_thread l = thread_across<width>();
    const uint32_t column = cluster_rank() * width + l.row;
    point v[Columns::E];
    unroll<0, Columns::E>([&](auto e) {
        v[e] = swapped(load_once(row + column + (uint32_t)Columns::point_of(e, l.t) * Rows::N),
                       a.inverse);
    });
    run_pass<Columns, 0, false>(a, 0, l.t, v);
    unroll<1, Columns::passes>([&](auto pass) {
        if constexpr (pass > 1)
            __syncthreads();
        for_stored<Columns, Layout, pass - 1>(l.t,
                                              [&](auto e, int at) { shared[at + l.row] = v[e]; });
        __syncthreads();
        for_loaded<Columns, Layout, pass>(l.t, [&](auto e, int at) { v[e] = shared[at + l.row]; });
        run_pass<Columns, pass, false>(a, 0, l.t, v);
    });
    cluster_barrier(); /* all threads have loaded the points that the rows overwrite */
    unroll<0, Columns::E>([&](auto e) {
        const int k = Columns::bin_of(e, l.t);
        point *to = cluster_shared(shared, k / height);
        to[k % height * Next::pitch + Next::at((int)column, 0)] = v[e];
    });
    cluster_barrier();
}

/* Transforms the rows in the shared memory of this block. */
template <class Columns, class Rows, int blocks>
DEVICE void cluster_rows(const pass_args &a, point *row, point *shared)
{
    constexpr int height = Columns::N / blocks;
    typedef layout<Rows, height, TRANSPOSE> Layout;
    row_thread l = thread_along<Rows>();
    point *buffer = shared + l.row * Layout::pitch;
    const uint32_t first = cluster_rank() * height;
    point v[Rows::E];
    unroll<0, Rows::E>([&](auto e) { v[e] = buffer[Layout::at(Rows::point_of(e, l.t), 0)]; });
    run_pass<Rows, 0, true>(a, first + l.row, l.t, v);
    unroll<1, Rows::passes>([&](auto pass) {
        __syncthreads();
        for_stored<Rows, Layout, pass - 1>(l.t, [&](auto e, int at) { buffer[at] = v[e]; });
        __syncthreads();
        if constexpr (pass == 1) {
            l = thread_across<height>();
            buffer = shared + l.row * Layout::pitch;
        }
        for_loaded<Rows, Layout, pass>(l.t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Rows, pass, true>(a, first + l.row, l.t, v);
    });
    unroll<0, Rows::E>([&](auto e) {
        store_once(row + first + l.row + (uint32_t)Rows::bin_of(e, l.t) * Columns::N,
                   result_of(a, v[e]));
    });
}

/* axes[1] and up count long rows; axes[0] has the length of the columns, for the roots. */
template <class Columns, class Rows, int blocks> DEVICE void transform_cluster(const pass_args &a)
{
    SHARED_MEMORY(shared);
    constexpr uint32_t part = Columns::N * Rows::N / blocks;
    const tile_origin p = origin_of_tile(a, blockIdx.x / blocks * Columns::N, 1);
    const uint32_t ahead = blockIdx.x / blocks + a.ahead;
    if (a.ahead > 0 && threadIdx.x == 0 && ahead < gridDim.x / blocks)
        bulk_prefetch(origin_of_tile(a, ahead * Columns::N, 1).from + cluster_rank() * part,
                      part * sizeof(point));
    cluster_columns<Columns, Rows, blocks>(a, p.from, (point *)shared);
    cluster_rows<Columns, Rows, blocks>(a, p.to, (point *)shared);
}

#endif
