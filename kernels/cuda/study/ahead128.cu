/*
 * ahead128.cu - the first stages of the next axis, computed in registers while a row is loaded: a
 * team of 128 threads has the rows y, y + 32, y + 64 and y + 96 of a plane [128 y][128 x]. Each
 * thread computes stages 1 and 2 along y for its own four points, then all compute the stages along
 * x. The other axis starts at stage 3. (First item of the future work in the document.)
 */
#include "kernels/cuda/study/dit128.h"

enum { AHEAD = 4, APART = STUDY_N / AHEAD };

/*
 *     grid             planes x 32
 *     shared memory    [4][128] points
 */
KERNEL(STUDY_N, 1) dit128_ahead(const __grid_constant__ study_rows_args a)
{
    SHARED_MEMORY(shared);
    point *const row = (point *)shared;
    const int x = (int)threadIdx.x, y = (int)(blockIdx.x % APART);
    const size_t base = (size_t)(blockIdx.x / APART) * STUDY_N * STUDY_N + (size_t)y * STUDY_N;
    point v[AHEAD], next[AHEAD];
    unroll<0, AHEAD>([&](auto h) { v[h] = a.from[base + h * APART * STUDY_N + x]; });
    unroll<1, 3>([&](auto stage) {
        unroll<0, AHEAD>([&](auto h) {
            constexpr int partner = h ^ stride_of(stage) / APART;
            next[h] = stage_of<TABLE, IN_TIME>(a, h * APART + y, stage, v[h], v[partner]);
        });
        unroll<0, AHEAD>([&](auto h) { v[h] = next[h]; });
    });
    unroll<1, STUDY_BITS + 1>([&](auto stage) {
        unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + x] = v[h]; });
        __syncthreads();
        unroll<0, AHEAD>([&](auto h) {
            v[h] = stage_of<TABLE, IN_TIME>(a, x, stage, v[h],
                                            row[h * STUDY_N + (x ^ stride_of(stage))]);
        });
        __syncthreads();
    });
    unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + bin_of_element(x)] = v[h]; });
    __syncthreads();
    unroll<0, AHEAD>([&](auto h) { a.to[base + h * APART * STUDY_N + x] = row[h * STUDY_N + x]; });
}

/*
 * The remaining stages 3 .. 7 of such an axis, once it is along rows; four rows per team.
 *
 *     grid             rows / 4
 *     shared memory    [4][128] points
 */
KERNEL(STUDY_N, 1) dit128_rest(const __grid_constant__ study_rows_args a)
{
    SHARED_MEMORY(shared);
    point *const row = (point *)shared;
    const int i = (int)threadIdx.x;
    const size_t base = (size_t)blockIdx.x * AHEAD * STUDY_N;
    point v[AHEAD];
    unroll<0, AHEAD>([&](auto h) { v[h] = a.from[base + h * STUDY_N + i]; });
    unroll<3, STUDY_BITS + 1>([&](auto stage) {
        unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + i] = v[h]; });
        __syncthreads();
        unroll<0, AHEAD>([&](auto h) {
            v[h] = stage_of<TABLE, IN_TIME>(a, i, stage, v[h],
                                            row[h * STUDY_N + (i ^ stride_of(stage))]);
        });
        __syncthreads();
    });
    unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + bin_of_element(i)] = v[h]; });
    __syncthreads();
    unroll<0, AHEAD>([&](auto h) { a.to[base + h * STUDY_N + i] = row[h * STUDY_N + i]; });
}
