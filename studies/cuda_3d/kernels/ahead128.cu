/*
 * ahead128.cu - the first two stages of the next axis, computed in registers while rows are loaded:
 * a team of 128 threads has the four rows y, y + 32, y + 64 and y + 96 along that axis. Each thread
 * computes stages 1 and 2 along it for its own four points, then all compute the stages along the
 * row. The next axis, once it is along rows, starts at stage 3. (First item of the future work in
 * the document.)
 */
#include "studies/cuda_3d/kernels/dit128.h"

enum { AHEAD = 4, APART = STUDY_N / AHEAD, AHEAD_STAGES = 2 };

/* The four rows of a block: row h is `apart` points after row h - 1. y: of row 0 along the next
 * axis. */
struct team_rows {
    size_t base, apart;
    int y;
};

/* Neighbours along the next axis are a.next_apart rows apart; 0: no such axis, adjacent rows. */
DEVICE team_rows rows_of_team(const study_rows_args &a)
{
    if (a.next_apart == 0)
        return {(size_t)blockIdx.x * AHEAD * STUDY_N, STUDY_N, 0};
    const uint32_t within = blockIdx.x % a.next_apart, rest = blockIdx.x / a.next_apart;
    const uint32_t y = rest % APART, outer = rest / APART;
    const size_t row = ((size_t)outer * STUDY_N + y) * a.next_apart + within;
    return {row * STUDY_N, (size_t)APART * a.next_apart * STUDY_N, (int)y};
}

/*
 * Stage 1 along the next axis, of which the thread has elements y + 32 h, then stage 2. Which of
 * them is the lower of a butterfly depends on h alone.
 */
DEVICE void stages_ahead(const study_rows_args &a, int y, point *v)
{
    const point first = v[0], second = v[1];
    v[0] = {first.re + v[2].re, first.im + v[2].im};
    v[1] = {second.re + v[3].re, second.im + v[3].im};
    v[2] = {first.re - v[2].re, first.im - v[2].im};
    v[3] = {second.im - v[3].im, v[3].re - second.re}; /* times -i, the twiddle of stage 1 */
    unroll<0, AHEAD / 2>([&](auto pair) {
        const point own = v[2 * pair], other = v[2 * pair + 1];
        v[2 * pair] = {own.re + other.re, own.im + other.im};
        v[2 * pair + 1] = {own.re - other.re, own.im - other.im};
    });
    if (y & APART / 2)
        unroll<0, AHEAD>([&](auto h) {
            const int bin = bin_of_element(STUDY_BITS, h * APART);
            v[h] = multiplied(v[h], twiddle_of<TABLE>(a, exponent_in_time(STUDY_BITS, bin, 2)));
        });
}

/*
 * Stages `first` .. 7 along the rows, after those ahead along the next axis.
 *
 *     grid             rows / 4
 *     shared memory    [4][128] points
 */
template <int first, bool ahead> DEVICE void ahead_rows(const study_rows_args &a)
{
    SHARED_MEMORY(shared);
    point *const row = (point *)shared;
    const int x = (int)threadIdx.x;
    const element own = element_of(x);
    const team_rows team = rows_of_team(a);
    point v[AHEAD];
    unroll<0, AHEAD>([&](auto h) { v[h] = a.from[team.base + h * team.apart + x]; });
    if constexpr (ahead)
        stages_ahead(a, team.y, v);
    unroll<first, STUDY_BITS + 1>([&](auto stage) {
        unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + x] = v[h]; });
        __syncthreads();
        unroll<0, AHEAD>([&](auto h) {
            const point other = row[h * STUDY_N + (x ^ stride_of(STUDY_BITS, stage))];
            v[h] = stage_of<TABLE, IN_TIME>(a, own, stage, v[h], other);
        });
        __syncthreads();
    });
    unroll<0, AHEAD>([&](auto h) { row[h * STUDY_N + own.bin] = v[h]; });
    __syncthreads();
    unroll<0, AHEAD>(
        [&](auto h) { store_point(a.to + team.base + h * team.apart + x, row[h * STUDY_N + x]); });
}

/* The first axis, and stages ahead along the second. */
KERNEL(STUDY_N, 1) dit128_ahead(const __grid_constant__ study_rows_args a)
{
    ahead_rows<1, true>(a);
}
/* The rest of the second axis, and stages ahead along the third. */
KERNEL(STUDY_N, 1) dit128_rest_ahead(const __grid_constant__ study_rows_args a)
{
    ahead_rows<AHEAD_STAGES + 1, true>(a);
}
/* The rest of the last axis. */
KERNEL(STUDY_N, 1) dit128_rest(const __grid_constant__ study_rows_args a)
{
    ahead_rows<AHEAD_STAGES + 1, false>(a);
}
