/* bound.c - measures the rates of arithmetic and of memory with loops that do nothing else. */
#include "bench/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/contest.h"

enum { CHAINS = 7, ITERATIONS = 2000000, REPEATS = 3, L1_POINTS = 4096 };

/*
 * CHAINS multiply-adds, interleaved with CHAINS more of them or, for units that can only add, with
 * additions. No chain depends on another, and there are more chains than latency times units. The
 * caller passes the values: with constants the compiler would merge the chains.
 */
#define DEFINE_PEAK(name, lanes, second, ...)                                                      \
    __VA_ARGS__ static float name(const float *values)                                             \
    {                                                                                              \
        typedef float vector __attribute__((vector_size(4 * (lanes))));                            \
        vector x[CHAINS], y[CHAINS];                                                               \
        const vector zero = (vector){0} + values[0];                                               \
        for (int i = 0; i < CHAINS; i++) {                                                         \
            x[i] = zero + values[i];                                                               \
            y[i] = zero - values[i];                                                               \
        }                                                                                          \
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {                             \
            _Pragma("GCC unroll 7") for (int i = 0; i < CHAINS; i++)                               \
            {                                                                                      \
                x[i] = x[i] * zero + x[i];                                                         \
                y[i] = second;                                                                     \
            }                                                                                      \
        }                                                                                          \
        float sum = 0;                                                                             \
        for (int i = 0; i < CHAINS; i++)                                                           \
            sum += x[i][0] + y[i][0];                                                              \
        return sum;                                                                                \
    }
#define DEFINE_PEAKS(isa, lanes, ...)                                                              \
    DEFINE_PEAK(mixed_##isa, lanes, y[i] + zero, __VA_ARGS__)                                      \
    DEFINE_PEAK(fused_##isa, lanes, y[i] * zero + y[i], __VA_ARGS__)

DEFINE_PEAKS(baseline, 4, __attribute__((noinline)))
#ifdef __x86_64__
DEFINE_PEAKS(avx2, 8, __attribute__((noinline, target("avx2,fma"))))
DEFINE_PEAKS(avx512, 16, __attribute__((noinline, target("avx512f,fma"))))
#endif

/* Reads a block `repeats` times; `bytes` is a multiple of four vectors. */
#define DEFINE_READ(name, lanes, ...)                                                              \
    __VA_ARGS__ static uint32_t read_##name(const void *block, size_t bytes, size_t repeats)       \
    {                                                                                              \
        typedef uint32_t vector __attribute__((vector_size(4 * (lanes))));                         \
        vector x[4] = {{0}};                                                                       \
        for (size_t repeat = 0; repeat < repeats; repeat++) {                                      \
            const vector *at = block, *end = at + bytes / sizeof *at;                              \
            for (; at < end; at += 4)                                                              \
                _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) x[i] ^= at[i];                 \
            __asm__ volatile(""                                                                    \
                             :                                                                     \
                             : "r"(block)                                                          \
                             : "memory"); /* forces the next repeat to read again */               \
        }                                                                                          \
        return (x[0] ^ x[1] ^ x[2] ^ x[3])[0];                                                     \
    }

DEFINE_READ(baseline, 4, __attribute__((noinline)))
#ifdef __x86_64__
DEFINE_READ(avx2, 8, __attribute__((noinline, target("avx2,fma"))))
DEFINE_READ(avx512, 16, __attribute__((noinline, target("avx512f,fma"))))
#endif

static const struct loops {
    int lanes;
    float (*mixed)(const float *values), (*fused)(const float *values);
    uint32_t (*read)(const void *block, size_t bytes, size_t repeats);
} baseline = {4, mixed_baseline, fused_baseline, read_baseline};

static struct loops best_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return (struct loops){16, mixed_avx512, fused_avx512, read_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct loops){8, mixed_avx2, fused_avx2, read_avx2};
#endif
    return baseline;
}

static double rate_of(float (*peak)(const float *values), int lanes)
{
    const float values[CHAINS] = {0, 1, 2, 3, 4, 5, 6};
    volatile float keep = 0;
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
        const double start = contest_clock(false);
        keep = keep + peak(values);
        best = fmax(best, 2.0 * ITERATIONS * CHAINS * lanes / (contest_clock(false) - start));
    }
    return best;
}

void machine_measure(struct machine *m)
{
    const struct loops loops = best_loops();
    m->units.multiplying = rate_of(loops.fused, loops.lanes);
    m->units.all = fmax(rate_of(loops.mixed, loops.lanes), m->units.multiplying);
}

/* Bytes a second, for repeated reads of a block of this size. */
static double bandwidth_of(size_t bytes)
{
    const struct loops loops = best_loops();
    const size_t whole = (bytes + 255) / 256 * 256, repeats = ((size_t)64 << 20) / whole + 1;
    volatile uint32_t keep = 0;
    double best = 0;
    void *block = aligned_alloc(256, whole);

    if (!block)
        return 0;
    memset(block, 1, whole);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = contest_clock(false);
        keep = keep ^ loops.read(block, whole, repeats);
        best = fmax(best, (double)repeats * (double)whole / (contest_clock(false) - start));
    }
    free(block);
    return best;
}

double bound_spectrum(const struct machine *m, const struct spectrum_case *test_case)
{
    const double n = test_case->plan.n;
    /* Each point reads raw sample and window and reads and writes the sum. A frame that exceeds L1
     * is also written and read once. */
    const double bytes =
        (double)fft_iq_bytes(test_case->plan.format) + 4 + 8 + (n > L1_POINTS ? 16 : 0);
    const double arithmetic = 1 / operations_seconds(&m->units, n, 2 + 2); /* window, |X|^2 + sum */
    const double memory = bandwidth_of(test_case->plan.n * (size_t)bytes) / bytes;
    return fmin(arithmetic, memory) * test_case->threads;
}

double bound_transform(const struct machine *m, const struct transform_case *test_case)
{
    const bool real =
        test_case->plan.type == FFT_TRANSFORM_R2C || test_case->plan.type == FFT_TRANSFORM_C2R;
    const double n = (double)test_case->points;
    const double bytes = (double)(test_case->in_bytes + test_case->out_bytes) / n;
    const size_t set = test_case->rows * (test_case->in_bytes +
                                          (test_case->plan.in_place ? 0 : test_case->out_bytes));
    const double arithmetic = (real ? 2 : 1) / operations_seconds(&m->units, n, 0);
    return fmin(arithmetic, bandwidth_of(set) / bytes) * test_case->threads;
}
