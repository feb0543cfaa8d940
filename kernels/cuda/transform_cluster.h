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
 *
 * A row may also be 2 n reals as n points (transform_parts.h).
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_CLUSTER_H
#define FFTD_KERNELS_CUDA_TRANSFORM_CLUSTER_H

#include "kernels/cuda/cluster.h"
#include "kernels/cuda/transform_parts.h"

/* What a row is before and after. */
enum cluster_kind { POINTS_TO_POINTS, REALS_TO_BINS, BINS_TO_REALS };

template <class Columns_, class Rows_, int blocks_, cluster_kind kind_> struct cluster_form {
    typedef Columns_ Columns;
    typedef Rows_ Rows;
    static constexpr int blocks = blocks_, N = Columns::N * Rows::N;
    static constexpr cluster_kind kind = kind_;
    static constexpr int width = Rows::N / blocks;     /* columns of a block */
    static constexpr int height = Columns::N / blocks; /* rows of a block */
    typedef layout<Columns, width, ACROSS> ColumnLayout;
    typedef layout<Rows, height, TRANSPOSE> RowLayout;

    /* Row `index` of a block, and the inverse: adjacent rows, or with mirror images for bins. */
    static constexpr bool mirrors = kind == REALS_TO_BINS;
    DEVICE mirrored_rows order()
    {
        return {height / 2, Columns::N};
    }
    DEVICE uint32_t row_of(uint32_t block, uint32_t index)
    {
        return mirrors ? order().row_of(block, index) : block * height + index;
    }
    DEVICE uint32_t block_of(uint32_t row)
    {
        return mirrors ? order().block_of(row) : row / height;
    }
    DEVICE uint32_t index_of(uint32_t row)
    {
        return mirrors ? order().index_of(row) : row % height;
    }
};

/* Transforms the columns and writes them to the shared memory of the blocks with the rows. */
template <class Form>
DEVICE void cluster_columns(const pass_args &a, const point *row, point *shared)
{
    typedef typename Form::Columns Columns;
    typedef typename Form::ColumnLayout Layout;
    typedef typename Form::RowLayout Next;
    const row_thread l = thread_across<Form::width>();
    const uint32_t column = cluster_rank() * Form::width + l.row;
    point v[Columns::E];
    unroll<0, Columns::E>([&](auto e) {
        const uint32_t at = column + (uint32_t)Columns::point_of(e, l.t) * Form::Rows::N;
        if constexpr (Form::kind == BINS_TO_REALS)
            v[e] = joined_point(a, row, Form::N, at);
        else
            v[e] = swapped(load_once(row + at), a.inverse);
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
        const uint32_t k = (uint32_t)Columns::bin_of(e, l.t);
        point *to = cluster_shared(shared, Form::block_of(k));
        to[Form::index_of(k) * Next::pitch + Next::at((int)column, 0)] = v[e];
    });
    cluster_barrier();
}

/* Transforms the rows in the shared memory of this block. */
template <class Form> DEVICE void cluster_rows(const pass_args &a, point *row, point *shared)
{
    typedef typename Form::Rows Rows;
    typedef typename Form::RowLayout Layout;
    row_thread l = thread_along<Rows>();
    point *buffer = shared + l.row * Layout::pitch;
    point v[Rows::E];
    unroll<0, Rows::E>([&](auto e) { v[e] = buffer[Layout::at(Rows::point_of(e, l.t), 0)]; });
    run_pass<Rows, 0, true>(a, Form::row_of(cluster_rank(), l.row), l.t, v);
    unroll<1, Rows::passes>([&](auto pass) {
        __syncthreads();
        for_stored<Rows, Layout, pass - 1>(l.t, [&](auto e, int at) { buffer[at] = v[e]; });
        __syncthreads();
        if constexpr (pass == 1) {
            l = thread_across<Form::height>();
            buffer = shared + l.row * Layout::pitch;
        }
        for_loaded<Rows, Layout, pass>(l.t, [&](auto e, int at) { v[e] = buffer[at]; });
        run_pass<Rows, pass, true>(a, Form::row_of(cluster_rank(), l.row), l.t, v);
    });
    if constexpr (Form::kind == REALS_TO_BINS)
        store_parts<Rows, Form::height>(a, row, shared, cluster_rank(), Form::Columns::N, l, v);
    else
        unroll<0, Rows::E>([&](auto e) {
            store_once(row + Form::row_of(cluster_rank(), l.row) +
                           (uint32_t)Rows::bin_of(e, l.t) * Form::Columns::N,
                       result_of(a, v[e]));
        });
}

/* axes[1] and up count long rows; axes[0] has the length of the columns, for the roots. */
template <class Form> DEVICE void transform_cluster(const pass_args &a)
{
    SHARED_MEMORY(shared);
    constexpr uint32_t blocks = Form::blocks, height = Form::Columns::N, part = Form::N / blocks;
    const tile_origin p = origin_of_tile(a, blockIdx.x / blocks * height, 1);
    const uint32_t ahead = blockIdx.x / blocks + a.ahead;
    if (a.ahead > 0 && threadIdx.x == 0 && ahead < gridDim.x / blocks)
        bulk_prefetch(origin_of_tile(a, ahead * height, 1).from + cluster_rank() * part,
                      part * sizeof(point));
    cluster_columns<Form>(a, p.from, (point *)shared);
    cluster_rows<Form>(a, p.to, (point *)shared);
}

#endif
