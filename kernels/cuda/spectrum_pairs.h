/*
 * spectrum_pairs.h - fused spectra of frames of 1K points, all detectors: two warps fold the frames
 * of a group, every second one each. A warp has the detectors of half of the bins; the powers of
 * the other half go to the other warp through shared memory. So three accumulators take half of the
 * registers, and a multiprocessor has room for more warps.
 *
 *     grid             any number of blocks
 *     block            [pairs][2] warps
 *     shared memory    as spectrum_block.h, with two rows for each pair
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_PAIRS_H
#define FFTD_KERNELS_CUDA_SPECTRUM_PAIRS_H

#include "kernels/cuda/spectrum_block.h"

template <class Shape, class Format, int pairs_>
struct pairs_form : block_form<Shape, Format, 2 * pairs_, LOAD_BULK> {
    static constexpr int pairs = pairs_, half = Shape::E / 2;
    static_assert(Shape::T == 32, "a warp a frame");
};

/* State of one thread for its row of a block: the frames of its warp. */
template <class Form> struct pair_row : block_row<Form> {
    typedef block_row<Form> Row;
    typedef typename Form::Shape Shape;
    typedef typename Form::raw raw;
    typedef adjacent<float, 4> four;
    static constexpr int T = Shape::T, half = Form::half;

    const int pair, member;
    const uint32_t pairs_of_grid;
    uint32_t next_group, next_step; /* the next frame to copy */

    METHOD pair_row(const spectrum_args &args, unsigned char *shared)
        : Row(args, shared), pair(this->row / 2), member(this->row % 2),
          pairs_of_grid(gridDim.x * Form::pairs),
          next_group(blockIdx.x * Form::pairs + (unsigned)pair), next_step(0)
    {
    }
    METHOD uint32_t frame_of(uint32_t group, uint32_t step) const
    {
        return group * this->a.group_frames + 2 * step + (unsigned)member;
    }

    /* Copies the next frame of this warp, long before its use. */
    METHOD void copy_next()
    {
        while (2 * next_step + (unsigned)member >= frames_of_group(this->a, next_group)) {
            if (next_group >= this->a.groups)
                return;
            next_group += pairs_of_grid;
            next_step = 0;
        }
        if (this->t == 0)
            bulk_copy(this->stage, this->samples(frame_of(next_group, next_step)),
                      Shape::N * sizeof(raw), this->copied);
        next_step++;
    }

    METHOD void barrier() const
    {
        row_barrier<2 * T, Form::pairs>(pair);
    }

    /*
     * After the barrier, both warps have loaded the powers of the last frames, and all threads of
     * this one the samples of this frame.
     */
    METHOD void transform(point *v, bool busy)
    {
        raw x[Shape::E];
        this->receive(x, 0, busy);
        barrier();
        if (busy)
            copy_next();
        this->first_pass(v, x);
        store_exchange<Shape, 0>(v, this->buffer, this->t);
        __syncwarp();
        load_exchange<Shape, 1>(v, this->buffer, this->t);
        this->template later_pass<1>(v);
        __syncwarp();
    }

    /* Folds the bins of this warp, if it has a frame; those of the other go to it. */
    template <int own> METHOD void fold_own(detectors_fold<half> &fold, const point *v, bool mine)
    {
        four *const given = (four *)this->buffer + this->t;
        unroll<0, half / 4>([&](auto i) {
            four x;
            unroll<0, 4>([&](auto e) { x.at[e] = power_of(v[(1 - own) * half + 4 * i + e]); });
            given[i * T] = x;
        });
        if (mine)
            fold.add(v + own * half);
    }
    /* Folds the bins that the other warp gave. */
    METHOD void fold_given(detectors_fold<half> &fold) const
    {
        const int other = member ? -Shape::spaced : Shape::spaced;
        const four *const given = (const four *)(this->buffer + other) + this->t;
        unroll<0, half / 4>([&](auto i) {
            const four x = given[i * T];
            unroll<0, 4>([&](auto e) { fold.add(known<4 * i + e>{}, x.at[e]); });
        });
    }
    /*
     * Has each warp a frame? Both meet at one instruction: synccheck, a tool of compute-sanitizer,
     * reports others, though they may meet anywhere.
     */
    METHOD void fold(detectors_fold<half> &fold, const point *v, bool mine, bool others)
    {
        if (member == 0)
            fold_own<0>(fold, v, mine);
        else
            fold_own<1>(fold, v, mine);
        barrier();
        if (others)
            fold_given(fold);
    }
};

template <class Form> DEVICE void spectrum_pairs(const spectrum_args &a)
{
    typedef typename Form::Shape Shape;
    SHARED_MEMORY(shared);
    pair_row<Form> row(a, shared);
    const auto every_bin = [&](auto e) { return Shape::centred_bin_of(e, row.t); };
    const auto bin = [&](auto e) {
        return Shape::centred_bin_of(row.member * Form::half + e, row.t);
    };

    row.open();
    row.copy_next();
    for (uint32_t group = blockIdx.x * Form::pairs + (unsigned)row.pair; group < a.groups;
         group += row.pairs_of_grid) {
        const uint32_t count = frames_of_group(a, group);
        const size_t base = (size_t)group * Shape::N;
        detectors_fold<Form::half> fold;
        fold.begin(a, base, a.resume, bin);
#pragma unroll 1
        for (uint32_t step = 0; 2 * step < count; step++) {
            const uint32_t second = 2 * step + 1;
            const bool mine = row.member == 0 || second < count;
            point v[Shape::E];
            row.transform(v, mine);
            row.fold(fold, v, mine, row.member == 1 || second < count);
            if (a.last && mine && row.frame_of(group, step) == a.frames - 1)
                store_powers<Shape::E>(a.last, v, every_bin);
        }
        fold.end(a, base, bin);
    }
}

#endif
