/*
 * dit128.cu - the three mappings of rows to threads of the document, and its future work: more
 * rows, shuffles instead of shared memory, decimation in frequency, more threads per block.
 */
#include "studies/cuda_3d/kernels/dit128.h"

/*
 * First mapping: one row per thread. Adjacent threads of a warp are 1 KiB apart in memory, and a
 * row is too long for registers.
 *
 *     grid             rows / 128
 */
KERNEL(STUDY_N, 1) dit128_thread(const __grid_constant__ study_rows_args a)
{
    const uint32_t row = blockIdx.x * STUDY_N + threadIdx.x;
    if (row >= a.rows)
        return;
    point v[STUDY_N];
    for (int i = 0; i < STUDY_N; i++)
        v[i] = a.from[(size_t)row * STUDY_N + i];
    for (int stage = 1; stage <= STUDY_BITS; stage++)
        for (int i = 0; i < STUDY_N; i++) {
            const int j = i + stride_of(STUDY_BITS, stage);
            if (i & stride_of(STUDY_BITS, stage))
                continue;
            const point x = v[i], y = v[j];
            v[i] = stage_of<TABLE, IN_TIME>(a, element_of(i), stage, x, y);
            v[j] = stage_of<TABLE, IN_TIME>(a, element_of(j), stage, y, x);
        }
    for (int i = 0; i < STUDY_N; i++)
        store_point(a.to + (size_t)row * STUDY_N + bin_of_element(STUDY_BITS, i), v[i]);
}

/*
 * Second mapping (H = 1) and third: a team of 128 threads has H rows, with `teams` teams per block.
 * Real and imaginary parts have separate planes in shared memory.
 *
 *     grid             rows / (H teams)
 *     shared memory    [2][H teams][128] floats
 */
template <int H, int teams, twiddles Kind, decimation D>
DEVICE void dit128_rows(const study_rows_args &a)
{
    SHARED_MEMORY(shared);
    const int i = (int)threadIdx.x % STUDY_N, team = (int)threadIdx.x / STUDY_N;
    const element own = element_of(i);
    float *const re = (float *)shared + team * H * STUDY_N, *const im = re + H * teams * STUDY_N;
    const uint32_t first = (blockIdx.x * teams + team) * H;
    point v[H];
    unroll<0, H>([&](auto h) {
        v[h] = {0, 0};
        if (first + h < a.rows)
            v[h] = a.from[(size_t)(first + h) * STUDY_N + i];
    });
    const auto put = [&](int at) {
        unroll<0, H>([&](auto h) {
            re[h * STUDY_N + at] = v[h].re;
            im[h * STUDY_N + at] = v[h].im;
        });
        __syncthreads();
    };
    unroll<1, STUDY_BITS + 1>([&](auto stage) {
        put(i);
        unroll<0, H>([&](auto h) {
            const int at = h * STUDY_N + (i ^ stride_of(STUDY_BITS, stage));
            v[h] = stage_of<Kind, D>(a, own, stage, v[h], {re[at], im[at]});
        });
        __syncthreads();
    });
    put(own.bin); /* keeps the stores in order */
    unroll<0, H>([&](auto h) {
        if (first + h < a.rows)
            store_point(a.to + (size_t)(first + h) * STUDY_N + i,
                        {re[h * STUDY_N + i], im[h * STUDY_N + i]});
    });
}

#define BOUND_KERNEL(name, h, teams, kind, decimation, blocks)                                     \
    KERNEL(STUDY_N *teams, blocks) name(const __grid_constant__ study_rows_args a)                 \
    {                                                                                              \
        dit128_rows<h, teams, kind, decimation>(a);                                                \
    }
#define ROWS_KERNEL(name, h, teams, kind, decimation)                                              \
    BOUND_KERNEL(name, h, teams, kind, decimation, 1)
ROWS_KERNEL(dit128_h1, 1, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h2, 2, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h4, 4, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h8, 8, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h16, 16, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h32, 32, 1, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h4_fast, 4, 1, FAST_MATH, IN_TIME)
ROWS_KERNEL(dit128_h4_frequency, 4, 1, TABLE, IN_FREQUENCY)
ROWS_KERNEL(dit128_h4_256, 4, 2, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h4_512, 4, 4, TABLE, IN_TIME)
ROWS_KERNEL(dit128_h4_1024, 4, 8, TABLE, IN_TIME)

/*
 * The document limited registers, where a larger H needs more than a multiprocessor has for many
 * blocks. Here launch bounds do: so many blocks are to fit, and the compiler spills what does not.
 */
BOUND_KERNEL(dit128_h4_b12, 4, 1, TABLE, IN_TIME, 12)
BOUND_KERNEL(dit128_h4_b16, 4, 1, TABLE, IN_TIME, 16)
BOUND_KERNEL(dit128_h8_b8, 8, 1, TABLE, IN_TIME, 8)
BOUND_KERNEL(dit128_h8_b12, 8, 1, TABLE, IN_TIME, 12)
BOUND_KERNEL(dit128_h8_b16, 8, 1, TABLE, IN_TIME, 16)
BOUND_KERNEL(dit128_h16_b4, 16, 1, TABLE, IN_TIME, 4)
BOUND_KERNEL(dit128_h16_b6, 16, 1, TABLE, IN_TIME, 6)
BOUND_KERNEL(dit128_h16_b8, 16, 1, TABLE, IN_TIME, 8)

/*
 * Shuffles: a warp has H rows; lane l has elements l, l + 32, l + 64 and l + 96. The first two
 * stages are in its registers, the others exchange points between lanes. No shared memory.
 *
 *     grid             rows / (4 H), of 4 warps
 */
template <int H> DEVICE void dit128_shuffle(const study_rows_args &a)
{
    constexpr int lanes = 32, each = STUDY_N / lanes;
    const int lane = (int)threadIdx.x % lanes;
    element own[each];
    unroll<0, each>([&](auto e) { own[e] = element_of(e * lanes + lane); });
    const uint32_t first = (blockIdx.x * (STUDY_N / lanes) + threadIdx.x / lanes) * H;
    point v[H][each];
    unroll<0, H>([&](auto h) {
        unroll<0, each>([&](auto e) {
            v[h][e] = {0, 0};
            if (first + h < a.rows)
                v[h][e] = a.from[(size_t)(first + h) * STUDY_N + e * lanes + lane];
        });
    });
    unroll<1, STUDY_BITS + 1>([&](auto stage) {
        constexpr int stride = stride_of(STUDY_BITS, stage);
        unroll<0, H>([&](auto h) {
            point other[each];
            unroll<0, each>([&](auto e) {
                if constexpr (stride >= lanes)
                    other[e] = v[h][e ^ stride / lanes];
                else
                    other[e] = {from_lane(v[h][e].re, stride), from_lane(v[h][e].im, stride)};
            });
            unroll<0, each>([&](auto e) {
                v[h][e] = stage_of<TABLE, IN_TIME>(a, own[e], stage, v[h][e], other[e]);
            });
        });
    });
    unroll<0, H>([&](auto h) {
        if (first + h < a.rows)
            unroll<0, each>([&](auto e) {
                store_point(a.to + (size_t)(first + h) * STUDY_N + own[e].bin, v[h][e]);
            });
    });
}

KERNEL(STUDY_N, 1) dit128_shuffle_h1(const __grid_constant__ study_rows_args a)
{
    dit128_shuffle<1>(a);
}
KERNEL(STUDY_N, 1) dit128_shuffle_h4(const __grid_constant__ study_rows_args a)
{
    dit128_shuffle<4>(a);
}
