/*
 * spectrum_split.h - fused spectra of long frames, n = n1 n2, in two kernels (D. H. Bailey, "FFTs
 * in external or hierarchical memory", 1990). Sample n2 m1 + m2 is row m1, column m2 of a matrix:
 *
 *     columns    transforms every column m2 over m1, window on load; stores [n1][n2] in `middle`
 *     rows       transforms every row k1 over m2, including the twiddles exp(-2 pi i k1 m2 / n):
 *                they shift its frequencies by k1/n1 of a bin, so the roots of each pass include
 *                them; yields bin k1 + n1 k2, |X|^2 folded in registers over the frames of a group
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_SPLIT_H
#define FFTD_KERNELS_CUDA_SPECTRUM_SPLIT_H

#include "kernels/cuda/bulk.h"
#include "kernels/cuda/detectors.h"
#include "kernels/cuda/sample.h"
#include "kernels/cuda/shape.h"

/*
 * A block computes C adjacent columns with T threads each; adjacent threads of a warp access
 * adjacent memory.
 *
 *     grid             n2 / C, any number of blocks that divide the frames
 *     shared memory    exchange: [n1 padded][C]
 */
template <class Shape, int C> struct column_tile {
    static constexpr int E = Shape::E, T = Shape::T;

    /*
     * One row of columns is skipped after every R0: needed only where a row has fewer than 32
     * banks.
     */
    CONSTANT int at(int i)
    {
        return (C < 16 ? i + i / Shape::radix(0) : i) * C;
    }

    template <int pass> DEVICE void store_exchange(const point *v, point *buffer, int t)
    {
        constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
        unroll<0, E / R>([&](auto i) {
            const int first =
                quotient<Shape, joined>(t, i) * (joined * R) + remainder<Shape, joined>(t, i);
            unroll<0, R>([&](auto r) { buffer[at(first + r * joined)] = v[i * R + r]; });
        });
    }
    template <int pass> DEVICE void load_exchange(point *v, const point *buffer, int t)
    {
        constexpr int R = Shape::radix(pass), apart = Shape::N / R;
        unroll<0, E / R>([&](auto i) {
            unroll<0, R>([&](auto r) { v[i * R + r] = buffer[at(t + i * T + r * apart)]; });
        });
    }
    /* Passes 1 and up. The barrier is that of all threads of the tile. */
    template <class Barrier>
    DEVICE void finish(point *v, point *buffer, const point *twiddles, int t, Barrier barrier)
    {
        unroll<1, Shape::passes>([&](auto pass) {
            barrier();
            store_exchange<pass - 1>(v, buffer, t);
            barrier();
            load_exchange<pass>(v, buffer, t);
            join_pass<Shape, pass>(v, twiddles + Shape::twiddles_at(pass), t);
        });
    }
};

/* Samples and window of one thread's part of a column. once: caches should keep other data. */
template <class Shape, class Format, bool once = false> struct column_input {
    typedef typename Format::raw raw;
    static constexpr int E = Shape::E, R = Shape::radix(0);
    /* Are there registers for the window and the next frame? */
    static constexpr bool early = E <= 16;

    const spectrum_args &a;
    const uint32_t n2, column;
    const int t;
    raw x[E];
    float window[E];

    METHOD size_t at(int e) const
    {
        return (size_t)Shape::point_of(e, t) * n2 + column;
    }
    METHOD void fetch(uint32_t frame)
    {
        const raw *from = (const raw *)a.samples + (size_t)frame * a.hop;
        if (frame < a.frames)
            fetch_from(from);
    }
    METHOD void fetch_from(const raw *frame)
    {
        unroll<0, E>([&](auto e) { x[e] = once ? load_once(frame + at(e)) : frame[at(e)]; });
    }
    METHOD void fetch_window()
    {
        unroll<0, E>([&](auto e) { window[e] = __ldg(a.window + at(e)); });
    }
    METHOD void open(uint32_t frame)
    {
        if constexpr (early) {
            fetch_window();
            fetch(frame);
        }
    }
    METHOD void load(point *v, uint32_t frame, uint32_t next)
    {
        if constexpr (!early) {
            fetch(frame);
            fetch_window();
        }
        unpack(v);
        if constexpr (early)
            fetch(next);
    }
    /* The first pass, too. */
    METHOD void unpack(point *v)
    {
        unroll<0, E>([&](auto e) { v[e] = Format::unpack(x[e]); });
        if (a.correction.wanted)
            unroll<0, E>([&](auto e) { v[e] = correct(v[e], a.correction); });
        unroll<0, E / R>([&](auto i) { transform_windowed<R>(v + i * R, window + i * R); });
    }
};

template <class Shape, class Format, int C> DEVICE void spectrum_columns(const spectrum_args &a)
{
    typedef column_tile<Shape, C> Tile;
    constexpr int E = Shape::E;
    SHARED_MEMORY(shared);
    const uint32_t n2 = gridDim.x * C, column = blockIdx.x * C + threadIdx.x % C;
    const size_t n = (size_t)Shape::N * n2;
    const int t = (int)threadIdx.x / C;
    point *buffer = (point *)shared + threadIdx.x % C;
    column_input<Shape, Format> input{a, n2, column, t, {}, {}};

    input.open(blockIdx.y);
#pragma unroll 1
    for (uint32_t frame = blockIdx.y; frame < a.frames; frame += gridDim.y) {
        point v[E];
        input.load(v, frame, frame + gridDim.y);
        Tile::finish(v, buffer, a.twiddles, t, [] { __syncthreads(); });
        point *to = a.middle + frame * n + column;
        unroll<0, E>([&](auto e) { to[(size_t)Shape::bin_of(e, t) * n2] = v[e]; });
    }
}

/*
 * A block computes `rows` adjacent rows with T threads each.
 *
 *     grid             n1 / rows, groups
 *     shared memory    [rows] exchange buffers, [rows] roots of the first passes; 9.0 and up:
 *                      [rows][2] copied rows, their barriers
 *     bridge           [n1][the roots of every pass, the first included]: see row_roots
 *     kept             [groups][n1][detectors][n2], the values of a row in the order of its threads
 */
template <class Shape> struct row_roots {
    CONSTANT int at(int pass)
    {
        int at = 0;
        for (int p = 0; p < pass; p++)
            at += Shape::joined(p) * Shape::radix(p) / 2;
        return at;
    }
    static constexpr int count = at(Shape::passes);
    /*
     * With all detectors, registers have room for the roots of one pass. The last pass has the
     * most; those of the others are in shared memory.
     */
    static constexpr int near_passes = Shape::passes - 1, near = at(near_passes);
};

/* The roots stay in registers or in shared memory for all frames: those of the first `near_passes`
 * there. */
template <class Shape, int near_passes> struct kept_roots {
    typedef row_roots<Shape> Roots;
    point kept[Shape::passes][Shape::E / 2];
    point *near;

    /* Call before a barrier of the row. own: all of this row. */
    METHOD void open(point *shared, const point *own, int t)
    {
        near = shared;
        for (int i = t; near_passes > 0 && i < Roots::near; i += Shape::T)
            near[i] = own[i];
        unroll<near_passes, Shape::passes>(
            [&](auto pass) { keep_roots<Shape, pass>(kept[pass], own + Roots::at(pass), t); });
    }
    template <int pass> METHOD void join(point *v, int t) const
    {
        if constexpr (pass < near_passes)
            join_pass<Shape, pass>(v, near + Roots::at(pass), t);
        else
            join_kept<Shape, pass>(v, kept[pass]);
    }
};

/* All passes of a row. The barrier is that of its threads: call after one. */
template <class Shape, int near_passes, class Barrier>
DEVICE void transform_row(point *v, point *buffer, const kept_roots<Shape, near_passes> &roots,
                          int t, Barrier barrier)
{
    roots.template join<0>(v, t);
    unroll<1, Shape::passes>([&](auto pass) {
        if constexpr (pass > 1)
            barrier();
        store_exchange<Shape, pass - 1>(v, buffer, t);
        barrier();
        load_exchange<Shape, pass>(v, buffer, t);
        roots.template join<pass>(v, t);
    });
}

/*
 * Loads one row of successive frames: by copies into shared memory two frames ahead, where the chip
 * can.
 */
template <class Shape, int rows> struct row_input {
    static constexpr int N = Shape::N, stages = 2;
    static constexpr int roots_at = rows * Shape::spaced * (int)sizeof(point);
    static constexpr int stage_at = roots_at + rows * row_roots<Shape>::near * (int)sizeof(point);
    static constexpr int barriers_at = stage_at + rows * stages * N * (int)sizeof(point);

    METHOD static bool copies()
    {
#ifndef __CUDACC__
        return shim_shared_bytes() > (size_t)barriers_at; /* as the planner decided */
#elif defined(__CUDA_ARCH__)
        return __CUDA_ARCH__ >= 900;
#else
        return false;
#endif
    }

    const point *const from; /* the row in frame 0 */
    const size_t n;
    const uint32_t end;
    const int t;
    point *stage;
    uint64_t *copied;
    uint32_t ahead; /* the next frame to copy */
    unsigned received;

    METHOD void open(unsigned char *shared, int row)
    {
        stage = (point *)(shared + stage_at) + row * stages * N;
        copied = (uint64_t *)(shared + barriers_at) + row * stages;
        if (copies() && t == 0)
            for (int i = 0; i < stages; i++)
                bulk_open(copied + i);
        __syncthreads();
        for (unsigned i = 0; copies() && i < stages; i++)
            fetch(i);
    }
    METHOD void fetch(unsigned to)
    {
        if (t == 0 && ahead < end)
            bulk_copy(stage + to * N, from + ahead * n, N * sizeof(point), copied + to);
        ahead++;
    }
    METHOD void receive(point *v, uint32_t frame)
    {
        if (copies()) {
            const point *at = stage + received % stages * N;
            bulk_wait(copied + received % stages, received / stages);
            unroll<0, Shape::E>([&](auto e) { v[e] = at[Shape::point_of(e, t)]; });
        } else {
            const point *at = from + frame * n;
            unroll<0, Shape::E>([&](auto e) { v[e] = at[Shape::point_of(e, t)]; });
        }
    }
    /* Call after a barrier: all threads have received the row. */
    METHOD void proceed()
    {
        if (copies())
            fetch(received % stages);
        received++;
    }
};

template <class Shape, int rows, class Fold> DEVICE void spectrum_rows(const spectrum_args &a)
{
    constexpr int E = Shape::E, T = Shape::T, N = Shape::N;
    static_assert(E == Shape::radix(0), "one butterfly a thread in the first pass");
    SHARED_MEMORY(shared);
    const int row = (int)threadIdx.x / T, t = (int)threadIdx.x % T;
    const uint32_t n1 = gridDim.x * rows, k1 = blockIdx.x * rows + row, group = blockIdx.y;
    const size_t n = (size_t)N * n1;
    point *buffer = (point *)shared + row * Shape::spaced;
    /* Offsets are computed where they are needed: kept for all frames, they take registers. */
    const auto bin = [&](auto e) { return k1 + (size_t)opaque(n1) * Shape::centred_bin_of(e, t); };
    const uint32_t first = group * a.group_frames;
    const uint32_t end = first + a.group_frames < a.frames ? first + a.group_frames : a.frames;
    row_input<Shape, rows> input{a.middle + (size_t)k1 * N, n, end, t, 0, 0, first, 0};

    input.open(shared, row);
    typedef row_roots<Shape> Roots;
    constexpr int near_passes = Fold::single ? Roots::near_passes : 0;
    point *near = (point *)(shared + row_input<Shape, rows>::roots_at) + row * Roots::near;
    kept_roots<Shape, near_passes> roots;
    roots.open(near, a.bridge + (size_t)k1 * Roots::count, t);
    const auto barrier = [&] { row_barrier<T, rows>(row); };
    barrier();

    float *const between = a.kept + ((size_t)group * n1 + k1) * (Fold::detectors * N);
    Fold fold;
    if (a.resume)
        fold.template restore<T>(between, t);
    else
        fold.begin(a, 0, false, bin);
    point v[E];
#pragma unroll 1
    for (uint32_t frame = first; frame < end; frame++) {
        input.receive(v, frame);
        barrier();
        input.proceed();
        transform_row(v, buffer, roots, t, barrier);
        fold.add(v);
        if (Fold::single && a.powers)
            store_powers<E>(a.powers + frame * n, v, bin);
    }
    if (a.keep)
        fold.template keep<T>(between, t);
    else
        fold.end(a, group * n, bin);
    if (Fold::single && a.last && first < end && end == a.frames)
        store_powers<E>(a.last, v, bin);
}

#endif
