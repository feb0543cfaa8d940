/*
 * cpu_density_rows.h - the row of every power, in vectors.
 *
 * cpu_density_map.h has the formula. Compiled once for each instruction set.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_ROWS_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_ROWS_H

#include "fft/cpu/base/cpu_vec.h"
#include "fft/cpu/spectrum/cpu_density_map.h"

enum { VECTORS = 4, BLOCK = VECTORS * LANES }; /* powers whose rows are computed together */

/*
 * Vector v of a block is at from[v % 2] + v / 2 * step. Consecutive: its rows are in the order of
 * the vectors. In pairs: the rows of from[0] and from[1] take turns, which packing does for free.
 */
struct block_powers {
    const float *from[2];
    size_t step;
    bool pairs;
};

INLINE struct block_powers consecutive(const float *powers)
{
    return (struct block_powers){{powers, powers + LANES}, (size_t)2 * LANES, false};
}

INLINE struct block_powers paired(const float *first, const float *second)
{
    return (struct block_powers){{first, second}, LANES, true};
}

INLINE const float *vector_at(const struct block_powers *b, size_t v)
{
    return b->from[v % 2] + v / 2 * b->step;
}

/* In vectors, where a store to the rows cannot change it. */
struct curve {
    vf at[DENSITY_CURVE], line, least, most;
    vi far_bits;
    uint8_t last; /* row */
};

INLINE struct curve load_curve(const struct density_map *map)
{
    const vf zero = {0};
    struct curve c;
    UNROLL
    for (size_t i = 0; i < DENSITY_CURVE; i++)
        c.at[i] = zero + map->curve[i];
    c.line = zero + map->line;
    c.least = zero + map->least;
    c.most = zero + map->most;
    c.far_bits = (vi){0} + map->far_bits;
    c.last = (uint8_t)(map->levels - 1);
    return c;
}

/* x + near in fixed point (cpu_density_map.h). Only wide rows are clamped yet. */
INLINE vi fixed_rows(bool wide, const struct curve *c, vi bits)
{
    const int32_t one = 0x3f800000, mantissa = 0x007fffff;
    const vf m = (vf)((bits & mantissa) | one);
    vf x = m * c->at[5] + c->at[4];
    UNROLL
    for (size_t i = 4; i-- > 0;)
        x = x * m + c->at[i];
    x = __builtin_convertvector(bits, vf) * c->line + x;
    if (wide)
        x = VEC_MAX(VEC_MIN(x, c->most), c->least);
    return __builtin_convertvector(x, vi);
}

/* Whether a lane of x[VECTORS] has none of these bits. */
INLINE bool any_near(const vi *x, vi far_bits)
{
#if defined __x86_64__ && CPU_LANES == 16
    const __m512i bits = (__m512i)far_bits;
    __mmask16 far = _mm512_test_epi32_mask((__m512i)x[0], bits);
    far = _mm512_mask_test_epi32_mask(far, (__m512i)x[1], bits);
    far = _mm512_mask_test_epi32_mask(far, (__m512i)x[2], bits);
    far = _mm512_mask_test_epi32_mask(far, (__m512i)x[3], bits);
    return far != 0xffff;
#elif defined __x86_64__ && CPU_LANES == 8
    const __m256i a = _mm256_min_epi32((__m256i)(x[0] & far_bits), (__m256i)(x[1] & far_bits));
    const __m256i b = _mm256_min_epi32((__m256i)(x[2] & far_bits), (__m256i)(x[3] & far_bits));
    return _mm256_movemask_ps((__m256)((vi)_mm256_min_epi32(a, b) == 0)) != 0;
#else
    const vi near = ((x[0] & far_bits) == 0) | ((x[1] & far_bits) == 0) | ((x[2] & far_bits) == 0) |
                    ((x[3] & far_bits) == 0);
#ifdef __x86_64__
    return _mm_movemask_ps((__m128)near) != 0;
#else
    return (near[0] | near[1] | near[2] | near[3]) != 0;
#endif
#endif
}

typedef uint8_t narrow_rows __attribute__((vector_size(CPU_LANES), aligned(1), may_alias));
typedef uint16_t wide_rows __attribute__((vector_size(2 * CPU_LANES), aligned(2), may_alias));

/* x[VECTORS] as bytes 0 .. last. */
INLINE void put_bytes(uint8_t *rows, const vi *x, uint8_t last)
{
#if defined __x86_64__ && CPU_LANES == 16
    const __m512i low = _mm512_packs_epi32((__m512i)x[0], (__m512i)x[1]);
    const __m512i high = _mm512_packs_epi32((__m512i)x[2], (__m512i)x[3]);
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i all = _mm512_permutexvar_epi32(order, _mm512_packus_epi16(low, high));
    _mm512_storeu_si512(rows, _mm512_min_epu8(all, _mm512_set1_epi8((char)last)));
#elif defined __x86_64__ && CPU_LANES == 8
    const __m256i low = _mm256_packs_epi32((__m256i)x[0], (__m256i)x[1]);
    const __m256i high = _mm256_packs_epi32((__m256i)x[2], (__m256i)x[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i all = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
    _mm256_storeu_si256((void *)rows, _mm256_min_epu8(all, _mm256_set1_epi8((char)last)));
#elif defined __x86_64__
    const __m128i low = _mm_packs_epi32((__m128i)x[0], (__m128i)x[1]);
    const __m128i high = _mm_packs_epi32((__m128i)x[2], (__m128i)x[3]);
    _mm_storeu_si128((void *)rows,
                     _mm_min_epu8(_mm_packus_epi16(low, high), _mm_set1_epi8((char)last)));
#else
    UNROLL
    for (size_t i = 0; i < VECTORS; i++) {
        const vi above = x[i] > last, within = (x[i] & ~above & (x[i] > 0)) | (above & last);
        *(narrow_rows *)(rows + i * LANES) = __builtin_convertvector(within, narrow_rows);
    }
#endif
}

#if defined __x86_64__ && CPU_LANES == 16
#define HAS_PAIRS true
INLINE void put_pairs(uint8_t *rows, const vi *fixed, uint8_t last)
{
    const __m512i a = _mm512_mask_blend_epi16(
        0xaaaaaaaa, _mm512_srli_epi32((__m512i)fixed[0], ROW_BITS), (__m512i)fixed[1]);
    const __m512i b = _mm512_mask_blend_epi16(
        0xaaaaaaaa, _mm512_srli_epi32((__m512i)fixed[2], ROW_BITS), (__m512i)fixed[3]);
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i all = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b));
    _mm512_storeu_si512(rows, _mm512_min_epu8(all, _mm512_set1_epi8((char)last)));
}
#elif defined __x86_64__ && CPU_LANES == 8
#define HAS_PAIRS true
INLINE void put_pairs(uint8_t *rows, const vi *fixed, uint8_t last)
{
    const __m256i a =
        _mm256_blend_epi16(_mm256_srli_epi32((__m256i)fixed[0], ROW_BITS), (__m256i)fixed[1], 0xaa);
    const __m256i b =
        _mm256_blend_epi16(_mm256_srli_epi32((__m256i)fixed[2], ROW_BITS), (__m256i)fixed[3], 0xaa);
    const __m256i all = _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8);
    _mm256_storeu_si256((void *)rows, _mm256_min_epu8(all, _mm256_set1_epi8((char)last)));
}
#else
#define HAS_PAIRS false
INLINE void put_pairs(uint8_t *rows, const vi *fixed, uint8_t last)
{
    (void)rows, (void)fixed, (void)last;
}
#endif

INLINE void put_rows(bool wide, bool pairs, void *rows, const vi *fixed, uint8_t last)
{
    vi x[VECTORS];
    if (pairs) {
        put_pairs(rows, fixed, last);
        return;
    }
    UNROLL
    for (size_t i = 0; i < VECTORS; i++)
        x[i] = fixed[i] >> ROW_BITS;
    if (!wide) {
        put_bytes(rows, x, last);
        return;
    }
    UNROLL
    for (size_t i = 0; i < VECTORS; i++)
        *(wide_rows *)((uint16_t *)rows + i * LANES) = __builtin_convertvector(x[i], wide_rows);
}

/* By the thresholds; `row` is mostly right or one more, which no processor predicts. */
static uint32_t exact_row(const struct density_map *map, float power, uint32_t row)
{
    row -= row > 0 && !(power <= map->thresholds[row]) ? 1 : 0;
    while (row > 0 && !(power <= map->thresholds[row]))
        row--;
    while (row + 1 < map->levels && power <= map->thresholds[row + 1])
        row++;
    return row;
}

/* The lanes of x with none of these bits, as bits. */
INLINE uint32_t near_lanes(vi x, vi far_bits)
{
#if defined __x86_64__ && CPU_LANES == 16
    return _mm512_testn_epi32_mask((__m512i)x, (__m512i)far_bits);
#elif defined __x86_64__ && CPU_LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)((x & far_bits) == 0));
#else
    uint32_t lanes = 0;
    for (size_t i = 0; i < LANES; i++)
        lanes |= (uint32_t)((x[i] & far_bits[i]) == 0) << i;
    return lanes;
#endif
}

/* The rows of a block with powers near a threshold. */
static __attribute__((noinline)) void decide_rows(const struct density_map *map,
                                                  const struct block_powers *b, void *rows,
                                                  const vi *fixed)
{
    const int32_t last = (int32_t)map->levels - 1;
    const vi far_bits = (vi){0} + map->far_bits;
    uint64_t left = 0;
    UNROLL
    for (size_t v = 0; v < VECTORS; v++)
        left |= (uint64_t)near_lanes(fixed[v], far_bits) << v * LANES;
    for (; left; left &= left - 1) {
        const size_t i = (size_t)__builtin_ctzll(left), v = i / LANES, lane = i % LANES;
        const size_t at = b->pairs ? 2 * (v / 2 * LANES + lane) + v % 2 : i;
        const int32_t row = ((const int32_t *)fixed)[i] >> ROW_BITS;
        const uint32_t exact = exact_row(map, vector_at(b, v)[lane],
                                         (uint32_t)(row < 0      ? 0
                                                    : row < last ? row
                                                                 : last));
        if (map->wide)
            ((uint16_t *)rows)[at] = (uint16_t)exact;
        else
            ((uint8_t *)rows)[at] = (uint8_t)exact;
    }
}

INLINE void find_block(bool wide, const struct density_map *map, const struct curve *curve,
                       const struct block_powers *b, void *rows)
{
    vi fixed[VECTORS];
    UNROLL
    for (size_t v = 0; v < VECTORS; v++)
        fixed[v] = fixed_rows(wide, curve, *(const vi *)vector_at(b, v));
    put_rows(wide, b->pairs, rows, fixed, curve->last);
    if (__builtin_expect(any_near(fixed, curve->far_bits), false)) {
        const struct block_powers where = *b;
        vi copy[VECTORS]; /* so that `fixed` stays in registers */
        UNROLL
        for (size_t v = 0; v < VECTORS; v++)
            copy[v] = fixed[v];
        decide_rows(map, &where, rows, copy);
    }
}

/* Rows follow each other within a block of columns; the next block's are `stride` rows later. */
INLINE void find_rows(bool wide, const struct density_map *map, const float *powers, void *to,
                      size_t stride)
{
    const struct curve curve = load_curve(map);
    const size_t n = map->n, size = wide ? sizeof(uint16_t) : sizeof(uint8_t);
    for (size_t at = 0; at < n; at += BLOCK) {
        const struct block_powers b = consecutive(powers + at);
        void *rows = (char *)to + (at / DENSITY_BLOCK * stride + at % DENSITY_BLOCK) * size;
        find_block(wide, map, &curve, &b, rows);
    }
}

/* The same, with a perfect shuffle of every `length` rows: their halves take turns. */
INLINE void find_shuffled_rows(const struct density_map *map, const float *powers, uint8_t *rows,
                               size_t length)
{
    const struct curve curve = load_curve(map);
    const size_t half = length / 2;
    for (size_t at = 0; at < map->n; at += length)
        for (size_t i = 0; i < half; i += BLOCK / 2) {
            const struct block_powers b = paired(powers + at + i, powers + at + half + i);
            find_block(false, map, &curve, &b, rows + at + 2 * i);
        }
}

#endif
