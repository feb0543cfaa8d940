/*
 * spectrum_parts.h - fused spectra of frames of 2K .. 8K points, mostly all detectors: a frame is
 * divided into `parts` of equal length, and the threads of one warp, or half of one, transform a
 * part. |X|^2 is folded in registers over the frames of a group.
 *
 *     divide    column j of the frame, its points j + p length, goes through a DFT of `parts`
 *               points, window on load; result q is point j of part q
 *     part      part q goes through a DFT of two passes whose frequencies are shifted by q/parts of
 *               a bin; bin k of it is bin q + parts k of the frame. The roots of both passes
 *               include the shift (spectrum_split.h).
 *
 * Only `divide` needs barriers of the block. Where two sets of exchange buffers fit, the next frame
 * is divided before the parts of this one are transformed, with one barrier in halves for each
 * frame, and every warp copies the samples of its own columns: no warp waits for another that is
 * less than most of a frame behind.
 *
 *     grid             any number of blocks
 *     shared memory    [sets][parts] exchange buffers, raw frame, window, roots of the parts (where
 *                      those of pass 1 stay in registers: of pass 0 alone), barrier
 *     bridge           [parts][the roots of both passes]
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_PARTS_H
#define FFTD_KERNELS_CUDA_SPECTRUM_PARTS_H

#include "kernels/cuda/spectrum_block.h"

template <int parts_, class Part_, class Format_> struct parts_form {
    typedef Part_ Part;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int parts = parts_;
    static constexpr int N = parts * Part::N, E = Part::E, T = parts * Part::T;
    static constexpr int together = Part::N >= 2 * T ? 2 : 1; /* columns that a thread divides */
    static constexpr bool roots_stay = E >= 32;
    static constexpr int roots = E / 2 + Part::N / 2; /* of a part: both passes */
    static constexpr int near_roots = roots_stay ? E / 2 : roots;
    static constexpr bool ahead = E >= 32 && sizeof(raw) <= 4; /* two sets of exchange buffers */
    static constexpr int set = parts * Part::spaced;           /* points of a set */

    static constexpr int raw_at = (ahead ? 2 : 1) * set * (int)sizeof(point);
    static constexpr int window_at = raw_at + N * (int)sizeof(raw);
    static constexpr int roots_at = window_at + N * (int)sizeof(float);
    static constexpr int barrier_at = roots_at + parts * near_roots * (int)sizeof(point);
};

/* ---- a part --------------------------------------------------------------------------------- */

/* The first pass of a part, whose points are in `buffer`: v is what pass 1 joins. */
template <class Part>
DEVICE void first_pass_of_part(point *v, point *buffer, const point *roots, int lane)
{
    unroll<0, Part::E>([&](auto e) { v[e] = buffer[Part::point_of(e, lane)]; });
    __syncwarp();
    join_pass<Part, 0>(v, roots, lane);
    store_exchange<Part, 0>(v, buffer, lane);
    __syncwarp();
    load_exchange<Part, 1>(v, buffer, lane);
}

/* ---- a block -------------------------------------------------------------------------------- */

/* State of one thread. */
template <class Form> struct parts_block {
    typedef typename Form::Part Part;
    typedef typename Form::raw raw;
    static constexpr int P = Form::parts, T = Form::T, E = Form::E, together = Form::together;
    static constexpr int rounds = Part::N / together / T;

    const spectrum_args &a;
    const int t, part, lane; /* thread in the block; its part; thread in the part */
    point *exchange, *near_roots;
    float *window;
    raw *stage;
    uint64_t *barrier; /* of copies; two sets: between frames, in halves */
    unsigned phases;   /* of the barrier, so far */
    walk<raw> ahead;
    point kept[Form::roots_stay ? E / 2 : 1];

    METHOD parts_block(const spectrum_args &args, unsigned char *shared)
        : a(args), t((int)threadIdx.x), part(t / Part::T), lane(t % Part::T), phases(0)
    {
        exchange = (point *)shared;
        stage = (raw *)(shared + Form::raw_at);
        window = (float *)(shared + Form::window_at);
        near_roots = (point *)(shared + Form::roots_at);
        barrier = (uint64_t *)(shared + Form::barrier_at);
        ahead.open(a, blockIdx.x, gridDim.x);
    }

    METHOD void open()
    {
        for (int i = t; i < Form::N; i += T)
            window[i] = a.window[i];
        for (int i = t; i < P * Form::near_roots; i += T)
            near_roots[i] = a.bridge[i / Form::near_roots * Form::roots + i % Form::near_roots];
        if constexpr (Form::roots_stay)
            keep_roots<Part, 1>(kept, a.bridge + part * Form::roots + E / 2, lane);
        if (Form::ahead && t == 0)
            split_open(barrier, every_thread_arrives ? T : T / 32);
        else if (t == 0)
            bulk_open(barrier);
        __syncthreads();
        fetch();
        if (Form::ahead)
            arrive();
    }

    /* ---- samples ------------------------------------------------------------------------ */

    /* The samples of the columns that this warp divides. */
    METHOD void fetch_columns()
    {
        constexpr int unit = 16 / (int)sizeof(raw), units = 32 * together / unit;
        constexpr int rows = 32 / units; /* at a time */
        const int first = t % 32 / units * Part::N + t / 32 * 32 * together + t % units * unit;
        unroll<0, rounds>([&](auto round) {
            unroll<0, P / rows>([&](auto i) {
                const int at = first + i * rows * Part::N + round * T * together;
                unit_copy(stage + at, ahead.at + at);
            });
        });
    }

    /* Copies the next frame into the stage, long before its use. */
    METHOD void fetch()
    {
        if (ahead.left == 0)
            return;
        if constexpr (Form::ahead)
            fetch_columns();
        else if (t == 0)
            bulk_copy(stage, ahead.at, Form::N * sizeof(raw), barrier);
        ahead.advance(a, gridDim.x);
    }

    /* ---- the division of columns -------------------------------------------------------- */

    /* Divides columns j .. j + together - 1. */
    METHOD void divide_columns(point (*v)[P], int j)
    {
        float w[together][P];
        unroll<0, P>([&](auto p) {
            const int at = p * Part::N + j;
            const auto x = *(const adjacent<raw, together> *)(stage + at);
            const auto y = *(const adjacent<float, together> *)(window + at);
            unroll<0, together>([&](auto c) {
                v[c][p] = Form::Format::unpack(x.at[c]);
                w[c][p] = y.at[c];
            });
        });
        unroll<0, together>([&](auto c) {
            if (a.correction.wanted)
                unroll<0, P>([&](auto p) { v[c][p] = correct(v[c][p], a.correction); });
            transform_windowed<P>(v[c], w[c]);
        });
    }

    /* Their points of the parts, to this set of buffers. */
    METHOD void store_columns(const point (*v)[P], int j, int set)
    {
        point *const to = exchange + set * Form::set + j;
        unroll<0, P>([&](auto q) {
            adjacent<point, together> x;
            unroll<0, together>([&](auto c) { x.at[c] = v[c][q]; });
            *(adjacent<point, together> *)(to + q * Part::spaced) = x;
        });
    }

    /* Divides the frame; `ready` returns when all threads have loaded the points of this set. */
    template <class Ready> METHOD void divide(int set, Ready ready)
    {
        unroll<0, rounds>([&](auto i) {
            const int j = together * (t + i * T);
            point v[together][P];
            divide_columns(v, j);
            if (i == 0)
                ready();
            store_columns(v, j, set);
        });
    }

    METHOD void transform_part(point *v, int set)
    {
        const point *roots = near_roots + part * Form::near_roots;
        first_pass_of_part<Part>(v, exchange + set * Form::set + part * Part::spaced, roots, lane);
        if (Form::ahead)
            arrive();
        if constexpr (Form::roots_stay)
            join_kept<Part, 1>(v, kept);
        else
            join_pass<Part, 1>(v, roots + E / 2, lane);
    }

    /* ---- frames: one set of buffers ----------------------------------------------------- */

    METHOD void transform_frame(point *v)
    {
        bulk_wait(barrier, phases++);
        divide(0, [] { __syncthreads(); });
        __syncthreads();
        fetch();
        transform_part(v, 0);
    }

    /* ---- frames: two sets --------------------------------------------------------------- */

    /* All points of one set are loaded, all points of the other stored. */
    METHOD void arrive()
    {
        __syncwarp();
        if (every_thread_arrives || t % 32 == 0)
            split_arrive(barrier);
        phases++;
    }
    METHOD void wait()
    {
        split_wait(barrier, phases - 1);
    }

    METHOD void divide_ahead(int set)
    {
        unit_wait();
        __syncwarp();
        divide(set, [&] { wait(); });
        __syncwarp();
        fetch();
    }

    /* Frame number `step` of the `count` frames of a group, and the division of the next. */
    METHOD void transform_ahead(point *v, uint32_t step, uint32_t count)
    {
        if (step == 0) {
            divide_ahead(0);
            arrive();
        }
        if (step + 1 < count)
            divide_ahead((int)(step + 1) % 2);
        else
            wait();
        transform_part(v, (int)step % 2);
    }
};

template <class Form, class Fold> DEVICE void spectrum_parts(const spectrum_args &a)
{
    typedef typename Form::Part Part;
    SHARED_MEMORY(shared);
    parts_block<Form> block(a, shared);
    const auto bin = [&](auto e) {
        return block.part + Form::parts * Part::centred_bin_of(e, block.lane);
    };

    block.open();
    for (uint32_t group = blockIdx.x; group < a.groups; group += gridDim.x) {
        const size_t base = (size_t)group * Form::N;
        const uint32_t count = frames_of_group(a, group);
        Fold fold;
        fold.begin(a, base, false, bin);
        point v[Form::E];
#pragma unroll 1
        for (uint32_t step = 0; step < count; step++) {
            if constexpr (Form::ahead)
                block.transform_ahead(v, step, count);
            else
                block.transform_frame(v);
            fold.add(v);
        }
        fold.end(a, base, bin);
        if (Fold::single && a.last && group == a.groups - 1)
            store_powers<Form::E>(a.last, v, bin);
    }
}

#endif
