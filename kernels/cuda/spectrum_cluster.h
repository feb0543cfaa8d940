/*
 * spectrum_cluster.h - fused spectra of frames of 32K and 64K points in one kernel: the points of a
 * frame are in the shared memory of a cluster of blocks, so that only samples cross device memory.
 *
 * A frame is divided into `parts` as in spectrum_parts.h. Each block divides its share of adjacent
 * columns and writes the points of each part to the shared memory of the block that transforms it:
 * block b has parts b own .. (b + 1) own - 1, one in each warp. |X|^2 is folded in registers over
 * the frames of a group.
 *
 * Where there are twice as many parts as a thread has points, two threads of a warp divide a column
 * together: thread 0 transforms its even points, thread 1 its odd points, and each joins half of
 * the results.
 *
 *     grid             any number of clusters
 *     shared memory    [own] exchange buffers, [parts] raw samples of the columns, [own] roots of
 *                      pass 0, barrier; roomy: [parts] window of the columns
 *     bridge           [parts][the roots of both passes]
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_H
#define FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_H

#include "kernels/cuda/cluster.h"
#include "kernels/cuda/spectrum_parts.h"

template <int parts_, int blocks_, class Part_, class Format_> struct cluster_frame_form {
    typedef Part_ Part;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int parts = parts_, blocks = blocks_, own = parts / blocks;
    static constexpr int N = parts * Part::N, E = Part::E, T = own * Part::T;
    static constexpr int width = Part::N / blocks; /* columns of a block */
    static constexpr int sharing = parts / E;      /* threads of a column */
    /* Few threads: the window is in shared memory, the roots of pass 1 in registers. */
    static constexpr bool roomy = T <= 256;
    static constexpr int roots = E / 2 + Part::N / 2; /* of a part: both passes */
    static_assert(Part::T == 32 && E == Part::radix(0), "a part is a warp's");
    static_assert(sharing >= 1 && sharing <= 2 && T == width * sharing, "one column, or half");

    /*
     * Threads that share a column are half a warp apart. The samples of the second are half the
     * banks further on.
     */
    static constexpr int apart = 32 / sharing, shift = sharing > 1 ? 16 : 0;
    static constexpr int pitch = sharing * (width + shift); /* from point to point of a thread */

    static constexpr int raw_at = own * Part::spaced * (int)sizeof(point);
    static constexpr int roots_at = raw_at + E * pitch * (int)sizeof(raw);
    static constexpr int window_at = roots_at + own * (E / 2) * (int)sizeof(point);
    static constexpr int barriers_at = window_at + (roomy ? N / blocks * (int)sizeof(float) : 0);
};

/* State of one thread. */
template <class Form> struct cluster_frame {
    typedef typename Form::Part Part;
    typedef typename Form::raw raw;
    static constexpr int P = Form::parts, T = Form::T, E = Form::E, width = Form::width;
    static constexpr int own_parts = Form::own, sharing = Form::sharing;

    const spectrum_args &a;
    const int t, own, lane; /* thread in the block; part in the block; thread in the part */
    const int rank;         /* block in the cluster */
    const int odd, j;       /* number among the threads of a column; column in the block */
    const uint32_t worker, workers;
    point *exchange, *near_roots;
    float *near_window;
    raw *stage;
    uint64_t *copied;
    unsigned frames; /* received so far */
    walk<raw> ahead;
    point kept[Form::roomy ? E / 2 : 1];

    METHOD cluster_frame(const spectrum_args &args, unsigned char *shared)
        : a(args), t((int)threadIdx.x), own(t / Part::T), lane(t % Part::T),
          rank((int)cluster_rank()), odd(lane / Form::apart),
          j(own * Form::apart + lane % Form::apart), worker(blockIdx.x / Form::blocks),
          workers(gridDim.x / Form::blocks), frames(0)
    {
        exchange = (point *)shared;
        stage = (raw *)(shared + Form::raw_at);
        near_roots = (point *)(shared + Form::roots_at);
        near_window = (float *)(shared + Form::window_at);
        copied = (uint64_t *)(shared + Form::barriers_at);
        ahead.open(a, worker, workers);
    }

    /* Number in the frame of a part of this block. */
    METHOD int part(int number) const
    {
        return rank * own_parts + number;
    }
    METHOD const point *roots_of(int number) const
    {
        return a.bridge + part(number) * Form::roots;
    }

    METHOD void open()
    {
        for (int i = t; Form::roomy && i < P * width; i += T)
            near_window[i] = a.window[i / width * Part::N + rank * width + i % width];
        for (int i = t; i < own_parts * (E / 2); i += T)
            near_roots[i] = roots_of(i / (E / 2))[i % (E / 2)];
        if constexpr (Form::roomy)
            keep_roots<Part, 1>(kept, roots_of(own) + E / 2, lane);
        if (t == 0)
            bulk_open(copied, P);
        __syncthreads();
        fetch();
    }

    /* Copies the columns of the next frame into the stage, long before their use. */
    METHOD void fetch()
    {
        if (ahead.left == 0)
            return;
        for (int p = t; p < P; p += T)
            bulk_copy(stage + p / sharing * Form::pitch + p % sharing * (width + Form::shift),
                      ahead.at + p * Part::N + rank * width, width * sizeof(raw), copied);
        ahead.advance(a, workers);
    }

    /* ---- the division of a column ------------------------------------------------------- */

    METHOD void load_window(float *w) const
    {
        constexpr int apart = Form::roomy ? width : Part::N;
        const float *const all = Form::roomy ? near_window : opaque(a.window) + rank * width;
        const float *const from = all + odd * apart + j;
        unroll<0, E>([&](auto e) { w[e] = from[e * sharing * apart]; });
    }

    /* Joins the transforms of even and odd points: results k and k + E, k = 16 odd .. */
    METHOD void join_halves_of_column(point *v) const
    {
        constexpr int half = E / 2;
        unroll<0, half>([&](auto k) {
            const point given = odd ? v[k] : v[k + half], own_half = odd ? v[k + half] : v[k];
            const point got = {from_lane(given.re, Form::apart), from_lane(given.im, Form::apart)};
            constexpr int number = k;
            constexpr float re = root<number, 2 * E>::re, im = root<number, 2 * E>::im;
            const point w = odd ? point{im, -re} : point{re, im};
            v[k] = odd ? got : own_half;
            v[k + half] = odd ? own_half : got;
            join(v[k], v[k + half], w);
        });
    }

    METHOD void divide(point *v)
    {
        float w[E];
        if (!Form::roomy)
            load_window(w);
        bulk_wait(copied, frames++);
        if (Form::roomy)
            load_window(w);
        const raw *from = stage + odd * (width + Form::shift) + j;
        const auto sample = [&](auto e) { return Form::Format::unpack(from[e * Form::pitch]); };
        if (a.correction.wanted)
            join_windowed<E>(v, w, [&](auto e) { return correct(sample(e), a.correction); });
        else
            join_windowed<E>(v, w, sample);
        levels<E, 4>(v);
        if constexpr (sharing > 1)
            join_halves_of_column(v);
    }

    /* Result number e of a thread is part first_part() + part_of(e). */
    CONSTANT int part_of(int e)
    {
        return sharing > 1 ? e / (E / 2) * E + e % (E / 2) : e;
    }

    /* Writes the points of the column to the blocks with their parts. */
    METHOD void distribute(const point *v)
    {
        constexpr int first_odd =
            sharing > 1 ? E / 2 : 0; /* part of the first result of thread 1 */
        constexpr int run = own_parts < E / sharing ? own_parts : E / sharing;
        point *const mine = exchange + rank * width + j;
        unroll<0, E / run>([&](auto i) {
            const int first = part_of(i * run) + odd * first_odd, block = first / own_parts;
            point *to = mine + first % own_parts * Part::spaced;
            if (block != rank)
                to = cluster_shared(to, (unsigned)block);
            unroll<0, run>([&](auto q) { to[q * Part::spaced] = v[i * run + q]; });
        });
    }

    /* ---- a part ------------------------------------------------------------------------- */

    METHOD void transform_part(point *v, bool last)
    {
        const point *roots = near_roots + own * (E / 2);
        first_pass_of_part<Part>(v, exchange + own * Part::spaced, roots, lane);
        if (!last)
            cluster_arrive();
        if constexpr (Form::roomy)
            join_kept<Part, 1>(v, kept);
        else
            join_pass<Part, 1>(v, opaque(a.bridge) + part(own) * Form::roots + E / 2, lane);
    }

    /*
     * Before points are distributed, all threads of the cluster have arrived after they loaded
     * those of the last frame. After the last frame of a group they arrive later: the exchange
     * buffers are still needed. After the barrier all threads have read the stage, too.
     */
    METHOD void transform_frame(point *v, bool last)
    {
        divide(v);
        cluster_wait();
        distribute(v);
        cluster_barrier();
        fetch();
        transform_part(v, last);
    }

    /* ---- detectors ---------------------------------------------------------------------- */

    /* Stores a detector of the bins of this block: whole sectors, through the exchange buffers. */
    METHOD void store_bins(float *to, const float *values)
    {
        constexpr int unit = 4, units = own_parts / unit, row = 2 * Part::spaced;
        float *const bins = (float *)exchange;
        __syncthreads();
        unroll<0, E>([&](auto e) { bins[own * row + Part::centred_bin_of(e, lane)] = values[e]; });
        __syncthreads();
        for (int i = t; i < Part::N * units; i += T) {
            const int k = i / units, first = i % units * unit;
            adjacent<float, unit> x;
            unroll<0, unit>([&](auto q) { x.at[q] = bins[(first + q) * row + k]; });
            *(adjacent<float, unit> *)(to + P * k + part(first)) = x;
        }
    }
    METHOD void store_fold(const mean_fold<E> &fold, size_t at)
    {
        store_bins(a.sum + at, fold.sum);
    }
    METHOD void store_fold(const detectors_fold<E> &fold, size_t at)
    {
        if (a.sum)
            store_bins(a.sum + at, fold.sum);
        if (a.max)
            store_bins(a.max + at, fold.max);
        if (a.min)
            store_bins(a.min + at, fold.min);
    }
};

template <class Form, class Fold> DEVICE void spectrum_cluster(const spectrum_args &a)
{
    typedef typename Form::Part Part;
    SHARED_MEMORY(shared);
    cluster_frame<Form> block(a, shared);
    const auto bin = [&](auto e) {
        return block.part(block.own) + Form::parts * Part::centred_bin_of(e, block.lane);
    };

    block.open();
    cluster_arrive();
    for (uint32_t group = block.worker; group < a.groups; group += block.workers) {
        const size_t base = (size_t)group * Form::N;
        const uint32_t count = frames_of_group(a, group);
        Fold fold;
        fold.begin(a, base, false, bin);
        point v[Form::E];
#pragma unroll 1
        for (uint32_t step = 0; step < count; step++) {
            block.transform_frame(v, step + 1 == count);
            fold.add(v);
        }
        if (Fold::single && a.last && group == a.groups - 1)
            store_powers<Form::E>(a.last, v, bin);
        block.store_fold(fold, base);
        cluster_arrive();
    }
    cluster_wait();
}

#endif
