/*
 * mixed.h - rows of any length 2^a 3^b 5^c 7^d that fits into shared memory, with any strides:
 * Stockham passes (C. Van Loan, "Computational Frameworks for the FFT", 1992, section 1.7) of mixed
 * radix, here called steps. Real rows are split or joined in the same kernel, so they also cross
 * memory once.
 *
 *     grid             rows / block_rows
 *     block            any number of threads, which loop over the butterflies of the block's rows
 *     shared memory    origins of the rows; exchanges between steps, alternately in two arrays
 *                      [block_rows][pitch] of points (fewer where there are fewer exchanges)
 *
 * The first step reads from memory and the last one writes to memory. After each `pad` points (the
 * radix of the first step) `gap` points are skipped, so that neither stores nor loads of a warp
 * conflict in a bank. A row is read completely before any of it is written, so from may equal to.
 * The inverse swaps real and imaginary parts before and after the forward transform.
 */
#ifndef FFTD_KERNELS_CUDA_MIXED_H
#define FFTD_KERNELS_CUDA_MIXED_H

#include "kernels/cuda/rows.h"

/* The rows of one block. */
struct block_rows {
    const row_origin *origins; /* [rows] */
    uint32_t rows;
};

/* Task i of `each` per row: adjacent rows first, or one row after the other. */
struct task {
    uint32_t row, at;
};
DEVICE task task_of(const pass_args &a, uint32_t i, bool across, uint32_t each, uint32_t by_each)
{
    if (across)
        return {i & (a.block_rows - 1), i >> a.row_bits};
    const uint32_t row = divided(i, by_each);
    return {row, i - row * each};
}

template <class Body>
DEVICE void for_tasks(const pass_args &a, uint32_t rows, bool across, uint32_t each,
                      uint32_t by_each, Body &&body)
{
    const uint32_t count = (across ? a.block_rows : rows) * each;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const task t = task_of(a, i, across, each, by_each);
        if (t.row < rows)
            body(t.row, t.at);
    }
}

/* Index of point x of a row in shared memory. */
DEVICE uint32_t gapped(const pass_args &a, uint32_t x)
{
    return x + divided(x, a.by_pad) * a.gap;
}

/* ---- steps ------------------------------------------------------------------------------- */

template <int R, rows_kind kind>
DEVICE void run_step(const pass_args &a, const block_rows &b, uint32_t number, const point *from,
                     point *to)
{
    const pass_step &s = a.step[number];
    const bool joined = kind == ROWS_C2R && a.halved, parted = kind == ROWS_R2C && a.halved;
    const bool first = number == 0, last = number + 1 == a.steps;
    const bool loads = first && !joined, stores = last && !parted;
    const bool across = loads ? a.from_across : stores && a.to_across;
    for_tasks(a, b.rows, across, s.apart, s.by_apart, [&](uint32_t row, uint32_t j) {
        point v[R];
        if (loads) {
            unroll<0, R>(
                [&](auto r) { v[r] = load_point<kind>(a, b.origins[row], j + r * s.apart); });
        } else {
            const point *in = from + row * a.pitch + (first ? j : gapped(a, j));
            unroll<0, R>([&](auto r) { v[r] = in[r * s.in_apart]; });
        }
        const uint32_t q = divided(j, s.by_joined), k = j - q * s.joined;
        if (!first) {
            const point *roots = a.roots + s.roots_at + k;
            unroll<1, R>(
                [&](auto r) { v[r] = times(v[r], load_constant(roots + (r - 1) * s.joined)); });
        }
        transform_any<R>(v);
        if (stores) {
            unroll<0, R>(
                [&](auto r) { store_point<kind>(a, b.origins[row], j + r * s.apart, v[r]); });
        } else {
            point *out = to + row * a.pitch + q * s.out_group + gapped(a, k);
            unroll<0, R>([&](auto r) { out[r * s.out_apart] = v[r]; });
        }
    });
}

template <rows_kind kind, int most>
DEVICE void run_step(const pass_args &a, const block_rows &b, uint32_t number, const point *from,
                     point *to)
{
#define STEP(radix)                                                                                \
    case radix:                                                                                    \
        if constexpr (radix <= most)                                                               \
            run_step<radix, kind>(a, b, number, from, to);                                         \
        break;
    switch (a.step[number].radix) {
        STEP(1)
        STEP(2)
        STEP(3)
        STEP(4)
        STEP(5)
        STEP(6)
        STEP(7)
        STEP(8)
        STEP(9)
        STEP(10)
        STEP(12)
        STEP(14)
        STEP(15)
        STEP(16)
        STEP(18)
        STEP(20)
        STEP(25)
    }
#undef STEP
}

/* ---- real rows --------------------------------------------------------------------------- */

DEVICE void part_rows(const pass_args &a, const block_rows &b, const point *from)
{
    for_tasks(a, b.rows, a.to_across, a.n / 2 + 1, a.by_parts, [&](uint32_t row, uint32_t k) {
        const point *in = from + row * a.pitch;
        const halves z = {in[gapped(a, k)], in[gapped(a, k ? a.n - k : 0)]};
        part(a, b.origins[row], k, z, load_constant(a.parts + k));
    });
}

DEVICE void join_rows(const pass_args &a, const block_rows &b, point *to)
{
    for_tasks(a, b.rows, a.from_across, a.n / 2 + 1, a.by_parts, [&](uint32_t row, uint32_t k) {
        point *out = to + row * a.pitch;
        const halves z = join(a, b.origins[row], k, load_constant(a.parts + k));
        if (k > 0)
            out[a.n - k] = swapped(z.high, a.inverse);
        out[k] = swapped(z.low, a.inverse);
    });
}

/* ---- all --------------------------------------------------------------------------------- */

/* most: the largest radix. */
template <rows_kind kind, int most> DEVICE void transform_rows_of(const pass_args &a)
{
    SHARED_MEMORY(shared);
    row_origin *const origins = (row_origin *)shared;
    point *here = (point *)(origins + a.block_rows), *there = here + a.block_rows * a.pitch;
    const uint64_t first = (uint64_t)blockIdx.x * a.block_rows, left = a.rows - first;
    const block_rows b = {origins, left < a.block_rows ? (uint32_t)left : a.block_rows};
    const auto swap_arrays = [&] {
        __syncthreads();
        point *const other = here;
        here = there;
        there = other;
    };

    for (uint32_t row = threadIdx.x; row < b.rows; row += blockDim.x)
        origins[row] = origin_of_row(a, a.first + first + row);
    __syncthreads();
    if (kind == ROWS_C2R && a.halved) {
        join_rows(a, b, here);
        swap_arrays();
    }
    for (uint32_t i = 0; i < a.steps; i++) {
        run_step<kind, most>(a, b, i, there, here);
        if (i + 1 < a.steps || (kind == ROWS_R2C && a.halved))
            swap_arrays();
    }
    if (kind == ROWS_R2C && a.halved)
        part_rows(a, b, there);
}

#endif
