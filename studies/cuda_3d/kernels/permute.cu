/*
 * permute.cu - permutes the axes of a box into any of the six orders, through a padded tile of
 * shared memory if the fastest axis changes: reads and writes are whole cache lines, without bank
 * conflicts.
 *
 *     grid             tiles along axis 2, tiles along the axis that becomes fastest, the third
 *                      axis; if axis 2 stays the fastest: tiles along it, axis 1, axis 0
 *     block            32 x 8
 *     shared memory    [32][33] points
 */
#include "studies/cuda_3d/kernels/dit128.h"

/* The point of a tile, for one access. */
DEVICE point *in_tile(point *tile, uint32_t y, uint32_t x)
{
    point *const at = tile + y * (STUDY_TILE + 1) + x;
    note_shared(at, sizeof *at);
    return at;
}

KERNEL(STUDY_TILE *STUDY_TILE_ROWS, 1) permute(const __grid_constant__ study_permute_args a)
{
    SHARED_MEMORY(shared);
    point *const tile = (point *)shared;
    const uint32_t lane = threadIdx.x % STUDY_TILE, first = threadIdx.x / STUDY_TILE;
    if (a.fast == 2) {
        const size_t from =
            (size_t)blockIdx.z * a.from_apart[0] + (size_t)blockIdx.y * a.from_apart[1];
        const size_t to = (size_t)blockIdx.z * a.to_apart[0] + (size_t)blockIdx.y * a.to_apart[1];
        const uint32_t x = blockIdx.x * STUDY_TILE * STUDY_TILE_ROWS + threadIdx.x;
        if (x < a.n[2])
            store_point(a.to + to + x, a.from[from + x]);
        return;
    }
    const uint32_t third = 1 - a.fast;
    const uint32_t x0 = blockIdx.x * STUDY_TILE, y0 = blockIdx.y * STUDY_TILE;
    const size_t from = (size_t)blockIdx.z * a.from_apart[third];
    const size_t to = (size_t)blockIdx.z * a.to_apart[third];
    for (uint32_t y = first; y < STUDY_TILE; y += STUDY_TILE_ROWS)
        if (x0 + lane < a.n[2] && y0 + y < a.n[a.fast])
            *in_tile(tile, y, lane) =
                a.from[from + (size_t)(y0 + y) * a.from_apart[a.fast] + x0 + lane];
    __syncthreads();
    for (uint32_t x = first; x < STUDY_TILE; x += STUDY_TILE_ROWS)
        if (x0 + x < a.n[2] && y0 + lane < a.n[a.fast])
            store_point(a.to + to + (size_t)(x0 + x) * a.to_apart[2] + y0 + lane,
                        *in_tile(tile, lane, x));
}
