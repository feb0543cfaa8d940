/*
 * cpu_density.c - one frame's level in every column; compiled once for each instruction set.
 *
 * Every power becomes a row at once, so that all that follows works on bytes: the rows
 * are put into the order of the bins, and a column's row is the least of its bins'. The least of
 * window bins from each bin on takes log2(window) steps over all bins; a column is the union of two
 * such windows. With more than 256 levels, rows have 16 bits.
 */
#include "fft/cpu/base/cpu_vec.h"
#include "fft/cpu/spectrum/cpu_density_rows.h"
#include "fft/cpu/spectrum/cpu_kernel.h"

void CPU_SYMBOL(density)(const struct density_map *map, const float *powers, void *scratch,
                         void *levels);

/* ---- bins ------------------------------------------------------------------------------- */

/* Elements of a and b in turn: the first half, and the second. */
#if defined __x86_64__ && CPU_LANES == 16
typedef __m512i vector;
#define LOAD(p)                  _mm512_loadu_si512(p)
#define SPREAD(v)                _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v)
#define STORE(p, v)              _mm512_storeu_si512(p, v)
#define UNPACK(half, size, a, b) _mm512_unpack##half##_epi##size(a, b)
#elif defined __x86_64__ && CPU_LANES == 8
typedef __m256i vector;
#define LOAD(p)                  _mm256_loadu_si256((const __m256i *)(p))
#define SPREAD(v)                _mm256_permute4x64_epi64(v, 0xd8)
#define STORE(p, v)              _mm256_storeu_si256((__m256i *)(p), v)
#define UNPACK(half, size, a, b) _mm256_unpack##half##_epi##size(a, b)
#elif defined __x86_64__
typedef __m128i vector;
#define LOAD(p)                  _mm_loadu_si128((const __m128i *)(p))
#define SPREAD(v)                (v)
#define STORE(p, v)              _mm_storeu_si128((__m128i *)(p), v)
#define UNPACK(half, size, a, b) _mm_unpack##half##_epi##size(a, b)
#endif

/* A perfect shuffle: the halves of `from`, element by element. Both are 64 bytes or more. */
INLINE void shuffle(bool wide, void *to, const void *from, size_t count)
{
#ifdef UNPACK
    const size_t half = count / 2 * (wide ? 2 : 1);
    const char *a = from, *b = a + half;
    char *out = to;
    for (size_t i = 0; i < half; i += sizeof(vector), out += 2 * sizeof(vector)) {
        const vector x = SPREAD(LOAD(a + i)), y = SPREAD(LOAD(b + i));
        STORE(out, wide ? UNPACK(lo, 16, x, y) : UNPACK(lo, 8, x, y));
        STORE(out + sizeof(vector), wide ? UNPACK(hi, 16, x, y) : UNPACK(hi, 8, x, y));
    }
#else
    for (size_t i = 0; i < count / 2; i++)
        if (wide) {
            ((uint16_t *)to)[2 * i] = ((const uint16_t *)from)[i];
            ((uint16_t *)to)[2 * i + 1] = ((const uint16_t *)from)[i + count / 2];
        } else {
            ((uint8_t *)to)[2 * i] = ((const uint8_t *)from)[i];
            ((uint8_t *)to)[2 * i + 1] = ((const uint8_t *)from)[i + count / 2];
        }
#endif
}

INLINE void exchange(void **a, void **b)
{
    void *const first = *a;
    *a = *b;
    *b = first;
}

/* Shuffles that reverse the order of the powers: each of every `length` rows. */
struct shuffles {
    uint32_t rows, inner; /* those left */
};

INLINE size_t shuffle_length(const struct density_map *map, struct shuffles left)
{
    return left.inner > 1 ? map->n / map->order.rows : map->n;
}

INLINE void drop_shuffle(struct shuffles *left)
{
    if (left->inner > 1)
        left->inner /= 2;
    else
        left->rows /= 2;
}

/* The rows in the order of the bins; `rows` and `spare` change places. */
INLINE void find_ordered_rows(bool wide, const struct density_map *map, const float *powers,
                              void **rows, void **spare)
{
    const size_t size = wide ? sizeof(uint16_t) : sizeof(uint8_t);
    struct shuffles left = {map->order.rows, map->order.inner};
    if (!wide && HAS_PAIRS && left.rows * left.inner > 1) {
        find_shuffled_rows(map, powers, *rows, shuffle_length(map, left));
        drop_shuffle(&left);
    } else {
        find_rows(wide, map, powers, *rows, DENSITY_BLOCK);
    }
    for (; left.rows * left.inner > 1; drop_shuffle(&left)) {
        const size_t length = shuffle_length(map, left);
        for (size_t at = 0; at < map->n; at += length)
            shuffle(wide, (char *)*spare + at * size, (const char *)*rows + at * size, length);
        exchange(rows, spare);
    }
}

/* ---- columns ---------------------------------------------------------------------------- */

/* to[i] is the least of from[i] and from[i + ahead]. */
INLINE void least_of_pairs(bool wide, void *to, const void *from, size_t count, size_t ahead)
{
    if (wide) {
        uint16_t *restrict out = to;
        const uint16_t *a = from, *b = a + ahead;
        for (size_t i = 0; i < count; i++)
            out[i] = a[i] < b[i] ? a[i] : b[i];
    } else {
        uint8_t *restrict out = to;
        const uint8_t *a = from, *b = a + ahead;
        for (size_t i = 0; i < count; i++)
            out[i] = a[i] < b[i] ? a[i] : b[i];
    }
}

/* Row i becomes the least of rows i .. i + window - 1. */
INLINE void find_windows(bool wide, const struct density_map *map, void **rows, void **spare)
{
    size_t count = map->n;
    for (uint32_t w = 1; w < map->window; w *= 2) {
        count -= w;
        least_of_pairs(wide, *spare, *rows, count, w);
        exchange(rows, spare);
    }
}

/* levels: of column 0; a block of columns is `stride` rows after the one before. */
INLINE void pick_columns(bool wide, const struct density_map *map, const void *rows, void *levels,
                         size_t stride)
{
    const uint32_t *first = map->first, window = map->window, columns = map->columns;
    const uint16_t *words = rows;
    const uint8_t *bytes = rows;
    for (uint32_t c = 0; c < columns; c++) {
        const uint32_t a = first[c], b = first[c + 1] - window;
        const size_t at = c / DENSITY_BLOCK * stride + c % DENSITY_BLOCK;
        if (wide)
            ((uint16_t *)levels)[at] = words[a] < words[b] ? words[a] : words[b];
        else
            ((uint8_t *)levels)[at] = bytes[a] < bytes[b] ? bytes[a] : bytes[b];
    }
}

#ifdef __AVX2__
INLINE __m256i two_parts(const uint8_t *rows, const struct density_pick *pick, size_t part)
{
    const __m128i low = _mm_loadu_si128((const void *)(rows + pick->from[part]));
    const __m128i high = _mm_loadu_si128((const void *)(rows + pick->from[part + 1]));
    const __m256i bins = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    return _mm256_shuffle_epi8(bins, _mm256_loadu_si256((const void *)pick->at[part]));
}

/* PICK_PARTS * PICK_COLUMNS columns. Where a group lacks a window, the shuffle gives 0. */
INLINE __m256i pick_some(uint32_t groups, const struct density_pick *pick, const uint8_t *rows)
{
    __m256i a = two_parts(rows, pick, 0), b = two_parts(rows, pick, 2);
    for (uint32_t group = 1; group < groups; group++) {
        a = _mm256_or_si256(a, two_parts(rows, pick + group, 0));
        b = _mm256_or_si256(b, two_parts(rows, pick + group, 2));
    }
    return _mm256_min_epu8(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

INLINE void pick_parts(uint32_t groups, const struct density_map *map, const uint8_t *rows,
                       uint8_t *levels, size_t stride)
{
    enum { SOME = PICK_PARTS * PICK_COLUMNS };
    const struct density_pick *pick = map->picks;
    const uint32_t columns = map->columns;
    for (uint32_t c = 0; c < columns; c += DENSITY_BLOCK, levels += stride) {
        UNROLL
        for (uint32_t i = 0; i < DENSITY_BLOCK; i += SOME, pick += groups)
            if (c + i < columns)
                _mm256_storeu_si256((void *)(levels + i), pick_some(groups, pick, rows));
    }
}

static void pick_by_shuffles(const struct density_map *map, const uint8_t *rows, uint8_t *levels,
                             size_t stride)
{
    if (map->groups == 1)
        pick_parts(1, map, rows, levels, stride);
    else
        pick_parts(map->groups, map, rows, levels, stride);
}
#define HAS_PICKS true
#else
#define HAS_PICKS false
static void pick_by_shuffles(const struct density_map *map, const uint8_t *rows, uint8_t *levels,
                             size_t stride)
{
    pick_columns(false, map, rows, levels, stride);
}
#endif

INLINE void find_levels(bool wide, const struct density_map *map, const float *powers,
                        void *scratch, void *levels)
{
    const size_t stride = (size_t)map->frames * DENSITY_BLOCK;
    void *rows = scratch, *spare = (char *)scratch + cpu_density_scratch_bytes(map) / 2;

    if (map->column_of) { /* one bin a column */
        find_rows(wide, map, powers, levels, stride);
        return;
    }
    find_ordered_rows(wide, map, powers, &rows, &spare);
    find_windows(wide, map, &rows, &spare);
    if (!wide && map->picks && HAS_PICKS)
        pick_by_shuffles(map, rows, levels, stride);
    else
        pick_columns(wide, map, rows, levels, stride);
}

void CPU_SYMBOL(density)(const struct density_map *map, const float *powers, void *scratch,
                         void *levels)
{
    if (map->wide)
        find_levels(true, map, powers, scratch, levels);
    else
        find_levels(false, map, powers, scratch, levels);
}
