/*
 * cpu_vec.h - vectors of CPU_LANES floats, in the compiler's own vector types.
 *
 * 4, 8 or 16 lanes. Every operation here compiles to one or two instructions of the instruction set
 * that the file is compiled for. Arrays of vectors stay in registers as long as each index is a
 * constant: hence INLINE and UNROLL everywhere.
 */
#ifndef FFTD_FFT_CPU_BASE_CPU_VEC_H
#define FFTD_FFT_CPU_BASE_CPU_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __x86_64__
#include <immintrin.h>
#elif defined __ARM_NEON
#include <arm_neon.h>
#endif

#include "fft/iq.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

enum { LANES = CPU_LANES };

#define VECTOR(type, align)                                                                        \
    type __attribute__((vector_size(sizeof(type) * CPU_LANES), aligned(align), may_alias))

typedef VECTOR(float, sizeof(float) * CPU_LANES) vf; /* aligned to its own size */
typedef VECTOR(int32_t, sizeof(int32_t) * CPU_LANES) vi;
typedef int16_t vs __attribute__((vector_size(4 * CPU_LANES), may_alias)); /* [2 LANES] */

/* In raw samples, aligned to one of them only. */
typedef VECTOR(float, 4) raw_floats;
typedef VECTOR(int32_t, 4) raw_words;
typedef int8_t raw_chars
    __attribute__((vector_size(2 * CPU_LANES), aligned(1), may_alias)); /* [2 LANES] */
typedef uint8_t raw_bytes __attribute__((vector_size(2 * CPU_LANES), aligned(1), may_alias));

struct cvec {
    vf re, im;
};

INLINE struct cvec vec_add(struct cvec a, struct cvec b)
{
    return (struct cvec){a.re + b.re, a.im + b.im};
}

INLINE struct cvec vec_sub(struct cvec a, struct cvec b)
{
    return (struct cvec){a.re - b.re, a.im - b.im};
}

INLINE struct cvec vec_mul(struct cvec a, struct cvec w)
{
    return (struct cvec){a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

/* The same factor in every lane. */
INLINE struct cvec vec_scale(struct cvec a, float re, float im)
{
    return (struct cvec){a.re * re - a.im * im, a.re * im + a.im * re};
}

/*
 * a - b, the same to the bit, by the units that multiply and add. AMD's processors have others for
 * additions alone, so code with many more additions than products is quicker with some of these. It
 * takes a register for the 1, which AVX2 does not have to spare.
 */
#if defined __x86_64__ && CPU_LANES == 16
#define VEC_SUB_FUSED(a, b) ((vf)_mm512_fnmadd_ps((__m512)(b), _mm512_set1_ps(1.0F), (__m512)(a)))
#else
#define VEC_SUB_FUSED(a, b) ((a) - (b))
#endif

INLINE struct cvec vec_sub_fused(struct cvec a, struct cvec b)
{
    return (struct cvec){VEC_SUB_FUSED(a.re, b.re), VEC_SUB_FUSED(a.im, b.im)};
}

typedef double vd __attribute__((vector_size(sizeof(double) * CPU_LANES)));

/* Rounded once: the factor is a double. */
INLINE vf vec_times(vf v, double factor)
{
    return __builtin_convertvector(__builtin_convertvector(v, vd) * factor, vf);
}

/* Lane by lane, one instruction each: C has no conditional expression for vectors. */
#if defined __x86_64__ && CPU_LANES == 16
#define VEC_MAX(a, b) ((vf)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define VEC_MIN(a, b) ((vf)_mm512_min_ps((__m512)(a), (__m512)(b)))
#elif defined __x86_64__ && CPU_LANES == 8
#define VEC_MAX(a, b) ((vf)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define VEC_MIN(a, b) ((vf)_mm256_min_ps((__m256)(a), (__m256)(b)))
#elif defined __x86_64__
#define VEC_MAX(a, b) ((vf)_mm_max_ps((__m128)(a), (__m128)(b)))
#define VEC_MIN(a, b) ((vf)_mm_min_ps((__m128)(a), (__m128)(b)))
#elif defined __ARM_NEON
#define VEC_MAX(a, b) ((vf)vmaxq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define VEC_MIN(a, b) ((vf)vminq_f32((float32x4_t)(a), (float32x4_t)(b)))
#else
#define VEC_CHOOSE(which, a, b) ((vf)(((vi)(a) & (which)) | ((vi)(b) & ~(which))))
#define VEC_MAX(a, b)           VEC_CHOOSE((a) > (b), a, b)
#define VEC_MIN(a, b)           VEC_CHOOSE((a) < (b), a, b)
#endif

/*
 * Stores a vector past the caches, which reads no line before: for what nothing reads soon, in
 * whole lines. CPU_STREAMS: a cvec has whole lines. VEC_STREAM_END before another thread reads.
 */
#if defined __x86_64__ && CPU_LANES == 16
#define VEC_STREAM(to, v) _mm512_stream_ps((float *)(to), (__m512)(v))
#elif defined __x86_64__ && CPU_LANES == 8
#define VEC_STREAM(to, v) _mm256_stream_ps((float *)(to), (__m256)(v))
#endif
#ifdef VEC_STREAM
#define VEC_STREAM_END() _mm_sfence()
enum { CPU_STREAMS = 1 };
#else
#define VEC_STREAM(to, v) ((void)(*(to) = (v)))
#define VEC_STREAM_END()  ((void)0)
enum { CPU_STREAMS = 0 };
#endif

/* ---- shuffles --------------------------------------------------------------------------- */

#define SHUFFLE __builtin_shufflevector

/*
 * PAIRS and HALVES work on every four lanes alike: a0 b0 a1 b1 | a2 b2 a3 b3, and
 * a0 a1 b0 b1 | a2 a3 b2 b3. EVENS and ODDS separate re and im of two vectors of complex
 * floats. OF_FOURS does the same within groups of four lanes of a and b: a cheaper shuffle.
 */
#if CPU_LANES == 4
#define PAIRS_LOW(a, b)   SHUFFLE(a, b, 0, 4, 1, 5)
#define PAIRS_HIGH(a, b)  SHUFFLE(a, b, 2, 6, 3, 7)
#define HALVES_LOW(a, b)  SHUFFLE(a, b, 0, 1, 4, 5)
#define HALVES_HIGH(a, b) SHUFFLE(a, b, 2, 3, 6, 7)
#define EVENS(a, b)       SHUFFLE(a, b, 0, 2, 4, 6)
#define ODDS(a, b)        SHUFFLE(a, b, 1, 3, 5, 7)
#define EVENS_OF_FOURS    EVENS
#define ODDS_OF_FOURS     ODDS
#elif CPU_LANES == 8
#define PAIRS_LOW(a, b)      SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define PAIRS_HIGH(a, b)     SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define HALVES_LOW(a, b)     SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HALVES_HIGH(a, b)    SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define EVENS(a, b)          SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODDS(a, b)           SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define EVENS_OF_FOURS(a, b) SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define ODDS_OF_FOURS(a, b)  SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#define QUADS_LOW(a, b)      SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define QUADS_HIGH(a, b)     SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#elif CPU_LANES == 16
#define PAIRS_LOW(a, b)   SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define PAIRS_HIGH(a, b)  SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define HALVES_LOW(a, b)  SHUFFLE(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HALVES_HIGH(a, b) SHUFFLE(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define EVENS(a, b)       SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b)        SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define EVENS_OF_FOURS(a, b)                                                                       \
    SHUFFLE(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
#define ODDS_OF_FOURS(a, b) SHUFFLE(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31)
/* Every other group of four lanes: groups 0 2 | 1 3 of a, then of b. */
#define QUADS_LOW(a, b)     SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define QUADS_HIGH(a, b)    SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
#endif

/*
 * A transpose has two steps in place. Each step works on a few rows, so it can directly follow the
 * butterflies that compute these rows: first rows LANES / 4 apart exchange groups of four lanes,
 * then four neighbouring rows exchange lanes within groups of four.
 */
INLINE void transpose_groups(vf *x, size_t row)
{
#if CPU_LANES == 8
    const vf top = x[row], bottom = x[4 + row];
    x[row] = QUADS_LOW(top, bottom);
    x[4 + row] = QUADS_HIGH(top, bottom);
#elif CPU_LANES == 16
    const vf top_even = QUADS_LOW(x[row], x[4 + row]), top_odd = QUADS_HIGH(x[row], x[4 + row]);
    const vf end_even = QUADS_LOW(x[8 + row], x[12 + row]),
             end_odd = QUADS_HIGH(x[8 + row], x[12 + row]);
    x[row] = QUADS_LOW(top_even, end_even);
    x[4 + row] = QUADS_LOW(top_odd, end_odd);
    x[8 + row] = QUADS_HIGH(top_even, end_even);
    x[12 + row] = QUADS_HIGH(top_odd, end_odd);
#else
    (void)x; /* one group of four lanes */
    (void)row;
#endif
}

INLINE void transpose_neighbours(vf *x)
{
    const vf low01 = PAIRS_LOW(x[0], x[1]), high01 = PAIRS_HIGH(x[0], x[1]);
    const vf low23 = PAIRS_LOW(x[2], x[3]), high23 = PAIRS_HIGH(x[2], x[3]);
    x[0] = HALVES_LOW(low01, low23);
    x[1] = HALVES_HIGH(low01, low23);
    x[2] = HALVES_LOW(high01, high23);
    x[3] = HALVES_HIGH(high01, high23);
}

/* x[LANES] becomes its transpose: lane j of vector i goes to lane i of vector j. */
INLINE void vec_transpose(vf *x)
{
    UNROLL
    for (size_t row = 0; row < 4; row++)
        transpose_groups(x, row);
    UNROLL
    for (size_t row = 0; row < LANES; row += 4)
        transpose_neighbours(x + row);
}

/* ---- points: complex floats in memory ---------------------------------------------------- */

/*
 * LANES points, point i in the lane that OF_FOURS gives it, and back. NEON separates re and im
 * while it loads and stores, in one instruction.
 */
#ifdef __ARM_NEON
INLINE struct cvec vec_load_points(const void *at)
{
    const float32x4x2_t points = vld2q_f32(at);
    return (struct cvec){(vf)points.val[0], (vf)points.val[1]};
}

INLINE void vec_store_points(void *at, struct cvec v)
{
    const float32x4x2_t points = {{(float32x4_t)v.re, (float32x4_t)v.im}};
    vst2q_f32(at, points);
}
#else
INLINE struct cvec vec_load_points(const void *at)
{
    const vf a = ((const raw_floats *)at)[0], b = ((const raw_floats *)at)[1];
    return (struct cvec){EVENS_OF_FOURS(a, b), ODDS_OF_FOURS(a, b)};
}

INLINE void vec_store_points(void *at, struct cvec v)
{
    ((raw_floats *)at)[0] = PAIRS_LOW(v.re, v.im);
    ((raw_floats *)at)[1] = PAIRS_HIGH(v.re, v.im);
}
#endif

/* The same of two transforms, LANES / 2 points of each, one after the other. */
INLINE struct cvec vec_load_halves(const void *low, const void *high)
{
    const vf a = *(const raw_floats *)low, b = *(const raw_floats *)high;
    return (struct cvec){EVENS_OF_FOURS(a, b), ODDS_OF_FOURS(a, b)};
}

/* Of four transforms. */
#if CPU_LANES == 16
typedef float raw_half
    __attribute__((vector_size(sizeof(float) * CPU_LANES / 2), aligned(4), may_alias));

INLINE vf vec_join(const void *low, const void *high)
{
    return SHUFFLE(*(const raw_half *)low, *(const raw_half *)high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                   10, 11, 12, 13, 14, 15);
}

INLINE struct cvec vec_load_quarters(const void *p0, const void *p1, const void *p2, const void *p3)
{
    const vf a = vec_join(p0, p1), b = vec_join(p2, p3);
    return (struct cvec){EVENS_OF_FOURS(a, b), ODDS_OF_FOURS(a, b)};
}
#endif

/* ---- raw samples ------------------------------------------------------------------------ */

/*
 * The lower and the upper half of each word, with their signs, as floats. x86 multiplies pairs of
 * halves and adds them: one instruction where shifting takes two, and not for the units that
 * convert and add.
 */
#if defined __x86_64__ && CPU_LANES == 16
#define VEC_MADD(words, pairs) ((vi)_mm512_madd_epi16((__m512i)(words), _mm512_set1_epi32(pairs)))
#elif defined __x86_64__ && CPU_LANES == 8
#define VEC_MADD(words, pairs) ((vi)_mm256_madd_epi16((__m256i)(words), _mm256_set1_epi32(pairs)))
#elif defined __x86_64__
#define VEC_MADD(words, pairs) ((vi)_mm_madd_epi16((__m128i)(words), _mm_set1_epi32(pairs)))
#endif
#ifdef VEC_MADD
#define LOWER_HALVES(words) __builtin_convertvector(VEC_MADD(words, 0x00000001), vf)
#define UPPER_HALVES(words) __builtin_convertvector(VEC_MADD(words, 0x00010000), vf)
#elif defined __ARM_NEON /* its conversion divides by 2^16, too */
#define LOWER_HALVES(words) ((vf)vcvtq_n_f32_s32((int32x4_t)((words) << 16), 16))
#define UPPER_HALVES(words) __builtin_convertvector((words) >> 16, vf)
#else
#define LOWER_HALVES(words) __builtin_convertvector(((words) << 16) >> 16, vf)
#define UPPER_HALVES(words) __builtin_convertvector((words) >> 16, vf)
#endif

/*
 * Bytes to floats without a conversion: 0x4700vv00 is the float 32768 + v, exactly. A signed byte
 * with its sign bit inverted is v + 128. So conversions of bytes load the units that add no more
 * than those of words, and the results are the same to the bit.
 */
#if defined __x86_64__ && CPU_LANES >= 8
#define VEC_BYTES 1

INLINE struct cvec vec_unpack_bytes(bool is_signed, const char *at)
{
    const int32_t exponent = is_signed ? 0x47008000 : 0x47000000;
    const float zero = is_signed ? 32768 + 128 : 32768 + 127.5F;
#if CPU_LANES == 16
    const __m512i words = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i_u *)at));
    const __m512i byte = _mm512_set1_epi32(0xff00), high = _mm512_set1_epi32(exponent);
    enum { AND_XOR = 0x6a }; /* (a & b) ^ c */
    const vf re = (vf)_mm512_ternarylogic_epi32(_mm512_slli_epi32(words, 8), byte, high, AND_XOR);
    const vf im = (vf)_mm512_ternarylogic_epi32(words, byte, high, AND_XOR);
#else
    /* Both halves have all samples; the lower one takes four, the upper one the other four. */
    const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i_u *)at));
    const __m256i high = _mm256_set1_epi32(exponent);
#define WORD(i)  -1, i, -1, -1
#define WORDS(i) WORD(i), WORD((i) + 2), WORD((i) + 4), WORD((i) + 6)
    const __m256i re_at = _mm256_setr_epi8(WORDS(0), WORDS(8));
    const __m256i im_at = _mm256_setr_epi8(WORDS(1), WORDS(9));
#undef WORDS
#undef WORD
    const vf re = (vf)_mm256_xor_si256(_mm256_shuffle_epi8(both, re_at), high);
    const vf im = (vf)_mm256_xor_si256(_mm256_shuffle_epi8(both, im_at), high);
#endif
    return (struct cvec){re - zero, im - zero};
}
#endif

/*
 * LANES samples from index i, in raw units minus the format's zero; format is a constant. Sample i
 * of cf32 is in lane cpu_lane_of_point(i) of cpu_lanes.h: the cheaper shuffle leaves it there.
 * Those of the other formats are in order.
 */
INLINE struct cvec vec_unpack(enum fft_iq_format format, const void *raw, size_t i)
{
    const char *at = (const char *)raw + i * (format == FFT_IQ_CF32   ? 8
                                              : format == FFT_IQ_CS16 ? 4
                                                                      : 2);
    if (format == FFT_IQ_CF32)
        return vec_load_points(at);
#ifdef VEC_BYTES
    if (format != FFT_IQ_CS16)
        return vec_unpack_bytes(format == FFT_IQ_CS8, at);
#endif
    /* A word contains a sample: its re in the lower half. */
    const vi words = format == FFT_IQ_CS16 ? (vi) * (const raw_words *)at
                     : format == FFT_IQ_CS8
                         ? (vi) __builtin_convertvector(*(const raw_chars *)at, vs)
                         : (vi) __builtin_convertvector(*(const raw_bytes *)at, vs);
    const float zero = format == FFT_IQ_CU8 ? 127.5F : 0;
    return (struct cvec){LOWER_HALVES(words) - zero, UPPER_HALVES(words) - zero};
}

#endif
