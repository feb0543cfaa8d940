/*
 * cpu_density_planes.c - counts the levels of several frames, in vectors; compiled once for each
 * instruction set.
 *
 * A counter in memory takes a load, an addition and a store for each hit. Here a byte has 8 rows
 * of a column: two look-ups in tables of 16 bytes make a hit within 16 rows a bit of one of two
 * bytes, for 32 or 64 columns at once. Such bytes are added as carry-save adders do: bit r of
 * plane p is bit p of the count of row r, and full adders compress 16 frames into the planes. At
 * the end, the planes are transposed to bytes, and these are added to the counters. There is one
 * such pass for every 16 rows that a block of columns needs; the hits in rows after those are
 * counted one by one if they are few.
 */
#include "fft/cpu/spectrum/cpu_density_bytes.h"
#include "fft/cpu/spectrum/cpu_density_map.h"

void CPU_SYMBOL(density_count)(const struct density_map *map, const void *levels, uint32_t frames,
                               uint32_t *hits);

#ifdef DENSITY_BYTES

enum {
    BLOCK = DENSITY_BLOCK,
    VECTOR_BYTES = sizeof(bytes),
    LANE_BYTES = 16, /* which unpacking leaves apart */
    PLANES = 8,
    HALVES = 2, /* bytes of a range */
    STEP = 16
};

/* Columns whose rows are together. */
struct block {
    uint32_t columns, frames;
    const uint8_t *rows; /* [frames][BLOCK] */
    uint64_t valid;      /* bit i: there is a column i */
    uint8_t least[BLOCK], most[BLOCK];
    uint32_t ranges;           /* from each column's least row to its greatest one, at most */
    uint32_t *counters[BLOCK]; /* of those least rows */
};

static void find_extent(struct block *b)
{
    for (size_t at = 0; at < BLOCK; at += VECTOR_BYTES) {
        bytes least = BYTES_ALL(255), most = BYTES_ALL(0);
        for (uint32_t frame = 0; frame < b->frames; frame++) {
            const bytes row = bytes_load(b->rows + (size_t)frame * BLOCK + at);
            least = bytes_min(least, row);
            most = bytes_max(most, row);
        }
        bytes_store(b->least + at, least);
        bytes_store(b->most + at, most);
    }
}

static void init_block(struct block *b, const struct density_map *map, const void *levels,
                       uint32_t first, uint32_t frames, uint32_t *hits)
{
    const uint32_t left = map->columns - first, columns = left < BLOCK ? left : BLOCK;
    b->columns = columns;
    b->frames = frames;
    b->rows = (const uint8_t *)levels + cpu_density_level_at(map, first, 0);
    b->valid = ~(uint64_t)0 >> (BLOCK - columns);
    find_extent(b);
    b->ranges = 1;
    for (uint32_t c = 0; c < columns; c++) {
        const uint32_t ranges = (uint32_t)(b->most[c] - b->least[c]) / RANGE + 1;
        b->ranges = ranges > b->ranges ? ranges : b->ranges;
        b->counters[c] = cpu_density_counters(map, first + c, hits) + b->least[c];
        __builtin_prefetch(b->counters[c], 1);
    }
}

/* ---- far hits --------------------------------------------------------------------------- */

/* The columns of a frame whose row is after the first `ranges` ranges. */
INLINE uint64_t far_columns(const struct block *b, uint32_t frame, uint32_t ranges)
{
    const bytes limit = BYTES_ALL(ranges * RANGE);
    uint64_t far = 0;
    for (size_t at = 0; at < BLOCK; at += VECTOR_BYTES) {
        const bytes row = bytes_load(b->rows + (size_t)frame * BLOCK + at);
        far |= bytes_from(bytes_subtract(row, bytes_load(b->least + at)), limit) << at % 64;
    }
    return far & b->valid;
}

static uint32_t count_far(const struct block *b, uint32_t ranges, uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t frame = 0; frame < b->frames; frame += step)
        count += (uint32_t)__builtin_popcountll(far_columns(b, frame, ranges));
    return count;
}

/* So many ranges that few hits are left: noise is seldom weak. */
static uint32_t choose_ranges(const struct block *b)
{
    enum { SAMPLE = 13, FEW = 64, MANY = 16 }; /* one of this number */
    const uint32_t sampled = (b->frames + SAMPLE - 1) / SAMPLE * b->columns;
    uint32_t ranges = 1;
    while (ranges < b->ranges && count_far(b, ranges, SAMPLE) > sampled / FEW)
        ranges++;
    while (ranges < b->ranges && count_far(b, ranges, 1) > b->frames * b->columns / MANY)
        ranges++;
    return ranges;
}

/* Lists the frames first: no processor predicts which ones have far hits. */
static void add_far(const struct block *b, uint32_t ranges)
{
    uint64_t far[DENSITY_FRAMES];
    const uint8_t *rows[DENSITY_FRAMES];
    size_t count = 0;
    for (uint32_t frame = 0; frame < b->frames; frame++) {
        far[count] = far_columns(b, frame, ranges);
        rows[count] = b->rows + (size_t)frame * BLOCK;
        count += far[count] != 0;
    }
    for (size_t i = 0; i < count; i++)
        for (uint64_t left = far[i]; left; left &= left - 1) {
            const uint32_t c = (uint32_t)__builtin_ctzll(left);
            b->counters[c][rows[i][c] - b->least[c]]++;
        }
}

/* ---- planes ----------------------------------------------------------------------------- */

struct range_planes {
    bytes half[HALVES][PLANES];
};

struct pair {
    bytes half[HALVES];
};

/* Bit (row - first) of the two bytes; none outside of the range. */
INLINE struct pair hits_of(const uint8_t *rows, bytes first, const struct pair *tables)
{
    const bytes index = bytes_index(bytes_subtract(bytes_load(rows), first));
    return (struct pair){
        {bytes_look_up(tables->half[0], index), bytes_look_up(tables->half[1], index)}};
}

/* Plane p becomes the sum bit of three words; returns the carry. */
INLINE struct pair add(struct range_planes *to, size_t p, struct pair a, struct pair b)
{
    struct pair carry;
    UNROLL
    for (size_t h = 0; h < HALVES; h++) {
        const bytes sum = to->half[h][p];
        carry.half[h] = bits_majority(a.half[h], b.half[h], sum);
        to->half[h][p] = bits_xor3(a.half[h], b.half[h], sum);
    }
    return carry;
}

INLINE void add_carry(struct range_planes *to, size_t from, struct pair carry)
{
    UNROLL
    for (size_t p = from; p < PLANES; p++) {
        UNROLL
        for (size_t h = 0; h < HALVES; h++) {
            const bytes next = to->half[h][p] & carry.half[h];
            to->half[h][p] ^= carry.half[h];
            carry.half[h] = next;
        }
    }
}

/* The carry out of 2, 4, 8, 16 frames from `rows` on, through as many planes as they need. */
INLINE struct pair add_two(struct range_planes *to, const uint8_t *rows, bytes first,
                           const struct pair *tables)
{
    return add(to, 0, hits_of(rows, first, tables), hits_of(rows + BLOCK, first, tables));
}

INLINE struct pair add_four(struct range_planes *to, const uint8_t *rows, bytes first,
                            const struct pair *tables)
{
    const struct pair a = add_two(to, rows, first, tables);
    return add(to, 1, a, add_two(to, rows + (size_t)2 * BLOCK, first, tables));
}

INLINE struct pair add_eight(struct range_planes *to, const uint8_t *rows, bytes first,
                             const struct pair *tables)
{
    const struct pair a = add_four(to, rows, first, tables);
    return add(to, 2, a, add_four(to, rows + (size_t)4 * BLOCK, first, tables));
}

INLINE struct pair add_sixteen(struct range_planes *to, const uint8_t *rows, bytes first,
                               const struct pair *tables)
{
    const struct pair a = add_eight(to, rows, first, tables);
    return add(to, 3, a, add_eight(to, rows + (size_t)8 * BLOCK, first, tables));
}

INLINE void fill_planes(struct range_planes *to, const uint8_t *rows, uint32_t frames, bytes first)
{
    static const uint8_t bits[HALVES][RANGE] = {
        {1, 2, 4, 8, 16, 32, 64, 128}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128}};
    const struct pair tables = {{bytes_of_table(bits[0]), bytes_of_table(bits[1])}};
    uint32_t frame = 0;
    UNROLL
    for (size_t p = 0; p < PLANES; p++)
        to->half[0][p] = to->half[1][p] = BYTES_ALL(0);
    for (; frame + STEP <= frames; frame += STEP, rows += (size_t)STEP * BLOCK)
        add_carry(to, 4, add_sixteen(to, rows, first, &tables));
    for (; frame < frames; frame++, rows += BLOCK)
        add_carry(to, 0, hits_of(rows, first, &tables));
}

/* ---- counters --------------------------------------------------------------------------- */

/* Exchanges the bits of b that `mask` selects with those of a that are `shift` higher. */
INLINE void exchange_bits(bytes *a, bytes *b, uint64_t mask, unsigned shift)
{
    const bytes differ = ((*a >> shift) ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << shift;
}

/* Byte i of v[p], bit r, becomes byte i of v[r], bit p: from planes to counts. */
INLINE void transpose_bits(bytes *v)
{
    UNROLL
    for (size_t i = 0; i < 4; i++)
        exchange_bits(&v[i], &v[i + 4], 0x0f0f0f0f0f0f0f0f, 4);
    UNROLL
    for (size_t i = 0; i < 8; i += i % 4 ? 3 : 1)
        exchange_bits(&v[i], &v[i + 2], 0x3333333333333333, 2);
    UNROLL
    for (size_t i = 0; i < 8; i += 2)
        exchange_bits(&v[i], &v[i + 1], 0x5555555555555555, 1);
}

#define UNPACK_ALL(size, to, from, apart)                                                          \
    UNROLL                                                                                         \
    for (size_t i = 0; i < RANGE / 2; i++) {                                                       \
        const bytes x = (from)[i], y = (from)[i + (apart)];                                        \
        (to)[2 * i] = (bytes)BYTES_UNPACK(lo, size)(BYTES(x), BYTES(y));                           \
        (to)[2 * i + 1] = (bytes)BYTES_UNPACK(hi, size)(BYTES(x), BYTES(y));                       \
    }

/*
 * v[r], byte i: the count of row r in column i. In counts, RANGE bytes are the rows of a column:
 * [LANE_BYTES][VECTOR_BYTES / LANE_BYTES] columns. Four perfect shuffles of 16 vectors transpose
 * the 16 x 16 bytes of each lane.
 */
INLINE void transpose_bytes(uint8_t *counts, const bytes *v)
{
    bytes a[RANGE], b[RANGE];
    UNPACK_ALL(8, a, v, RANGE / 2)
    UNPACK_ALL(8, b, a, RANGE / 2)
    UNPACK_ALL(8, a, b, RANGE / 2)
    UNPACK_ALL(8, b, a, RANGE / 2)
    UNROLL
    for (size_t i = 0; i < RANGE; i++)
        bytes_store(counts + i * VECTOR_BYTES, b[i]);
}

INLINE size_t counts_at(size_t column)
{
    return column % LANE_BYTES * VECTOR_BYTES + column / LANE_BYTES * RANGE;
}

/* Of the columns from `at` on, rows least + from .. least + from + RANGE - 1. */
static void count_range(const struct block *b, uint32_t at, uint32_t from)
{
    const uint32_t end = b->columns < at + VECTOR_BYTES ? b->columns : at + VECTOR_BYTES;
    const bytes first = bytes_subtract(bytes_load(b->least + at), BYTES_ALL(0 - from));
    uint8_t counts[RANGE * VECTOR_BYTES] __attribute__((aligned(VECTOR_BYTES)));
    struct range_planes planes;

    for (uint32_t c = at; c < end; c++)
        __builtin_prefetch(b->counters[c] + from + RANGE, 1);
    fill_planes(&planes, b->rows + at, b->frames, first);
    for (size_t h = 0; h < HALVES; h++)
        transpose_bits(planes.half[h]);
    transpose_bytes(counts, planes.half[0]);
    for (uint32_t c = at; c < end; c++)
        if (b->least[c] + from <= b->most[c])
            counters_add(b->counters[c] + from, counts + counts_at(c - at));
}

void CPU_SYMBOL(density_count)(const struct density_map *map, const void *levels, uint32_t frames,
                               uint32_t *hits)
{
    struct block b;
    if (map->wide) {
        cpu_density_map_count(map, levels, frames, hits);
        return;
    }
    for (uint32_t first = 0; first < map->columns; first += BLOCK) {
        init_block(&b, map, levels, first, frames, hits);
        const uint32_t ranges = choose_ranges(&b);
        if (ranges < b.ranges)
            add_far(&b, ranges);
        for (uint32_t at = 0; at < b.columns; at += VECTOR_BYTES)
            for (uint32_t i = 0; i < ranges; i++)
                count_range(&b, at, i * RANGE);
    }
}

#else

void CPU_SYMBOL(density_count)(const struct density_map *map, const void *levels, uint32_t frames,
                               uint32_t *hits)
{
    cpu_density_map_count(map, levels, frames, hits);
}

#endif
