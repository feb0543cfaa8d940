/*
 * spectrum_relay.h - both halves of spectrum_split.h in one kernel, for long frames without
 * density: the points between them stay in the second-level cache, and only samples cross device
 * memory.
 *
 * The blocks of a pipeline share a frame: each computes a tile of columns and a tile of rows of
 * every frame of the pipeline, half of its threads the columns, half the rows. The points of a
 * frame wait in one of `entries` entries of a ring. Rows begin when all blocks of the pipeline have
 * stored the columns of the frame; columns overwrite a entry when all blocks have read its rows.
 * Two counters of each entry say so. Blocks wait for one another, so all of them must run at the
 * same time.
 *
 * Four more threads, each in a warp of its own, wait in place of the others, who compute meanwhile:
 *
 *     copier           waits for the columns of all blocks, copies rows, two frames ahead
 *     releaser         waits for a copy, counts that its rows were read
 *     announcer        waits for the columns of this block, counts that they were stored
 *     granter          waits until all blocks have read a entry, lets the columns store into it
 *
 *     grid             pipelines * tiles
 *     shared memory    exchange buffer of the columns, [rows] exchange buffers, [stages] copied
 *                      rows, [rows] roots of the first passes, twiddles of the columns,
 *                      arrivals; all detectors: maxima and minima
 *     progress         [2][entries][pipelines]: blocks that stored a frame; that read it; first 0
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_RELAY_H
#define FFTD_KERNELS_CUDA_SPECTRUM_RELAY_H

#include "kernels/cuda/progress.h"
#include "kernels/cuda/spectrum_block.h"
#include "kernels/cuda/spectrum_split.h"
#include "kernels/cuda/split_barrier.h"

template <class Rows_, int rows_, class Format_> struct relay_form {
    typedef shape<RELAY_COLUMNS, 16, 16, 16> Columns;
    typedef Rows_ Rows;
    typedef Format_ Format;
    static constexpr int width = RELAY_WIDTH, rows = rows_, stages = RELAY_STAGES;
    static constexpr int E = Rows::E, T = RELAY_THREADS;
    static constexpr int N = Columns::N * Rows::N, tile = E * T, tiles = N / tile;
    static_assert(width * Columns::N == tile && rows * Rows::N == tile, "the halves take turns");
    static_assert(E == Columns::E && E == Rows::radix(0), "one butterfly a thread in first passes");

    typedef row_roots<Rows> Roots;
    static constexpr int rows_at = tile * (int)sizeof(point);
    static constexpr int stage_at = rows_at + rows * Rows::spaced * (int)sizeof(point);
    static constexpr int roots_at = stage_at + stages * tile * (int)sizeof(point);
    static constexpr int twiddles_at = roots_at + rows * Roots::near * (int)sizeof(point);
    static constexpr int arrivals_at = twiddles_at + Columns::near_twiddles * (int)sizeof(point);
    static constexpr int extremes_at = arrivals_at + 4 * stages * (int)sizeof(uint64_t);
};

/*
 * The folds of a relay. Registers have room for the sum alone: each thread keeps the maxima and
 * minima of its bins in shared memory, [2][E/4][T][4].
 */
template <class Form> struct relay_mean : mean_fold<Form::E> {
    METHOD relay_mean(unsigned char *, int)
    {
    }
};

template <class Form> struct relay_detectors {
    static constexpr bool single = true;
    static constexpr int E = Form::E, T = Form::T;
    typedef adjacent<float, 4> four;
    float sum[E];
    four *const max, *const min;

    METHOD relay_detectors(unsigned char *shared, int t)
        : max((four *)(shared + Form::extremes_at) + t), min(max + E / 4 * T)
    {
    }
    template <class Bin> METHOD void begin(const spectrum_args &, size_t, bool, Bin)
    {
        unroll<0, E>([&](auto e) { sum[e] = 0; });
        unroll<0, E / 4>([&](auto i) {
            max[i * T] = {0, 0, 0, 0};
            min[i * T] = {INFINITY, INFINITY, INFINITY, INFINITY};
        });
    }
    METHOD void add(const point *v)
    {
        unroll<0, E / 4>([&](auto i) {
            four most = max[i * T], least = min[i * T];
            unroll<0, 4>([&](auto k) {
                constexpr int e = 4 * i + k;
                const float power = power_of(v[e]);
                sum[e] += power;
                most.at[k] = fmaxf(most.at[k], power);
                least.at[k] = fminf(least.at[k], power);
            });
            max[i * T] = most;
            min[i * T] = least;
        });
    }
    template <class Bin> METHOD void end(const spectrum_args &a, size_t at, Bin bin)
    {
        if (a.sum)
            unroll<0, E>([&](auto e) { a.sum[at + bin(e)] = sum[e]; });
        if (a.max)
            unroll<0, E>([&](auto e) { a.max[at + bin(e)] = max[e / 4 * T].at[e % 4]; });
        if (a.min)
            unroll<0, E>([&](auto e) { a.min[at + bin(e)] = min[e / 4 * T].at[e % 4]; });
    }
};

/* A entry of the ring, and how often it was used before. */
struct relay_place {
    uint32_t entry, round;

    METHOD void advance(uint32_t entries)
    {
        entry = entry + 1 < entries ? entry + 1 : 0;
        round += entry == 0;
    }
};

template <class Form> struct relay_block {
    typedef typename Form::Columns Columns;
    typedef typename Form::Rows Rows;
    static constexpr int E = Form::E, T = Form::T, tiles = Form::tiles;
    static constexpr int columns_barrier = 15; /* those of the rows are 1 .. rows */

    const spectrum_args &a;
    unsigned char *const shared;
    const uint32_t pipeline, tile, steps;
    /* Of even and odd frames: rows are copied, and loaded; columns are stored, may be stored. */
    uint64_t *const copied, *const loaded, *const stored, *const granted;

    METHOD relay_block(const spectrum_args &args, unsigned char *memory)
        : a(args), shared(memory), pipeline(blockIdx.x / tiles), tile(blockIdx.x % tiles),
          steps(steps_of(args, blockIdx.x / tiles)),
          copied((uint64_t *)(memory + Form::arrivals_at)), loaded(copied + 2), stored(copied + 4),
          granted(copied + 6)
    {
    }
    METHOD static uint32_t steps_of(const spectrum_args &a, uint32_t pipeline)
    {
        walk<char> all;
        all.open(a, pipeline, a.pipelines);
        return all.left;
    }

    METHOD void open()
    {
        static_assert(Form::stages == 2, "even and odd frames");
        point *twiddles = (point *)(shared + Form::twiddles_at);
        for (int i = (int)threadIdx.x; i < Columns::near_twiddles; i += (int)blockDim.x)
            twiddles[i] = a.twiddles[i];
        for (int odd = 0; threadIdx.x == 0 && odd < 2; odd++) {
            bulk_open(copied + odd);
            split_open(loaded + odd, T + 1);
            split_open(stored + odd, T);
            split_open(granted + odd, 2);
        }
        __syncthreads();
    }

    METHOD point *ring(uint32_t entry) const
    {
        return a.middle + (size_t)(entry * a.pipelines + pipeline) * Form::N;
    }
    METHOD uint32_t *stored_by(uint32_t entry) const
    {
        return a.progress + entry * a.pipelines + pipeline;
    }
    METHOD uint32_t *read_by(uint32_t entry) const
    {
        return stored_by(a.entries + entry);
    }

    /* ---- columns, rows ------------------------------------------------------------------ */

    METHOD void columns()
    {
        typedef column_tile<Columns, Form::width> Tile;
        constexpr uint32_t n2 = Rows::N;
        const int t = (int)threadIdx.x / Form::width;
        const uint32_t column = tile * Form::width + threadIdx.x % Form::width;
        point *buffer = (point *)shared + threadIdx.x % Form::width;
        const point *twiddles = (const point *)(shared + Form::twiddles_at);
        column_input<Columns, typename Form::Format, true> input{a, n2, column, t, {}, {}};
        walk<typename Form::Format::raw> ahead;
        relay_place place = {0, 0};

        ahead.open(a, pipeline, a.pipelines);
        input.fetch_window();
        input.fetch_from(ahead.at);
#pragma unroll 1
        for (uint32_t step = 0; step < steps; step++, place.advance(a.entries)) {
            point v[E];
            input.unpack(v);
            ahead.advance(a, a.pipelines);
            if (ahead.left > 0)
                input.fetch_from(ahead.at);
            Tile::finish(v, buffer, twiddles, t, [] { group_barrier<T>(columns_barrier); });
            split_wait(granted + step % 2, step / 2);
            point *to = ring(place.entry) + column;
            unroll<0, E>([&](auto e) { to[(size_t)Columns::bin_of(e, t) * n2] = v[e]; });
            split_arrive(stored + step % 2);
        }
    }

    template <class Fold> METHOD void rows()
    {
        const int id = (int)threadIdx.x - T, row = id / Rows::T, t = id % Rows::T;
        const uint32_t k1 = tile * Form::rows + row;
        point *buffer = (point *)(shared + Form::rows_at) + row * Rows::spaced;
        const point *stage = (const point *)(shared + Form::stage_at) + row * Rows::N;
        point *near = (point *)(shared + Form::roots_at) + row * Form::Roots::near;
        const auto bin = [&](auto e) {
            return k1 + (size_t)opaque((uint32_t)Columns::N) * Rows::centred_bin_of(e, t);
        };
        const auto barrier = [&] { group_barrier<Rows::T>(row + 1); };
        kept_roots<Rows, Form::Roots::near_passes> roots;
        uint32_t step = 0;

        roots.open(near, a.bridge + (size_t)k1 * Form::Roots::count, t);
        barrier();
        for (uint32_t group = pipeline; group < a.groups; group += a.pipelines) {
            const uint32_t count = frames_of_group(a, group);
            Fold fold(shared, id);
            fold.begin(a, (size_t)group * Form::N, false, bin);
            point v[E];
#pragma unroll 1
            for (uint32_t end = step + count; step < end; step++) {
                bulk_wait(copied + step % 2, step / 2);
                const point *from = stage + step % 2 * Form::tile;
                unroll<0, E>([&](auto e) { v[e] = from[Rows::point_of(e, t)]; });
                split_arrive(loaded + step % 2);
                barrier();
                transform_row(v, buffer, roots, t, barrier);
                fold.add(v);
            }
            fold.end(a, (size_t)group * Form::N, bin);
            if (Fold::single && a.last && group == a.groups - 1)
                store_powers<E>(a.last, v, bin);
        }
    }

    /* ---- threads that wait -------------------------------------------------------------- */

    METHOD void copy()
    {
        relay_place place = {0, 0};
        for (uint32_t step = 0; step < steps; step++, place.advance(a.entries)) {
            if (step >= 2)
                split_wait(loaded + step % 2, step / 2 - 1);
            counter_wait(stored_by(place.entry), (place.round + 1) * tiles);
            show_to_copies();
            bulk_copy((point *)(shared + Form::stage_at) + step % 2 * Form::tile,
                      ring(place.entry) + tile * Form::tile, Form::tile * sizeof(point),
                      copied + step % 2);
        }
    }
    METHOD void release()
    {
        relay_place place = {0, 0};
        for (uint32_t step = 0; step < steps; step++, place.advance(a.entries)) {
            bulk_wait(copied + step % 2, step / 2);
            split_arrive(loaded + step % 2);
            counter_raise(read_by(place.entry));
        }
    }
    METHOD void announce()
    {
        relay_place place = {0, 0};
        split_arrive(granted);
        split_arrive(granted + 1);
        for (uint32_t step = 0; step < steps; step++, place.advance(a.entries)) {
            split_wait(stored + step % 2, step / 2);
            split_arrive(granted + step % 2);
            counter_raise(stored_by(place.entry));
        }
    }
    METHOD void grant()
    {
        relay_place place = {0, 0};
        for (uint32_t step = 0; step < steps; step++, place.advance(a.entries)) {
            if (step >= 2)
                split_wait(stored + step % 2, step / 2 - 1);
            counter_wait(read_by(place.entry), place.round * tiles);
            split_arrive(granted + step % 2);
        }
    }
};

template <class Form, class Fold> DEVICE void spectrum_relay(const spectrum_args &a)
{
    constexpr unsigned T = Form::T, warp = 32;
    SHARED_MEMORY(shared);
    relay_block<Form> block(a, shared);

    block.open();
    if (threadIdx.x < T)
        block.columns();
    else if (threadIdx.x < 2 * T)
        block.template rows<Fold>();
    else if (threadIdx.x == 2 * T)
        block.copy();
    else if (threadIdx.x == 2 * T + warp)
        block.release();
    else if (threadIdx.x == 2 * T + 2 * warp)
        block.announce();
    else if (threadIdx.x == 2 * T + 3 * warp)
        block.grant();
}

#endif
