/* cpu_columns_plan.c - the levels of a frame and their twiddles. */
#include "fft/cpu/spectrum/cpu_columns.h"

#include <errno.h>

#include "fft/twiddle.h"

enum { WHOLE_TABLE_MAX_N = 32768 }; /* a table of 8 n bytes should stay in L2 */

bool CPU_SYMBOL(columns_can)(uint32_t n)
{
    return n >= LEAF && n / LEAF <= MAX_RADIX * MAX_RADIX;
}

/* Above 16 in two steps: 4 x 8, 8 x 8, 8 x 16, 16 x 16. */
static struct level split(uint32_t radix, uint32_t columns)
{
    struct level level = {.radix = radix, .a = radix, .b = 1, .blocks = columns / LANES};
    if (radix > 16) {
        level.a = radix == 32 ? 4 : radix == 256 ? 16 : 8;
        level.b = radix / level.a;
    }
    return level;
}

static float *put(float *at, uint64_t k, uint64_t n)
{
    const struct root w = fft_twiddle(k, n);
    at[0] = (float)w.re;
    at[1] = (float)w.im;
    return at + 2;
}

static int fill_inner(struct level *level, struct cpu_arena *memory)
{
    float *at = level->inner = cpu_arena_take(memory, 2 * sizeof *at * level->radix);
    if (!at)
        return -ENOMEM;
    for (uint64_t q = 0; q < level->b; q++)
        for (uint64_t k = 1; k < level->a; k++)
            at = put(at, q * k, level->radix);
    return 0;
}

/* w_n^(LANES b k): w_n^(column k) without the lane's factor, which the leaf applies. */
static int fill_outer(struct level *level, struct cpu_arena *memory)
{
    const uint64_t n = (uint64_t)level->radix * level->blocks;
    float *at = level->outer = cpu_arena_take(memory, 2 * sizeof *at * (size_t)n);
    if (!at)
        return -ENOMEM;
    for (uint64_t block = 0; block < level->blocks; block++)
        for (uint64_t i = level->b == 1; i < level->radix; i++) { /* a single step's first is 1 */
            const uint64_t k = i / level->b + i % level->b * level->a; /* b = 1: k = i */
            at = put(at, block * k, n);
        }
    return 0;
}

static int fill_level(struct level *level, struct cpu_arena *memory)
{
    int err = level->b != 1 ? fill_inner(level, memory) : 0;
    if (err == 0 && level->radix > 1)
        err = fill_outer(level, memory);
    return err;
}

static void put_lanes(struct cvec *to, bool by_fours, uint64_t k, uint64_t n)
{
    for (uint64_t column = 0; column < LANES; column++) {
        const struct root w = fft_twiddle(column * k, n);
        const size_t lane = lane_of_column(by_fours, (size_t)column);
        to->re[lane] = (float)w.re;
        to->im[lane] = (float)w.im;
    }
}

/* Leaf (r, c) has the outputs k = r + R (c + R2 k'); see cpu_columns.c. */
static int fill_lanes(struct columns_plan *p, uint64_t n, struct cpu_arena *memory)
{
    const uint64_t leaves = n / LEAF, each = p->whole_table ? LEAF_ROWS : 1;
    struct cvec *at = p->lanes = cpu_arena_take(memory, (size_t)(leaves * each) * sizeof *at);
    if (!at)
        return -ENOMEM;
    for (uint64_t r = 0; r < p->first.radix; r++)
        for (uint64_t c = 0; c < p->second.radix; c++)
            for (uint64_t i = 0; i < each; i++)
                put_lanes(at++, p->by_fours, r + p->first.radix * c + leaves * i, n);
    return 0;
}

/*
 * The first level has 64 rows while the second one's rows stay in L1 (16 leaves), then as many as
 * its scratch allows. 1: no second level.
 */
static uint32_t choose_second(uint32_t radix)
{
    if (radix <= MAX_FIRST)
        return 1;
    const uint32_t second = radix / 64 < 16 ? radix / 64 : 16;
    return radix / second > MAX_FIRST ? radix / MAX_FIRST : second;
}

/* The factors of the lanes, with those of `leaf` included or not; the outer and inner twiddles. */
size_t CPU_SYMBOL(columns_plan_bytes)(uint32_t n)
{
    enum { BLOCKS = 8 }; /* each is padded */
    const size_t lanes = n <= WHOLE_TABLE_MAX_N ? n : n / LEAF_ROWS, outer = 2 * (size_t)n / LANES;
    const size_t inner = (size_t)2 * MAX_RADIX, leaf = LEAF;
    return 2 * sizeof(float) * (lanes + outer + inner + leaf) + BLOCKS * sizeof(struct cvec) * 8;
}

int CPU_SYMBOL(columns_plan_init)(struct columns_plan *p, uint32_t n, bool by_fours,
                                  struct cpu_arena *memory)
{
    uint32_t rest = n / LEAF; /* radix of both levels together */
    const uint32_t second = choose_second(rest);

    p->by_fours = by_fours;
    p->second = split(second, LEAF);
    p->first = split(rest / second, second * LEAF);
    p->whole_table = second == 1 && n <= WHOLE_TABLE_MAX_N;
    p->row_stride = p->first.blocks + 1;

    int err = fill_level(&p->first, memory);
    if (err == 0)
        err = fill_level(&p->second, memory);
    if (err == 0)
        err = fill_lanes(p, n, memory);
    p->leaf = cpu_arena_take(memory, LEAF_ROWS * sizeof *p->leaf);
    if (!p->leaf)
        return -ENOMEM;
    for (uint64_t k = 0; k < LEAF_ROWS; k++)
        put_lanes(&p->leaf[k], by_fours, k, LEAF);
    return err;
}
