/*
 * history_levels.c - the loops over all bins of a line, in forms that compilers vectorise.
 *
 * A maximum of neighbours, or of all, in the order of the bins has no vector form: one operation
 * waits for another. So bins are halved, two neighbours into one, and extremes have a place for
 * each lane: more places than the compiler unrolls, because it then forgets to vectorise.
 */
#include "daemon/line/history/history_levels.h"

#include <math.h>
#include <string.h>

#include "daemon/base/fast_math.h"
#include "daemon/base/level.h"

#define INLINE static inline __attribute__((always_inline))

enum { RANGE_DB = 160, TOP = 254, BLOCK = 2048 /* bins in L1 */, LANES = 32 };
static const double finest_db = 0.25;
static const float octave_db = 3.01029996F, least_power = 1.17549435e-38F; /* the least normal */

/* ---- columns ---------------------------------------------------------------------------- */

INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

INLINE void halve(const float *restrict from, float *restrict to, uint32_t count)
{
    for (size_t i = 0; i < count / 2; i++)
        to[i] = larger(from[2 * i], from[2 * i + 1]);
}

/* count: a multiple of bins, at most BLOCK. */
INLINE void reduce_block(const float *power, uint32_t count, uint32_t bins, float *columns)
{
    float buffer[2][BLOCK / 2];
    for (unsigned to = 0; bins > 2; to ^= 1, bins /= 2, count /= 2) {
        halve(power, buffer[to], count);
        power = buffer[to];
    }
    halve(power, columns, count);
}

static float reduce_column(const float *power, uint32_t bins)
{
    float max = power[0];
    for (uint32_t k = 1; k < bins; k++)
        max = larger(power[k], max);
    return max;
}

/* bins: at least 2. */
INLINE void reduce(const float *power, uint32_t n, uint32_t bins, float *columns)
{
    const uint32_t whole = bins <= BLOCK ? n / bins * bins : 0;
    for (uint32_t i = 0; i < whole; i += BLOCK)
        reduce_block(power + i, whole - i < BLOCK ? whole - i : BLOCK, bins, columns + i / bins);
    for (uint32_t i = whole; i < n; i += bins)
        columns[i / bins] = reduce_column(power + i, n - i < bins ? n - i : bins);
}

/* ---- levels ----------------------------------------------------------------------------- */

INLINE void find_extremes(const float *power, uint32_t count, float *low, float *high)
{
    float lows[LANES], highs[LANES];
    for (unsigned k = 0; k < LANES; k++) {
        lows[k] = INFINITY;
        highs[k] = 0;
    }
    const uint32_t whole = count / LANES * LANES;
    for (uint32_t i = 0; i < whole; i += LANES) {
        for (unsigned k = 0; k < LANES; k++) {
            lows[k] = power[i + k] < lows[k] ? power[i + k] : lows[k];
            highs[k] = larger(power[i + k], highs[k]);
        }
    }
    *low = INFINITY;
    *high = 0;
    for (uint32_t i = whole; i < count; i++) {
        *low = power[i] < *low ? power[i] : *low; /* as fminf, without a call */
        *high = larger(power[i], *high);
    }
    for (unsigned k = 0; k < LANES; k++) {
        *low = lows[k] < *low ? lows[k] : *low;
        *high = larger(highs[k], *high);
    }
}

INLINE void quantise(const float *power, uint32_t count, uint8_t *restrict levels, float *offset_db,
                     float *step_db)
{
    float low = 0;
    float high = 0;
    find_extremes(power, count, &low, &high);
    const double top = level_dbfs(high);
    const double offset = fmax(level_dbfs(low), top - RANGE_DB);
    const double step = fmax(finest_db, (top - offset) / TOP);
    const float scale = (float)(octave_db / step);
    const float shift = (float)(0.5 - offset / step);
    *offset_db = (float)offset;
    *step_db = (float)step;
    for (uint32_t i = 0; i < count; i++) {
        const float value = fast_log2(larger(power[i], least_power)) * scale + shift;
        const float least = value > 0 ? value : 0;
        levels[i] = (uint8_t)(int32_t)(least < UINT8_MAX ? least : UINT8_MAX);
    }
}

/* ---- instruction sets ------------------------------------------------------------------- */

typedef void reduce_all(const float *power, uint32_t n, uint32_t bins, float *columns);
typedef void quantise_all(const float *power, uint32_t count, uint8_t *levels, float *offset_db,
                          float *step_db);

struct loops {
    reduce_all *reduce;
    quantise_all *quantise;
};

/* Without FMA, which would round otherwise: levels do not depend on the processor. */
#define DEFINE_LOOPS(isa, ...)                                                                     \
    static __VA_ARGS__ void reduce_##isa(const float *power, uint32_t n, uint32_t bins,            \
                                         float *columns)                                           \
    {                                                                                              \
        reduce(power, n, bins, columns);                                                           \
    }                                                                                              \
    static __VA_ARGS__ void quantise_##isa(const float *power, uint32_t count, uint8_t *levels,    \
                                           float *offset_db, float *step_db)                       \
    {                                                                                              \
        quantise(power, count, levels, offset_db, step_db);                                        \
    }                                                                                              \
    static const struct loops loops_##isa = {reduce_##isa, quantise_##isa};

DEFINE_LOOPS(baseline, /* what every machine has */)
#ifdef __x86_64__
DEFINE_LOOPS(avx2, __attribute__((target("avx2"))))
#endif

static const struct loops *best_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &loops_avx2;
#endif
    return &loops_baseline;
}

void levels_reduce(const float *power, uint32_t n, uint32_t bins, float *columns)
{
    if (bins <= 1)
        memcpy(columns, power, n * sizeof *columns);
    else
        best_loops()->reduce(power, n, bins, columns);
}

void levels_quantise(const float *power, uint32_t count, uint8_t *levels, float *offset_db,
                     float *step_db)
{
    best_loops()->quantise(power, count, levels, offset_db, step_db);
}

void levels_to_power(float offset_db, float step_db, float power[256])
{
    for (int i = 0; i < 256; i++)
        power[i] = powf(10, (offset_db + step_db * (float)i) / 10);
}
