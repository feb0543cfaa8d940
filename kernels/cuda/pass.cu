/*
 * pass.cu - rows of any length 2^a 3^b 5^c 7^d that fits into shared memory, with any strides: Stockham's
 * passes (C. Van Loan, "Computational Frameworks for the FFT", 1992, section 1.7) of mixed radix.
 *
 *     grid             rows / block_rows
 *     block            any number of threads
 *     shared memory    two arrays [block_rows][n] points, read and written in turn; the rows'
 *                      places, where there are several
 *
 * A row is read whole before any of it is written, so from may be to.
 */
#include "kernels/cuda/butterfly.h"

enum { PASS_THREADS = 512 }; /* at most */

DEVICE point times(point a, point w)
{
    return {fmaf(a.re, w.re, -a.im * w.im), fmaf(a.re, w.im, a.im * w.re)};
}

/* Where a row begins. */
struct row_place {
    uint64_t from, to;
    uint32_t column; /* its number along the first axis */
};

DEVICE row_place place_of(const pass_args &a, uint64_t row)
{
    row_place p = {0, 0, 0};
    for (int i = 0; i < PASS_AXES; i++) {
        const uint64_t at = row % a.axes[i].count;
        row /= a.axes[i].count;
        p.from += at * a.axes[i].from;
        p.to += at * a.axes[i].to;
        p.column = i == 0 ? (uint32_t)at : p.column;
    }
    return p;
}

/* The odd lengths: pairs x_r + x_(R-r) see the cosines, their differences the sines. */
template <int R> DEVICE void transform_odd(point *v)
{
    point sum[R / 2], difference[R / 2];
    const point first = v[0];
    unroll<0, R / 2>([&](auto i) {
        const point x = v[1 + i], y = v[R - 1 - i];
        sum[i] = {x.re + y.re, x.im + y.im};
        difference[i] = {x.re - y.re, x.im - y.im};
        v[0] = {v[0].re + sum[i].re, v[0].im + sum[i].im};
    });
    unroll<1, R / 2 + 1>([&](auto k) {
        point even = first, odd = {0, 0};
        unroll<0, R / 2>([&](auto i) {
            constexpr int turn = k * (i + 1) % R;
            constexpr int near = turn > R / 2 ? R - turn : turn; /* where the series is exact */
            constexpr float c = root<near, R>::re;
            constexpr float s = turn > R / 2 ? -root<near, R>::im : root<near, R>::im;
            even = {fmaf(c, sum[i].re, even.re), fmaf(c, sum[i].im, even.im)};
            odd = {fmaf(s, difference[i].re, odd.re), fmaf(s, difference[i].im, odd.im)};
        });
        v[k] = {even.re - odd.im, even.im + odd.re};
        v[R - k] = {even.re + odd.im, even.im - odd.re};
    });
}

template <int R> DEVICE void transform_any(point *v)
{
    if constexpr (R % 2)
        transform_odd<R>(v);
    else
        transform<R>(v);
}

/* One pass of radix R over all rows of the block; `joined` points are transformed already. */
template <int R>
DEVICE void pass(const pass_args &a, const point *from, point *to, uint32_t rows, uint32_t joined)
{
    const uint32_t apart = a.n / R, step = apart / joined;
    for (uint32_t i = threadIdx.x; i < rows * apart; i += blockDim.x) {
        const uint32_t row = i / apart, j = i % apart, k = j % joined;
        const point *in = from + row * a.n + j;
        point *out = to + row * a.n + (j - k) * R + k;
        point v[R];
        unroll<0, R>([&](auto r) { v[r] = in[r * apart]; });
        unroll<1, R>([&](auto r) { v[r] = times(v[r], a.roots[r * k * step]); });
        transform_any<R>(v);
        unroll<0, R>([&](auto r) { out[r * joined] = v[r]; });
    }
}

/* All passes; returns where the result is. The inverse is the forward of swapped parts, swapped. */
DEVICE point *all_passes(const pass_args &a, point *here, point *there, uint32_t rows)
{
    uint32_t joined = 1;
    for (int i = 0; i < PASS_RADICES && a.radices[i]; i++) {
        const uint32_t radix = a.radices[i];
        switch (radix) {
        case 2:
            pass<2>(a, here, there, rows, joined);
            break;
        case 3:
            pass<3>(a, here, there, rows, joined);
            break;
        case 4:
            pass<4>(a, here, there, rows, joined);
            break;
        case 5:
            pass<5>(a, here, there, rows, joined);
            break;
        case 7:
            pass<7>(a, here, there, rows, joined);
            break;
        default:
            pass<8>(a, here, there, rows, joined);
        }
        joined *= radix;
        point *const other = here;
        here = there;
        there = other;
        __syncthreads();
    }
    return here;
}

DEVICE point swapped(point v, uint32_t swap)
{
    return swap ? point{v.im, v.re} : v;
}

/* Neighbouring threads take neighbouring points in memory: of a row, or of rows side by side. */
DEVICE void split(uint32_t i, const pass_args &a, uint32_t rows, bool across, uint32_t *row,
                  uint32_t *k)
{
    *row = across ? i % rows : i / a.n;
    *k = across ? i / rows : i % a.n;
}

DEVICE void load(const pass_args &a, point *rows_here, const row_place *places, uint32_t rows)
{
    const bool across = a.axes[0].from < a.from_stride;
    for (uint32_t i = threadIdx.x; i < rows * a.n; i += blockDim.x) {
        uint32_t row, k;
        split(i, a, rows, across, &row, &k);
        const row_place &p = places[row];
        rows_here[row * a.n + k] = swapped(a.from[p.from + k * a.from_stride], a.inverse);
    }
}

DEVICE void store(const pass_args &a, const point *rows_here, const row_place *places,
                  uint32_t rows)
{
    const bool across = a.axes[0].to < a.to_stride;
    for (uint32_t i = threadIdx.x; i < rows * a.n; i += blockDim.x) {
        uint32_t row, k;
        split(i, a, rows, across, &row, &k);
        const row_place &p = places[row];
        point v = rows_here[row * a.n + k];
        if (a.fine) {
            const uint32_t turn = p.column * k;
            v = times(v, times(a.coarse[turn / PASS_FINE], a.fine[turn % PASS_FINE]));
        }
        a.to[p.to + k * a.to_stride] = swapped(v, a.inverse);
    }
}

extern "C" __global__ void __launch_bounds__(PASS_THREADS)
    transform_rows(const __grid_constant__ pass_args a)
{
    SHARED_MEMORY(shared);
    point *const here = (point *)shared, *const there = here + a.block_rows * a.n;
    const uint64_t first = (uint64_t)blockIdx.x * a.block_rows;
    const uint64_t left = a.rows - first;
    const uint32_t rows = left < a.block_rows ? (uint32_t)left : a.block_rows;

    const row_place only = place_of(a, a.first + first);
    row_place *const several = (row_place *)(there + a.block_rows * a.n);
    const row_place *const places = a.block_rows > 1 ? several : &only;
    for (uint32_t row = threadIdx.x; a.block_rows > 1 && row < rows; row += blockDim.x)
        several[row] = place_of(a, a.first + first + row);
    __syncthreads();
    load(a, here, places, rows);
    __syncthreads();
    const point *result = all_passes(a, here, there, rows);
    store(a, result, places, rows);
}
