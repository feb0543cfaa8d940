/*
 * transform_staged.h - rows so long that one fills a multiprocessor: a bulk copy fetches the next
 * row during the transform of this one, and the exchange moves either the real or the imaginary
 * parts at a time.
 *
 *     grid             as many blocks as the device runs at a time
 *     shared memory    the next row, [n] points; the exchange, `padded` floats; a barrier
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_STAGED_H
#define FFTD_KERNELS_CUDA_TRANSFORM_STAGED_H

#include "kernels/cuda/bulk.h"
#include "kernels/cuda/transform.h"

/* Exchanges points from pass - 1 to pass. No thread still reads the plane at the call. */
template <class Shape, int pass> DEVICE void exchange_planes(point *v, float *plane, int t)
{
    typedef layout<Shape, 1, ALONG> Layout;
    for_stored<Shape, Layout, pass - 1>(t, [&](auto e, int at) { plane[at] = v[e].re; });
    __syncthreads();
    for_loaded<Shape, Layout, pass>(t, [&](auto e, int at) {
        /* The imaginary parts move later: until then v[].im still holds the old elements. */
        v[e].re = plane[at];
    });
    __syncthreads();
    for_stored<Shape, Layout, pass - 1>(t, [&](auto e, int at) { plane[at] = v[e].im; });
    __syncthreads();
    for_loaded<Shape, Layout, pass>(t, [&](auto e, int at) { v[e].im = plane[at]; });
}

template <class Shape> DEVICE void transform_staged(const pass_args &a)
{
    SHARED_MEMORY(shared);
    point *const stage = (point *)shared;
    float *const plane = (float *)(stage + Shape::N);
    uint64_t *const copied = (uint64_t *)(plane + Shape::padded);
    const uint32_t tiles = (uint32_t)a.rows;
    const int t = (int)threadIdx.x;
    const auto fetch = [&](uint32_t tile) {
        if (t == 0 && tile < tiles)
            bulk_copy(stage, origin_of_tile(a, tile, 1).from, Shape::N * sizeof(point), copied);
    };

    if (t == 0)
        bulk_open(copied);
    __syncthreads();
    fetch(blockIdx.x);
    unsigned phase = 0;
#pragma unroll 1
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        point v[Shape::E];
        bulk_wait(copied, phase++);
        unroll<0, Shape::E>(
            [&](auto e) { v[e] = swapped(stage[Shape::point_of(e, t)], a.inverse); });
        __syncthreads(); /* all threads have the row and no longer read the plane */
        fetch(tile + gridDim.x);
        run_pass<Shape, 0, false>(a, 0, t, v);
        unroll<1, Shape::passes>([&](auto pass) {
            if constexpr (pass > 1)
                __syncthreads();
            exchange_planes<Shape, pass>(v, plane, t);
            run_pass<Shape, pass, false>(a, 0, t, v);
        });
        store_row<Shape>(a, origin_of_tile(a, tile, 1), {0, t}, 1, v);
    }
}

#endif
