/*
 * spectrum_parts.h - fused spectra of frames of 2K .. 16K points, mostly all detectors: a frame is
 * divided into `parts` of equal length, and the threads of one warp, or half of one, transform a
 * part. |X|^2 is folded in registers over the frames of a group.
 *
 *     divide    column j of the frame, its points j + p length, goes through a DFT of `parts`
 *               points, window on load; result q is point j of part q
 *     part      part q goes through a DFT of two passes whose frequencies are shifted by q/parts of
 *               a bin; bin k of it is bin q + parts k of the frame. The roots of both passes
 *               include the shift (spectrum_split.h).
 *
 * Only `divide` needs barriers of the block. Detectors of 16384 bins need the registers of two
 * multiprocessors: then `sharing` = 2 blocks load the same frames, and each computes every second
 * part. Their division computes every second result alone.
 *
 *     grid             any number of blocks, a multiple of `sharing`
 *     shared memory    [own parts] exchange buffers, raw frame, window, roots of the own parts
 *                      (where those of pass 1 stay in registers: of pass 0 alone), barrier
 *     bridge           [parts][the roots of both passes]
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_PARTS_H
#define FFTD_KERNELS_CUDA_SPECTRUM_PARTS_H

#include "kernels/cuda/spectrum_block.h"

template <int parts_, int sharing_, class Part_, class Format_> struct parts_form {
    typedef Part_ Part;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int parts = parts_, sharing = sharing_, own = parts / sharing;
    static constexpr int N = parts * Part::N, E = Part::E, T = own * Part::T;
    static constexpr int together = Part::N >= 2 * T ? 2 : 1; /* columns that a thread divides */
    static constexpr bool roots_stay = E >= 32;
    static constexpr int roots = E / 2 + Part::N / 2; /* of a part: both passes */
    static constexpr int near_roots = roots_stay ? E / 2 : roots;

    static constexpr int raw_at = own * Part::spaced * (int)sizeof(point);
    static constexpr int window_at = raw_at + N * (int)sizeof(raw);
    static constexpr int roots_at = window_at + N * (int)sizeof(float);
    static constexpr int barriers_at = roots_at + own * near_roots * (int)sizeof(point);
};

/* ---- the division of a column --------------------------------------------------------------- */

/* Roots of a DFT whose frequencies are shifted by half a bin. */
template <int number> DEVICE point half_root()
{
    constexpr int level = level_of(number), k = number > 0 ? number - level / 4 : 0;
    return {root<2 * k + 1, 2 * level>::re, root<2 * k + 1, 2 * level>::im};
}

/*
 * Results `odd`, odd + 2, odd + 4 ... of a windowed DFT of P points, in v[P / 2]. For odd results
 * the second half of the window is negative.
 */
template <int P> DEVICE void transform_every_second(point *v, const float *window, int odd)
{
    constexpr int half = P / 2;
    unroll<0, half>([&](auto i) {
        const float far = window[i + half];
        const point b = {v[i + half].re * far, v[i + half].im * far};
        v[i] = {fmaf(v[i].re, window[i], b.re), fmaf(v[i].im, window[i], b.im)};
    });
    if (odd)
        transform<half>(v, [](auto number) { return half_root<number>(); });
    else
        transform<half>(v);
}

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

    const spectrum_args &a;
    const int t, own, lane; /* thread in the block; part in the block; thread in the part */
    const int odd;          /* number of the block among those that share its frames */
    const uint32_t worker, workers;
    point *exchange, *near_roots;
    float *window;
    raw *stage;
    uint64_t *copied;
    unsigned frames; /* received so far */
    walk<raw> ahead;
    point kept[Form::roots_stay ? E / 2 : 1];

    METHOD parts_block(const spectrum_args &args, unsigned char *shared)
        : a(args), t((int)threadIdx.x), own(t / Part::T), lane(t % Part::T),
          odd((int)blockIdx.x % Form::sharing), worker(blockIdx.x / Form::sharing),
          workers(gridDim.x / Form::sharing), frames(0)
    {
        exchange = (point *)shared;
        stage = (raw *)(shared + Form::raw_at);
        window = (float *)(shared + Form::window_at);
        near_roots = (point *)(shared + Form::roots_at);
        copied = (uint64_t *)(shared + Form::barriers_at);
        ahead.open(a, worker, workers);
    }

    /* Number in the frame of a part of this block. */
    METHOD int part(int number) const
    {
        return number * Form::sharing + odd;
    }

    METHOD void open()
    {
        for (int i = t; i < Form::N; i += T)
            window[i] = odd && i >= Form::N / 2 ? -a.window[i] : a.window[i];
        for (int i = t; i < Form::own * Form::near_roots; i += T)
            near_roots[i] =
                a.bridge[part(i / Form::near_roots) * Form::roots + i % Form::near_roots];
        if constexpr (Form::roots_stay)
            keep_roots<Part, 1>(kept, a.bridge + part(own) * Form::roots + E / 2, lane);
        if (t == 0)
            bulk_open(copied);
        __syncthreads();
        fetch();
    }

    /* Copies the next frame into the stage, long before its use. */
    METHOD void fetch()
    {
        if (ahead.left == 0)
            return;
        if (t == 0)
            bulk_copy(stage, ahead.at, Form::N * sizeof(raw), copied);
        ahead.advance(a, workers);
    }

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
            if constexpr (Form::sharing > 1)
                transform_every_second<P>(v[c], w[c], odd);
            else
                transform_windowed<P>(v[c], w[c]);
        });
    }

    /* Their points of the parts. */
    METHOD void store_columns(const point (*v)[P], int j)
    {
        unroll<0, Form::own>([&](auto q) {
            adjacent<point, together> x;
            unroll<0, together>([&](auto c) { x.at[c] = v[c][q]; });
            *(adjacent<point, together> *)(exchange + q * Part::spaced + j) = x;
        });
    }

    METHOD void divide()
    {
        bulk_wait(copied, frames++);
        unroll<0, Part::N / together / T>([&](auto i) {
            const int j = together * (t + i * T);
            point v[together][P];
            divide_columns(v, j);
            if (i == 0)
                __syncthreads(); /* all threads have loaded the parts of the last frame */
            store_columns(v, j);
        });
        __syncthreads();
        fetch();
    }

    METHOD void transform_part(point *v)
    {
        const point *roots = near_roots + own * Form::near_roots;
        first_pass_of_part<Part>(v, exchange + own * Part::spaced, roots, lane);
        if constexpr (Form::roots_stay)
            join_kept<Part, 1>(v, kept);
        else
            join_pass<Part, 1>(v, roots + E / 2, lane);
    }
};

template <class Form, class Fold> DEVICE void spectrum_parts(const spectrum_args &a)
{
    typedef typename Form::Part Part;
    SHARED_MEMORY(shared);
    parts_block<Form> block(a, shared);
    const auto bin = [&](auto e) {
        return block.part(block.own) + Form::parts * Part::centred_bin_of(e, block.lane);
    };

    block.open();
    for (uint32_t group = block.worker; group < a.groups; group += block.workers) {
        const size_t base = (size_t)group * Form::N;
        const uint32_t count = frames_of_group(a, group);
        Fold fold;
        fold.begin(a, base, false, bin);
        point v[Form::E];
#pragma unroll 1
        for (uint32_t step = 0; step < count; step++) {
            block.divide();
            block.transform_part(v);
            fold.add(v);
        }
        fold.end(a, base, bin);
        if (Fold::single && a.last && group == a.groups - 1)
            store_powers<Form::E>(a.last, v, bin);
    }
}

#endif
