/* bound.c - the rate of arithmetic and of memory, by doing nothing else. */
#include "bench/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 7, TURNS = 2000000, REPEATS = 3, L1_POINTS = 4096 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * CHAINS multiply-adds beside CHAINS additions (some machines have units for each), none of which waits
 * for another; more than latency times units. The values are the caller's, or the compiler would see
 * that all chains are one.
 */
#define DEFINE_PEAK(name, lanes, ...)                                                              \
    __VA_ARGS__ static float peak_##name(const float *values)                                      \
    {                                                                                              \
        typedef float vector __attribute__((vector_size(4 * (lanes))));                            \
        vector x[CHAINS], y[CHAINS];                                                               \
        const vector zero = (vector){0} + values[0];                                               \
        for (int i = 0; i < CHAINS; i++) {                                                         \
            x[i] = zero + values[i];                                                               \
            y[i] = zero - values[i];                                                               \
        }                                                                                          \
        for (int turn = 0; turn < TURNS; turn++) {                                                 \
            _Pragma("GCC unroll 7") for (int i = 0; i < CHAINS; i++)                               \
            {                                                                                      \
                x[i] = x[i] * zero + x[i];                                                         \
                y[i] = y[i] + zero;                                                                \
            }                                                                                      \
        }                                                                                          \
        float sum = 0;                                                                             \
        for (int i = 0; i < CHAINS; i++)                                                           \
            sum += x[i][0] + y[i][0];                                                              \
        return sum;                                                                                \
    }

DEFINE_PEAK(baseline, 4, __attribute__((noinline)))
#ifdef __x86_64__
DEFINE_PEAK(avx2, 8, __attribute__((noinline, target("avx2,fma"))))
DEFINE_PEAK(avx512, 16, __attribute__((noinline, target("avx512f,fma"))))
#endif

/* Reads a block `turns` times, `bytes` a multiple of four vectors. */
#define DEFINE_READ(name, lanes, ...)                                                              \
    __VA_ARGS__ static uint32_t read_##name(const void *block, size_t bytes, size_t turns)         \
    {                                                                                              \
        typedef uint32_t vector __attribute__((vector_size(4 * (lanes))));                         \
        vector x[4] = {{0}};                                                                       \
        for (size_t turn = 0; turn < turns; turn++) {                                              \
            const vector *at = block, *end = at + bytes / sizeof *at;                              \
            for (; at < end; at += 4)                                                              \
                _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) x[i] ^= at[i];                 \
            __asm__ volatile("" : : "r"(block) : "memory"); /* the next turn reads anew */         \
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
    float (*peak)(const float *values);
    uint32_t (*read)(const void *block, size_t bytes, size_t turns);
} baseline = {4, peak_baseline, read_baseline};

static struct loops best_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return (struct loops){16, peak_avx512, read_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct loops){8, peak_avx2, read_avx2};
#endif
    return baseline;
}

void machine_measure(struct machine *m)
{
    const struct loops loops = best_loops();
    const float values[CHAINS] = {0, 1, 2, 3, 4, 5, 6};
    volatile float keep = 0;

    m->operations = 0;
    for (int i = 0; i < REPEATS; i++) {
        const double start = now();
        keep = keep + loops.peak(values);
        m->operations = fmax(m->operations, 2.0 * TURNS * CHAINS * loops.lanes / (now() - start));
    }
}

double machine_bandwidth(size_t bytes)
{
    const struct loops loops = best_loops();
    const size_t whole = (bytes + 255) / 256 * 256, turns = ((size_t)64 << 20) / whole + 1;
    volatile uint32_t keep = 0;
    double best = 0;
    void *block = aligned_alloc(256, whole);

    if (!block)
        return 0;
    memset(block, 1, whole);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = now();
        keep = keep ^ loops.read(block, whole, turns);
        best = fmax(best, (double)turns * (double)whole / (now() - start));
    }
    free(block);
    return best;
}

/* Of an FFT of n points, for each point; the formula's last terms are below 3 a transform. */
static double operations(double n)
{
    return fmax((24 * log2(n) - 16) / 9, 1);
}

double bound_spectrum(const struct machine *m, const struct spectrum_job *job)
{
    const double n = job->plan.n;
    /* Raw and window in, the sum in and out; what does not fit into L1 goes out and in once. */
    const double bytes = (double)iq_bytes(job->plan.format) + 4 + 8 + (n > L1_POINTS ? 16 : 0);
    const double arithmetic = m->operations / (operations(n) + 2 + 2);
    const double memory = machine_bandwidth(job->plan.n * (size_t)bytes) / bytes;
    return fmin(arithmetic, memory) * job->threads;
}

double bound_transform(const struct machine *m, const struct transform_job *job)
{
    const bool real = job->plan.type == TRANSFORM_R2C || job->plan.type == TRANSFORM_C2R;
    const double n = (double)job->points;
    const double bytes = (double)(job->in_bytes + job->out_bytes) / n;
    const size_t set = job->rows * (job->in_bytes + (job->plan.in_place ? 0 : job->out_bytes));
    const double arithmetic = m->operations / operations(n) * (real ? 2 : 1);
    return fmin(arithmetic, machine_bandwidth(set) / bytes) * job->threads;
}
