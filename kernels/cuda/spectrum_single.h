/*
 * spectrum_single.h - the fused spectrum of one frame, mean alone, in one block: a batch whose
 * result is wanted soon.
 *
 * Loads return in order, and the samples come across the bus. Every table that the frame needs is
 * therefore loaded into registers before the first sample; a block that transforms many frames
 * (spectrum_block.h) has no registers for that. Results are the same, bit by bit.
 *
 *     grid             one block of T threads
 *     shared memory    the exchange buffer
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_SINGLE_H
#define FFTD_KERNELS_CUDA_SPECTRUM_SINGLE_H

#include "kernels/cuda/detectors.h"
#include "kernels/cuda/sample.h"
#include "kernels/cuda/shape.h"

template <class Shape, class Format> struct single_frame {
    typedef typename Format::raw raw;
    static constexpr int E = Shape::E, later = Shape::passes - 1;

    float window[E];
    point roots[later][E / 2];
    raw samples[E];

    METHOD void load(const spectrum_args &a, int t)
    {
        unroll<0, E>([&](auto e) { window[e] = __ldg(a.window + Shape::point_of(e, t)); });
        unroll<1, Shape::passes>([&](auto pass) {
            keep_roots<Shape, pass>(roots[pass - 1], a.twiddles + Shape::twiddles_at(pass), t);
        });
        unroll<0, E>([&](auto e) { samples[e] = ((const raw *)a.samples)[Shape::point_of(e, t)]; });
    }

    /* Applies the window and the first pass. */
    METHOD void first_pass(const spectrum_args &a, point *v) const
    {
        constexpr int R = Shape::radix(0);
        unroll<0, E>([&](auto e) { v[e] = Format::unpack(samples[e]); });
        if (a.correction.wanted)
            unroll<0, E>([&](auto e) { v[e] = correct(v[e], a.correction); });
        unroll<0, E / R>([&](auto i) { transform_windowed<R>(v + i * R, window + i * R); });
    }
};

template <class Shape, class Format> DEVICE void spectrum_single(const spectrum_args &a)
{
    constexpr int T = Shape::T;
    SHARED_MEMORY(shared);
    point *const buffer = (point *)shared;
    const int t = (int)threadIdx.x;
    single_frame<Shape, Format> frame;
    point v[Shape::E];
    frame.load(a, t);
    frame.first_pass(a, v);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            row_barrier<T, 1>(0);
        store_exchange<Shape, pass - 1>(v, buffer, t);
        row_barrier<T, 1>(0);
        load_exchange<Shape, pass>(v, buffer, t);
        join_kept<Shape, pass>(v, frame.roots[pass - 1]);
    });
    store_powers<Shape::E>(a.sum, v, [&](auto e) { return Shape::centred_bin_of(e, t); });
    if (a.done)
        signal_done(a.done);
}

#endif
