/*
 * real.cu - kernels before and after the complex transform of a real row that is too long for a
 * block: from the rows to scratch, contiguous [rows][n] points, and back. See rows.h; roots of long
 * rows come from two-level tables, as in transform.h.
 *
 *     grid     points / threads, rows
 */
#include "kernels/cuda/rows.h"

enum { REAL_THREADS = 256 };

DEVICE uint32_t this_point()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Reals to points. */
KERNEL(REAL_THREADS, 1) real_gather(const __grid_constant__ pass_args a)
{
    const row_origin p = origin_of_row(a, a.first + blockIdx.y);
    const uint32_t x = this_point();
    if (x < a.n)
        a.to[(uint64_t)blockIdx.y * a.n + x] = load_point<ROWS_R2C>(a, p, x);
}

/* Points to reals. */
KERNEL(REAL_THREADS, 1) real_scatter(const __grid_constant__ pass_args a)
{
    const row_origin p = origin_of_row(a, a.first + blockIdx.y);
    const uint32_t x = this_point();
    if (x < a.n)
        store_point<ROWS_C2R>(a, p, x, a.from[(uint64_t)blockIdx.y * a.n + x]);
}

/* Spectrum of the points to bins. */
KERNEL(REAL_THREADS, 1) real_part(const __grid_constant__ pass_args a)
{
    const row_origin p = origin_of_row(a, a.first + blockIdx.y);
    const point *from = a.from + (uint64_t)blockIdx.y * a.n;
    const uint32_t k = this_point();
    if (k > a.n / 2)
        return;
    if (a.halved)
        part(a, p, k, {from[k], from[k ? a.n - k : 0]}, long_root(a, k));
    else
        store_point<ROWS_R2C>(a, p, k, from[k]);
}

/* Bins to the spectrum of the points. */
KERNEL(REAL_THREADS, 1) real_join(const __grid_constant__ pass_args a)
{
    const row_origin p = origin_of_row(a, a.first + blockIdx.y);
    point *to = a.to + (uint64_t)blockIdx.y * a.n;
    const uint32_t k = this_point();
    if (!a.halved) {
        if (k < a.n)
            to[k] = load_point<ROWS_C2R>(a, p, k);
        return;
    }
    if (k > a.n / 2)
        return;
    const halves z = join(a, p, k, long_root(a, k));
    if (k > 0)
        to[a.n - k] = z.high;
    to[k] = z.low;
}
