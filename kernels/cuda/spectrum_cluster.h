/*
 * spectrum_cluster.h - fused spectra of frames of 16K to 64K points in one kernel: the points of a
 * frame are in the shared memory of a cluster of blocks, so that only samples cross device memory.
 *
 * A frame is divided into `parts` as in spectrum_parts.h. Each block divides its share of adjacent
 * columns and writes the points of each part to the shared memory of the block that transforms it:
 * block b has parts b own .. (b + 1) own - 1, one in each warp. |X|^2 is folded in registers over
 * the frames of a group.
 *
 * Blocks of few threads (`double_buffered`) have two sets of exchange buffers: the next frame is
 * divided and distributed before the parts of this one are transformed, with one barrier of the
 * cluster in halves for each frame, and every warp copies the samples of its own columns.
 *
 * Where there are twice as many parts as a thread has points, two threads of a warp divide a column
 * together: thread 0 transforms its even points, thread 1 its odd points, and each joins half of
 * the results.
 *
 *     grid             any number of clusters
 *     shared memory    [sets][own] exchange buffers, [parts] raw samples of the columns,
 *                      [own] roots of pass 0; double_buffered, if it fits: [parts] window of
 *                      the columns; barrier
 *     bridge           [parts][the roots of both passes]
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_H
#define FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_H

#include "kernels/cuda/cluster.h"
#include "kernels/cuda/spectrum_cluster_form.h"

/* State of one thread. */
template <class Form> struct cluster_frame {
    typedef typename Form::Part Part;
    typedef typename Form::raw raw;
    static constexpr int P = Form::parts, T = Form::T, E = Form::E, width = Form::width;
    static constexpr int own_parts = Form::own, sharing = Form::sharing;
    static constexpr int columns = Form::columns, points = Form::points;

    const spectrum_args &a;
    const int t, own, lane; /* thread in the block; part in the block; thread in the part */
    const int rank;         /* block in the cluster */
    const int odd, j;       /* number among the threads of a column; first column in the block */
    const uint32_t worker, workers;
    point *exchange, *near_roots;
    float *near_window;
    raw *stage;
    uint64_t *barrier; /* of copies; double_buffered: between frames */
    unsigned phases;   /* of the barrier, so far */
    walk<raw> ahead;
    point kept[Form::double_buffered ? E / 2 : 1];

    METHOD cluster_frame(const spectrum_args &args, unsigned char *shared)
        : a(args), t((int)threadIdx.x), own(t / Part::T), lane(t % Part::T),
          rank((int)cluster_rank()), odd(lane / Form::apart),
          j(columns * (own * Form::apart + lane % Form::apart)), worker(blockIdx.x / Form::blocks),
          workers(gridDim.x / Form::blocks), phases(0)
    {
        exchange = (point *)shared;
        stage = (raw *)(shared + Form::raw_at);
        near_roots = (point *)(shared + Form::roots_at);
        near_window = (float *)(shared + Form::window_at);
        barrier = (uint64_t *)(shared + Form::barriers_at);
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
        for (int i = t; Form::window_near && i < P * width; i += T)
            near_window[i] = a.window[i / width * Part::N + rank * width + i % width];
        for (int i = t; i < own_parts * (E / 2); i += T)
            near_roots[i] = roots_of(i / (E / 2))[i % (E / 2)];
        if constexpr (Form::double_buffered)
            keep_roots<Part, 1>(kept, roots_of(own) + E / 2, lane);
        if (Form::double_buffered && t == 0)
            split_open(barrier, Form::blocks * (every_thread_arrives ? T : 1));
        else if (t == 0)
            bulk_open(barrier, P);
        __syncthreads();
        fetch();
        if (Form::double_buffered)
            cluster_barrier(); /* all blocks have opened theirs */
        pass_whole();
    }

    /* ---- samples ------------------------------------------------------------------------ */

    /* The samples that this warp reads. */
    METHOD void fetch_columns()
    {
        constexpr int unit = 16 / (int)sizeof(raw), units = columns * Form::apart / unit;
        constexpr int rows = 32 / units; /* at a time */
        const int at = columns * own * Form::apart + lane % units * unit;
        raw *const to = stage_of(lane / units) + at;
        const raw *const from = ahead.at + lane / units * Part::N + rank * width + at;
        unroll<0, P / rows>([&](auto i) {
            unit_copy(to + i * rows / sharing * Form::pitch, from + i * rows * Part::N);
        });
    }

    /* Copies the columns of the next frame into the stage, long before their use. */
    METHOD void fetch()
    {
        if (ahead.left == 0)
            return;
        if constexpr (Form::double_buffered) {
            fetch_columns();
        } else {
            for (int p = t; p < P; p += T)
                bulk_copy(stage_of(p), ahead.at + p * Part::N + rank * width, width * sizeof(raw),
                          barrier);
        }
        ahead.advance(a, workers);
    }
    METHOD raw *stage_of(int p) const
    {
        return stage + p / sharing * Form::pitch + p % sharing * (width + Form::shift);
    }

    /* ---- the division of a column ------------------------------------------------------- */

    METHOD void load_window(float *w) const
    {
        constexpr int apart = Form::window_near ? width : Part::N;
        const float *const all = Form::window_near ? near_window : opaque(a.window) + rank * width;
        const float *const from = all + odd * apart + j;
        unroll<0, points>([&](auto p) {
            const auto x = *(const adjacent<float, columns> *)(from + p * sharing * apart);
            unroll<0, columns>([&](auto c) { w[c * points + p] = x.at[c]; });
        });
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
        if (!Form::window_near)
            load_window(w);
        if constexpr (Form::double_buffered) {
            unit_wait();
            __syncwarp();
        } else {
            bulk_wait(barrier, phases++);
        }
        if (Form::window_near)
            load_window(w);
        const raw *from = stage + odd * (width + Form::shift) + j;
        unroll<0, columns>([&](auto c) {
            const auto sample = [&](auto p) {
                const auto x = *(const adjacent<raw, columns> *)(from + p * Form::pitch);
                return Form::Format::unpack(x.at[c]);
            };
            point *const column = v + c * points;
            if (a.correction.wanted)
                join_windowed<points>(column, w + c * points,
                                      [&](auto p) { return correct(sample(p), a.correction); });
            else
                join_windowed<points>(column, w + c * points, sample);
            levels<points, 4>(column);
        });
        if constexpr (sharing > 1)
            join_halves_of_column(v);
        if constexpr (Form::double_buffered) {
            __syncwarp();
            fetch();
        }
    }

    /* Result number e of a column is part first_part() + part_of(e). */
    CONSTANT int part_of(int e)
    {
        return sharing > 1 ? e / (E / 2) * E + e % (E / 2) : e;
    }

    /* Writes the points of the columns to the blocks with their parts: to this set of buffers. */
    METHOD void distribute(const point *v, int set)
    {
        constexpr int first_odd =
            sharing > 1 ? E / 2 : 0; /* part of the first result of thread 1 */
        constexpr int most = points / sharing, run = own_parts < most ? own_parts : most;
        point *const mine = exchange + set * Form::set + rank * width + j;
        constexpr int runs = points / run;
        point *to[runs];
        unroll<0, runs>([&](auto i) {
            const int first = part_of(i * run) + odd * first_odd, block = first / own_parts;
            to[i] = mine + first % own_parts * Part::spaced;
            if (block != rank)
                to[i] = cluster_shared(to[i], (unsigned)block);
        });
        /* Successive writes go to different blocks. */
        unroll<0, run>([&](auto q) {
            unroll<0, runs>([&](auto i) {
                adjacent<point, columns> x;
                unroll<0, columns>([&](auto c) { x.at[c] = v[c * points + i * run + q]; });
                *(adjacent<point, columns> *)(to[i] + q * Part::spaced) = x;
            });
        });
    }

    /* ---- the barrier between frames ----------------------------------------------------- */

    /*
     * With two sets of buffers, one warp after the other signals for its block: it alone waits
     * until all earlier writes to other blocks are complete, and the other warps only arrive.
     */
    METHOD bool signals() const
    {
        return every_thread_arrives || own == (int)(phases % own_parts);
    }
    METHOD void arrive()
    {
        if (!Form::double_buffered)
            cluster_arrive();
        else if (!signals())
            meet_at<T>(1, false);
    }
    /* Call after `arrive`, when the other warps have had time to arrive. */
    METHOD void signal()
    {
        if (!Form::double_buffered)
            return;
        if (signals()) {
            meet_at<T>(1, true);
            for (int to = every_thread_arrives ? 0 : lane; to < Form::blocks;
                 to += every_thread_arrives ? 1 : 32)
                cluster_split_arrive(barrier, (unsigned)to);
        }
        phases++;
    }
    METHOD void pass_whole()
    {
        arrive();
        signal();
    }
    METHOD void wait()
    {
        if (Form::double_buffered)
            cluster_split_wait(barrier, phases - 1);
        else
            cluster_wait();
    }

    /* No block of the cluster writes to this one any more. */
    METHOD void close()
    {
        wait();
        if (Form::double_buffered)
            cluster_barrier(); /* says so to compute-sanitizer, too */
    }

    /* ---- a part ------------------------------------------------------------------------- */

    METHOD void transform_part(point *v, int set, bool last)
    {
        const point *roots = near_roots + own * (E / 2);
        first_pass_of_part<Part>(v, exchange + set * Form::set + own * Part::spaced, roots, lane);
        if (!last)
            arrive();
        if constexpr (Form::double_buffered)
            join_kept<Part, 1>(v, kept);
        else
            join_pass<Part, 1>(v, opaque(a.bridge) + part(own) * Form::roots + E / 2, lane);
        if (!last)
            signal();
    }

    /* ---- frames ------------------------------------------------------------------------- */

    /*
     * One set of buffers: before points are distributed, all threads of the cluster have arrived
     * after they loaded those of the last frame. After the last frame of a group they arrive later:
     * the exchange buffers are still needed. After the barrier all threads have read the stage,
     * too.
     */
    METHOD void transform_frame(point *v, bool last)
    {
        divide(v);
        cluster_wait();
        distribute(v, 0);
        cluster_barrier();
        fetch();
        transform_part(v, 0, last);
    }

    /*
     * Two sets: the threads arrive once for each frame, after they have loaded the points of one
     * set and written those of the other. They wait only after the last pass, the detectors and the
     * division of the frame after the next.
     */
    METHOD void divide_ahead(point *v, int set)
    {
        divide(v);
        wait();
        distribute(v, set);
    }
    /* Frame number `step` of the `count` frames of a group, and the division of the next. */
    METHOD void transform_ahead(point *v, uint32_t step, uint32_t count)
    {
        const bool last = step + 1 == count;
        if (step == 0) {
            divide_ahead(v, 0);
            pass_whole();
        }
        if (!last)
            divide_ahead(v, (int)(step + 1) % 2);
        else
            wait();
        transform_part(v, (int)step % 2, last);
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
    for (uint32_t group = block.worker; group < a.groups; group += block.workers) {
        const size_t base = (size_t)group * Form::N;
        const uint32_t count = frames_of_group(a, group);
        Fold fold;
        fold.begin(a, base, false, bin);
        point v[Form::E];
#pragma unroll 1
        for (uint32_t step = 0; step < count; step++) {
            if constexpr (Form::double_buffered)
                block.transform_ahead(v, step, count);
            else
                block.transform_frame(v, step + 1 == count);
            fold.add(v);
        }
        if (Fold::single && a.last && group == a.groups - 1)
            store_powers<Form::E>(a.last, v, bin);
        block.store_fold(fold, base);
        block.pass_whole();
    }
    block.close();
}

#endif
