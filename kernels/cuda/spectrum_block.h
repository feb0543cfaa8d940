/*
 * spectrum_block.h - fused spectra of frames that fit into one block: unpack and window on load, FFT in
 * registers and shared memory, |X|^2 folded over the frames of a group in registers.
 *
 * A block works on `rows` frames side by side, T threads each; a row takes one group of frames after
 * the other, `workers` groups apart. All rows of a launch make the same number of steps, with nothing
 * to do in some, so that rows which share a warp stay together.
 *
 *     grid             any number of blocks
 *     shared memory    [rows] exchange buffers, [rows] raw frames (bulk only), twiddles, window (or
 *                      not), barriers (bulk only)
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_BLOCK_H
#define FFTD_KERNELS_CUDA_SPECTRUM_BLOCK_H

#include "kernels/cuda/bulk.h"
#include "kernels/cuda/sample.h"
#include "kernels/cuda/shape.h"
#include "kernels/cuda/traces.h"

template <class Shape_, class Format_, int rows_, bool bulk_> struct block_form {
    typedef Shape_ Shape;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int rows = rows_;
    static constexpr bool bulk = bulk_;
    /* The window: in registers while there are some to spare, else in shared memory where rows share it
     * and there is room, else in the cache. */
    static constexpr bool window_stays = bulk && Shape::E <= 16;
    static constexpr bool window_near = bulk && Shape::E >= 32 && Shape::passes == 2;

    static constexpr int raw_at = rows * Shape::padded * (int)sizeof(point);
    static constexpr int raw_bytes = bulk ? rows * Shape::N * (int)sizeof(raw) : 0;
    static constexpr int twiddles_at = raw_at + raw_bytes;
    static constexpr int window_at = twiddles_at + Shape::near_twiddles * (int)sizeof(point);
    static constexpr int barriers_at =
        window_at + (window_near ? Shape::N * (int)sizeof(float) : 0);
};

/* Where a row is: frame number `step` of group number `group`. */
struct cursor {
    uint32_t group, step;

    METHOD uint32_t frame(const spectrum_args &a) const
    {
        return group * a.group_frames + step;
    }
    METHOD bool is_frame(const spectrum_args &a) const
    {
        return group < a.groups && frame(a) < a.frames;
    }
    METHOD void advance(const spectrum_args &a, uint32_t workers)
    {
        if (++step == a.group_frames) {
            step = 0;
            group += workers;
        }
    }
};

/* One row of a block, as one of its threads sees it. */
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
    uint64_t *landed;
    unsigned turn; /* bulk copies that were waited for */
    cursor ahead;  /* the frame that is copied next */
    float window[Form::window_stays ? E : 1];

    METHOD block_row(const spectrum_args &args, unsigned char *shared)
        : a(args), row((int)threadIdx.x / T), t((int)threadIdx.x % T),
          workers(gridDim.x * Form::rows), turn(0)
    {
        buffer = (point *)shared + row * Shape::padded;
        stage = (raw *)(shared + Form::raw_at) + row * N;
        twiddles = (point *)(shared + Form::twiddles_at);
        window_copy = (float *)(shared + Form::window_at);
        landed = (uint64_t *)(shared + Form::barriers_at) + row;
        ahead = {blockIdx.x * Form::rows + row, 0};
    }

    METHOD void open()
    {
        for (int i = (int)threadIdx.x; i < Shape::near_twiddles; i += T * Form::rows)
            twiddles[i] = a.twiddles[i];
        if constexpr (Form::window_near)
            for (int i = (int)threadIdx.x; i < N; i += T * Form::rows)
                window_copy[i] = a.window[i];
        if constexpr (Form::window_stays)
            unroll<0, E>([&](auto e) { window[e] = a.window[Shape::point_of(e, t)]; });
        if constexpr (Form::bulk)
            if (t == 0)
                bulk_open(landed);
        __syncthreads();
        if constexpr (Form::bulk)
            fetch();
    }

    METHOD const raw *samples(uint32_t frame) const
    {
        return (const raw *)a.samples + (size_t)frame * a.hop;
    }

    /* Starts the copy of the frame ahead; every thread of the row keeps count. */
    METHOD void fetch()
    {
        if (!ahead.is_frame(a))
            return;
        if (t == 0)
            bulk_copy(stage, samples(ahead.frame(a)), N * sizeof(raw), landed);
        do
            ahead.advance(a, workers);
        while (ahead.group < a.groups && !ahead.is_frame(a));
    }

    /* The frame's windowed samples through the first pass. */
    METHOD void load(point *v, uint32_t frame)
    {
        const raw *from = samples(frame);
        if constexpr (Form::bulk) {
            bulk_wait(landed, turn++);
            from = stage;
        }
        raw x[E];
        unroll<0, E>([&](auto e) { x[e] = from[Shape::point_of(e, t)]; });
        constexpr int R = Shape::radix(0);
        unroll<0, E / R>([&](auto i) {
            float w[R];
            unroll<0, R>([&](auto r) {
                constexpr int e = i * R + r;
                v[e] = Form::Format::unpack(x[e]);
                if constexpr (Form::window_stays)
                    w[r] = window[e];
                else if constexpr (Form::window_near)
                    w[r] = window_copy[Shape::point_of(e, t)];
                else
                    w[r] = __ldg(a.window + Shape::point_of(e, t));
            });
            transform_windowed<R>(v + i * R, w);
        });
    }

    /* The later passes. All rows come here in step; `busy` ones start the next copy on the way. */
    METHOD void finish(point *v, bool busy)
    {
        unroll<1, Shape::passes>([&](auto pass) {
            row_barrier<T, Form::rows>(row);
            put<Shape, pass - 1>(v, buffer, t);
            row_barrier<T, Form::rows>(row);
            if constexpr (Form::bulk && pass == 1)
                if (busy)
                    fetch(); /* everybody has read the stage: two barriers ago at the latest */
            take<Shape, pass>(v, buffer, t);
            const point *table = pass < Shape::near_passes ? twiddles : a.twiddles;
            join_pass<Shape, pass>(v, table + Shape::twiddles_at(pass), t);
        });
    }
};

template <class Form, class Fold> DEVICE void spectrum_block(const spectrum_args &a)
{
    typedef typename Form::Shape Shape;
    SHARED_MEMORY(shared);
    block_row<Form> row(a, shared);
    const auto bin = [&](auto e) { return Shape::centred_bin_of(e, row.t); };

    row.open();
    for (uint32_t first = blockIdx.x * Form::rows; first < a.groups; first += row.workers) {
        cursor at = {first + row.row, 0};
        const size_t base = (size_t)at.group * Shape::N;
        const bool is_group = at.group < a.groups;
        Fold fold;
        fold.begin(a, base, is_group && a.resume, bin);
#pragma unroll 1
        for (; at.step < a.group_frames; at.step++) {
            const bool busy = at.is_frame(a);
            if (Shape::T >= 32 && !busy)
                break;
            point v[Shape::E] = {}; /* left unset, it costs registers */
            if (busy)
                row.load(v, at.frame(a));
            row.finish(v, busy);
            if (busy)
                fold.add(a, v, at.frame(a), Shape::N, bin);
        }
        if (is_group)
            fold.end(a, base, bin);
    }
}

#endif
