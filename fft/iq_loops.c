/*
 * iq_loops.c - converts samples, and counts those beyond thresholds; compiled once for each
 * instruction set.
 *
 * Components are compared as they lie in memory. A comparison sets all bits of a component; read as
 * a number of twice the width, that is a sample, which counts if it is not zero.
 */
#include "fft/iq_loops.h"

#include <string.h>

#define IQ_PASTE(name, isa) fft_iq_##name##_##isa
#define IQ_JOIN(name, isa)  IQ_PASTE(name, isa)
#define IQ_SYMBOL(name)     IQ_JOIN(name, IQ_ISA)

#define VECTOR(type) type __attribute__((vector_size(IQ_VECTOR_BYTES), may_alias))
typedef VECTOR(uint8_t) v8;
typedef VECTOR(uint16_t) v16;
typedef VECTOR(uint32_t) v32;
typedef VECTOR(int32_t) v32s;
typedef VECTOR(uint64_t) v64;

extern const struct fft_iq_loops IQ_SYMBOL(loops);

#define DEFINE_UNPACK(name, type, zero, scale)                                                     \
    static void unpack_##name(const void *raw, float *restrict out, size_t components)             \
    {                                                                                              \
        const type *restrict in = raw;                                                             \
        for (size_t i = 0; i < components; i++)                                                    \
            out[i] = ((float)in[i] - (zero)) * (scale);                                            \
    }

DEFINE_UNPACK(cu8, uint8_t, 127.5F, 1.0F / 127.5F)
DEFINE_UNPACK(cs8, int8_t, 0.0F, 1.0F / 128.0F)
DEFINE_UNPACK(cs16, int16_t, 0.0F, 1.0F / 32768.0F)

/* Samples that stay in L1 while they are read twice. A lane of 16 bits can count all of them. */
enum { BLOCK = 4096 };

/*
 * Components of `comp` bits in vectors `part`, samples in vectors `pair` of lanes `lane`. Most
 * blocks have nothing to count: their largest code says so, at the rate at which memory is read.
 */
#define DEFINE_CODES(name, comp, part, lane, pair)                                                 \
    static comp largest_##name(const comp *at, size_t components, comp zero)                       \
    {                                                                                              \
        comp most = 0;                                                                             \
        for (size_t i = 0; i < components; i++) {                                                  \
            const comp code = (comp)(at[i] - zero);                                                \
            most = code > most ? code : most;                                                      \
        }                                                                                          \
        return most;                                                                               \
    }                                                                                              \
                                                                                                   \
    static uint64_t count_##name(const comp *at, size_t samples, comp zero, comp most)             \
    {                                                                                              \
        const size_t width = sizeof(pair) / sizeof(lane);                                          \
        pair lanes = {0};                                                                          \
        uint64_t total = 0;                                                                        \
        size_t i = 0;                                                                              \
        for (; i + width <= samples; i += width) {                                                 \
            part v;                                                                                \
            memcpy(&v, at + 2 * i, sizeof v);                                                      \
            const part beyond = (part)((part)(v - zero) >= most);                                  \
            lanes -= (pair)((pair)beyond != 0);                                                    \
        }                                                                                          \
        for (size_t k = 0; k < width; k++)                                                         \
            total += lanes[k];                                                                     \
        for (; i < samples; i++)                                                                   \
            total += (comp)(at[2 * i] - zero) >= most || (comp)(at[2 * i + 1] - zero) >= most;     \
        return total;                                                                              \
    }                                                                                              \
                                                                                                   \
    static uint64_t name(const void *raw, size_t samples, struct fft_iq_codes codes)               \
    {                                                                                              \
        const comp zero = (comp)codes.zero, most = (comp)codes.most;                               \
        const comp *at = raw;                                                                      \
        uint64_t total = 0;                                                                        \
        for (size_t left = samples; left > 0;) {                                                   \
            const size_t now = left < BLOCK ? left : BLOCK;                                        \
            if (largest_##name(at, 2 * now, zero) >= most)                                         \
                total += count_##name(at, now, zero, most);                                        \
            at += 2 * now;                                                                         \
            left -= now;                                                                           \
        }                                                                                          \
        return total;                                                                              \
    }

DEFINE_CODES(codes8, uint8_t, v8, uint16_t, v16)
DEFINE_CODES(codes16, uint16_t, v16, uint32_t, v32)

static int32_t magnitude(const int32_t *bits)
{
    return *bits & 0x7fffffff;
}

/* One comparison a component: most blocks have nothing to count. */
static int32_t largest(const int32_t *bits, size_t components)
{
    int32_t most = 0;
    for (size_t i = 0; i < components; i++)
        most = magnitude(&bits[i]) > most ? magnitude(&bits[i]) : most;
    return most;
}

static void floats(const void *raw, size_t samples, const int32_t limit[FFT_IQ_THRESHOLDS],
                   uint64_t count[FFT_IQ_THRESHOLDS])
{
    const size_t width = sizeof(v64) / sizeof(uint64_t);
    const int32_t *at = raw;
    v64 lanes[FFT_IQ_THRESHOLDS] = {{0}, {0}, {0}};
    size_t i = 0;
    if (largest(at, 2 * samples) <= limit[0])
        return;
    for (; i + width <= samples; i += width) {
        v32s v;
        memcpy(&v, at + 2 * i, sizeof v);
        v &= 0x7fffffff;
        for (size_t t = 0; t < FFT_IQ_THRESHOLDS; t++)
            lanes[t] -= (v64)((v64)(v > limit[t]) != 0);
    }
    for (size_t t = 0; t < FFT_IQ_THRESHOLDS; t++) {
        for (size_t k = 0; k < width; k++)
            count[t] += lanes[t][k];
        for (size_t k = i; k < samples; k++)
            count[t] += magnitude(&at[2 * k]) > limit[t] || magnitude(&at[2 * k + 1]) > limit[t];
    }
}

const struct fft_iq_loops IQ_SYMBOL(loops) = {
    {[FFT_IQ_CU8] = unpack_cu8, [FFT_IQ_CS8] = unpack_cs8, [FFT_IQ_CS16] = unpack_cs16},
    codes8,
    codes16,
    floats,
};
