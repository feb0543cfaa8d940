/*
 * spectrum_block.h - fused spectra of frames that fit into one block: unpack and window on load,
 * FFT in registers and shared memory, |X|^2 folded in registers over the frames of a group.
 *
 * A block computes `rows` frames side by side with T threads each. A row takes one group of frames
 * after the other, `workers` groups apart. All rows of a launch make the same number of steps, some
 * of them idle, so that rows which share a warp stay in step.
 *
 *     grid             any number of blocks
 *     shared memory    [rows] exchange buffers, [rows] raw frames (stages), twiddles, window
 *                      (optional), [rows] barriers
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_BLOCK_H
#define FFTD_KERNELS_CUDA_SPECTRUM_BLOCK_H

#include "kernels/cuda/bulk.h"
#include "kernels/cuda/density.h"
#include "kernels/cuda/detectors.h"
#include "kernels/cuda/forms.h"
#include "kernels/cuda/sample.h"
#include "kernels/cuda/shape.h"
#include "kernels/cuda/split_barrier.h"

/* When samples are loaded: by copies into shared memory, by loads one frame ahead, or on use. */
enum loading { LOAD_BULK, LOAD_EARLY, LOAD_LATE };

template <class Shape_, class Format_, int rows_, loading loading_> struct block_form {
    typedef Shape_ Shape;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int rows = rows_;
    static constexpr bool bulk = loading_ == LOAD_BULK, early = loading_ == LOAD_EARLY;
    /*
     * A stage is refilled after the first barrier if that is a warp barrier, else after the second
     * (measured).
     */
    static constexpr bool refills_early = bulk && Shape::T <= 32;
    /* The window is in shared memory where rows share it and it fits, else in the cache. */
    static constexpr bool window_near = bulk && Shape::E >= 32 && Shape::passes == 2;
    /* Four values of a thread are one word, if there are registers to load them early. */
    static constexpr bool window_fours = window_near && Shape::E >= 64;

    static constexpr int raw_at = rows * Shape::spaced * (int)sizeof(point);
    /* Rows that share a warp use different banks. */
    static constexpr int stage_pitch = !bulk ? 0 : Shape::N + (Shape::T < 32 ? Shape::T : 0);
    static_assert(stage_pitch * sizeof(raw) % 16 == 0, "a copy begins at a multiple of 16 bytes");
    static constexpr int raw_bytes = rows * stage_pitch * (int)sizeof(raw);
    static constexpr int twiddles_at = raw_at + raw_bytes;
    static constexpr int window_at = twiddles_at + Shape::near_twiddles * (int)sizeof(point);
    static constexpr int barriers_at =
        window_at + (window_near ? Shape::N * (int)sizeof(float) : 0);
};

/* Frames of a group: 0 for a group beyond the last, fewer for the last. */
DEVICE uint32_t frames_of_group(const spectrum_args &a, uint32_t group)
{
    if (group >= a.groups)
        return 0;
    const uint32_t left = a.frames - group * a.group_frames;
    return left < a.group_frames ? left : a.group_frames;
}

/* Iterates over the frames of a row: address of the next frame and frames left. */
template <class raw> struct walk {
    const raw *at;
    uint32_t left, step;

    METHOD void open(const spectrum_args &a, uint32_t group, uint32_t workers)
    {
        const uint32_t groups = group < a.groups ? (a.groups - group + workers - 1) / workers : 0;
        at = (const raw *)a.samples + (size_t)(group * a.group_frames) * a.hop;
        step = left = 0;
        if (groups > 0)
            left =
                (groups - 1) * a.group_frames + frames_of_group(a, group + (groups - 1) * workers);
    }
    METHOD void advance(const spectrum_args &a, uint32_t workers)
    {
        left--;
        at += a.hop;
        if (++step == a.group_frames) {
            step = 0;
            at += (size_t)(workers - 1) * a.group_frames * a.hop;
        }
    }
};

/* State of one thread for its row of a block. */
template <class Form> struct block_row {
    typedef typename Form::Shape Shape;
    typedef typename Form::raw raw;
    static constexpr int N = Shape::N, E = Shape::E, T = Shape::T;

    const spectrum_args &a;
    const int row, t;
    const uint32_t workers;
    point *buffer, *twiddles;
    float *window_copy;
    raw *stage;
    uint64_t *copied;
    unsigned phase;  /* bulk copies received */
    walk<raw> ahead; /* the next frame to fetch */
    raw next[Form::early ? E : 1];

    METHOD block_row(const spectrum_args &args, unsigned char *shared)
        : a(args), row((int)threadIdx.x / T), t((int)threadIdx.x % T),
          workers(gridDim.x * Form::rows), phase(0)
    {
        buffer = (point *)shared + row * Shape::spaced;
        stage = (raw *)(shared + Form::raw_at) + row * Form::stage_pitch;
        twiddles = (point *)(shared + Form::twiddles_at);
        window_copy = (float *)(shared + Form::window_at);
        copied = (uint64_t *)(shared + Form::barriers_at) + row;
        ahead.open(a, blockIdx.x * Form::rows + row, workers);
    }

    /* Index of point i in the copy of the window. */
    METHOD static int window_index(int i)
    {
        return Form::window_fours ? (i / T / 4 * T + i % T) * 4 + i / T % 4 : i;
    }
    METHOD void load_fours(float *w) const
    {
        unroll<0, E / 4>([&](auto i) {
            const auto four = ((const adjacent<float, 4> *)window_copy)[i * T + t];
            unroll<0, 4>([&](auto e) { w[4 * i + e] = four.at[e]; });
        });
    }

    METHOD void open()
    {
        for (int i = (int)threadIdx.x; i < Shape::near_twiddles; i += T * Form::rows)
            twiddles[i] = a.twiddles[i];
        if constexpr (Form::window_near)
            for (int i = (int)threadIdx.x; i < N; i += T * Form::rows)
                window_copy[window_index(i)] = a.window[i];
        if (Form::bulk && t == 0)
            bulk_open(copied);
        __syncthreads();
    }

    METHOD const raw *samples(uint32_t frame) const
    {
        return (const raw *)a.samples + (size_t)frame * a.hop;
    }

    /* Fetches the next frame long before its use: a copy into the stage, or loads. */
    METHOD void fetch()
    {
        if (ahead.left == 0)
            return;
        if constexpr (Form::early)
            unroll<0, E>([&](auto e) { next[e] = ahead.at[Shape::point_of(e, t)]; });
        else if (t == 0)
            bulk_copy(stage, ahead.at, N * sizeof(raw), copied);
        ahead.advance(a, workers);
    }

    /* An idle row computes stale data, so that its warp does not diverge. */
    METHOD void receive(raw *x, uint32_t frame, bool busy)
    {
        if constexpr (Form::bulk) {
            if (busy)
                bulk_wait(copied, phase++);
            unroll<0, E>([&](auto e) { x[e] = stage[Shape::point_of(e, t)]; });
        } else if constexpr (Form::early) {
            unroll<0, E>([&](auto e) { x[e] = next[e]; });
        } else {
            const raw *from = opaque(samples(busy ? frame : 0));
            unroll<0, E>([&](auto e) { x[e] = from[Shape::point_of(e, t)]; });
        }
    }

    /* Applies the window and the first pass. */
    METHOD void first_pass(point *v, const raw *x)
    {
        constexpr int R = Shape::radix(0);
        const float *far_window = opaque(a.window);
        unroll<0, E / R>([&](auto i) {
            float w[R];
            if constexpr (Form::window_fours)
                load_fours(w);
            unroll<0, R>([&](auto r) {
                constexpr int e = i * R + r;
                v[e] = Form::Format::unpack(x[e]);
                if constexpr (Form::window_near && !Form::window_fours)
                    w[r] = window_copy[Shape::point_of(e, t)];
                else if constexpr (!Form::window_near)
                    w[r] = __ldg(far_window + Shape::point_of(e, t));
            });
            if (a.correction.wanted)
                unroll<0, R>([&](auto r) { v[i * R + r] = correct(v[i * R + r], a.correction); });
            transform_windowed<R>(v + i * R, w);
        });
    }

    template <int pass> METHOD void later_pass(point *v)
    {
        const point *table = pass < Shape::near_passes ? twiddles : opaque(a.twiddles);
        join_pass<Shape, pass>(v, table + Shape::twiddles_at(pass), t);
    }

    /*
     * Transforms a frame; all rows call this in step, `busy` or not. After the first barrier, all
     * threads have loaded the samples from the stage and the last points from the exchange buffer.
     */
    METHOD void transform_frame(point *v, uint32_t frame, bool busy)
    {
        raw x[E];
        receive(x, frame, busy);
        row_barrier<T, Form::rows>(row);
        if (Form::refills_early && busy)
            fetch();
        first_pass(v, x);
        if (Form::early && busy)
            fetch();
        unroll<1, Shape::passes>([&](auto pass) {
            if constexpr (pass > 1)
                row_barrier<T, Form::rows>(row);
            store_exchange<Shape, pass - 1>(v, buffer, t);
            row_barrier<T, Form::rows>(row);
            if (pass == 1 && Form::bulk && !Form::refills_early && busy)
                fetch();
            load_exchange<Shape, pass>(v, buffer, t);
            later_pass<pass>(v);
        });
    }

    /*
     * Counts the levels of the frame. The powers replace the points in the exchange buffer after
     * all threads have loaded those, and stay until the first barrier of the next frame.
     */
    METHOD void count(const point *v, bool busy)
    {
        float *powers = (float *)buffer;
        row_barrier<T, Form::rows>(row);
        unroll<0, E>([&](auto e) { powers[Shape::centred_bin_of(e, t)] = power_of(v[e]); });
        row_barrier<T, Form::rows>(row);
        if (busy)
            count_levels<T>(a.density, powers, t);
    }
};

template <class Form, class Fold> DEVICE void spectrum_block(const spectrum_args &a)
{
    typedef typename Form::Shape Shape;
    SHARED_MEMORY(shared);
    block_row<Form> row(a, shared);
    const auto bin = [&](auto e) { return Shape::centred_bin_of(e, row.t); };
    constexpr bool together = Shape::T < 32; /* rows share a warp */

    /* Loads start before the tables, which they do not need; copies start after their barrier. */
    if (Form::early)
        row.fetch();
    row.open();
    if (Form::bulk)
        row.fetch();
    for (uint32_t first = blockIdx.x * Form::rows; first < a.groups; first += row.workers) {
        const uint32_t group = first + row.row, count = frames_of_group(a, group);
        const size_t base = (size_t)group * Shape::N;
        Fold fold;
        fold.begin(a, base, count > 0 && a.resume, bin);
#pragma unroll 1
        for (uint32_t step = 0; step < (together ? a.group_frames : count); step++) {
            const bool busy = !together || step < count;
            const uint32_t frame = group * a.group_frames + step;
            point v[Shape::E];
            row.transform_frame(v, frame, busy);
            if (busy)
                fold.add(v);
            if (Fold::single && busy && a.last && frame == a.frames - 1)
                store_powers<Shape::E>(a.last, v, bin);
            if (Fold::counts && a.density.hits)
                row.count(v, busy);
        }
        if (count > 0)
            fold.end(a, base, bin);
    }
    if (a.done)
        signal_done(a.done);
}

#endif
