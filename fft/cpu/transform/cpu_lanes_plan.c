/* cpu_lanes_plan.c - radices and twiddles of the fast transforms. */
#include "fft/cpu/transform/cpu_lanes.h"

#include <assert.h>
#include <errno.h>

#include "fft/cpu/base/cpu_memory.h"
#include "fft/twiddle.h"

static const uint32_t odd_radices[] = {7, 5, 3, 0};

/* The factor 2^bits in passes of at most 16, as equal as can be: 2^9 as 8 8 8, not as 16 16 2. */
static void add_binary(struct radices *r, uint32_t bits)
{
    for (uint32_t passes = (bits + 3) / 4; passes > 0; passes--) {
        const uint32_t part = bits / passes;
        r->at[r->count++] = 1U << part;
        bits -= part;
    }
}

static bool choose_radices(struct radices *r, uint32_t n)
{
    const uint32_t bits = n ? (uint32_t)__builtin_ctz(n) : 0;
    const bool smooth = fft_radix_factor(r, n >> bits, odd_radices);
    add_binary(r, bits);
    return smooth && r->count > 0;
}

static float *put_root(float *at, uint64_t k, uint32_t n)
{
    const struct root w = fft_twiddle(k, n);
    *at++ = (float)w.re;
    *at++ = (float)w.im;
    return at;
}

int cpu_lanes_plan_init(struct lanes_plan *p, uint32_t n, struct cpu_arena *memory)
{
    *p = (struct lanes_plan){.n = n};
    if (!choose_radices(&p->radices, n))
        return -ENOTSUP;
    /* Pass after pass has (m - m / radix) twiddles: less than n (1 + 1/2 + 1/4 + ...) of them. */
    float *at = cpu_arena_take(memory, (size_t)n * 4 * sizeof *at);
    if (!at)
        return -ENOMEM;
    uint32_t m = n;
    for (uint32_t pass = 0; pass + 1 < p->radices.count; pass++) {
        const uint32_t radix = p->radices.at[pass];
        p->twiddles[pass] = at;
        for (uint32_t q = 0; q < m / radix; q++)
            for (uint32_t k = 1; k < radix; k++)
                at = put_root(at, (uint64_t)q * k, m);
        m /= radix;
    }
    return 0;
}

size_t cpu_rows_scratch_bytes(uint32_t n, uint32_t lanes)
{
    return (size_t)n * lanes * 4 * sizeof(float);
}

/* ---- split ------------------------------------------------------------------------------ */

enum { BEST_ROWS = 256 };          /* a block of columns stays in L1 */
enum { WHOLE_TWIDDLES = 1 << 16 }; /* points: their twiddles stay in L2 */
enum { NEAR_POINTS = 1 << 18 };    /* in arrays of 2 MiB */
enum { SHORT_POINTS = 1024, SET_POINTS = 4096 };

static uint32_t up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

/* Vectors' worth of points, idle lanes included, of a split with n1 rows. */
static uint64_t load_of(uint32_t n, uint32_t n1, uint32_t lanes)
{
    return (uint64_t)up(n1, lanes) * up(n / n1, lanes);
}

/* How far n1 is from where it should be, as a factor. */
static double distance(uint32_t n, uint32_t n1)
{
    const double square = (double)n1 * n1 / n, capped = (double)n1 / BEST_ROWS;
    const double factor = square > capped ? square : capped;
    return factor > 1 ? factor : 1 / factor;
}

/*
 * Points of a column are n2 apart in memory, results of a row n1. The more factors of 2 such a
 * stride has, the fewer sets of a cache they share. Of a length beyond L2 both strides have few,
 * and that of the results, which are more, one fewer.
 */
static uint32_t crowding(uint32_t n, uint32_t n1)
{
    const uint32_t from = (uint32_t)__builtin_ctz(n / n1), to = (uint32_t)__builtin_ctz(n1) + 1;
    return n <= WHOLE_TWIDDLES ? 0 : from > to ? from : to;
}

/* Whether a split with n1 rows has fewer idle lanes than one with `best`, or is better placed. */
static bool is_better(uint32_t n, uint32_t n1, uint32_t best, uint32_t lanes)
{
    const uint64_t load = load_of(n, n1, lanes), least = load_of(n, best, lanes);
    const uint32_t crowded = crowding(n, n1), most = crowding(n, best);
    if (load != least)
        return load < least;
    return crowded != most ? crowded < most : distance(n, n1) < distance(n, best);
}

/* Lengths that cpu_squares.c has whole. */
static bool is_short(uint32_t n, uint32_t lanes)
{
    return n == 256 || (lanes >= 8 && (n == 128 || n == 512 || n == 1024)) ||
           (n == 64 && lanes == 16);
}

/* The rows of a split whose blocks of columns are squares, 0: n has none. */
static uint32_t square_rows(uint32_t n, uint32_t lanes)
{
    if (is_short(n, lanes))
        return 16;
    return n <= WHOLE_TWIDDLES && n % (lanes * lanes) == 0 ? lanes : 0;
}

/* Transforms in a square: alone each would leave lanes idle. */
static uint32_t count_together(uint32_t n, uint32_t lanes)
{
    return square_rows(n, lanes) && n < lanes * lanes ? lanes * lanes / n : 1;
}

/* The call of a short transform costs as much as a good part of it. */
static uint32_t count_set_rows(uint32_t n)
{
    return n <= SHORT_POINTS ? SET_POINTS / n : 1;
}

/* The divisor of n with the fewest idle lanes, and among those the best placed. 0: there is none.
 */
static uint32_t choose_rows(uint32_t n, uint32_t lanes)
{
    uint32_t best = 0;
    if (square_rows(n, lanes))
        return square_rows(n, lanes);
    for (uint32_t n1 = 2; n1 <= n / 2; n1++) {
        if (n % n1 != 0)
            continue;
        if (n1 > 4 * BEST_ROWS && (uint64_t)n1 * n1 > 2 * (uint64_t)n)
            break;
        if (!best || is_better(n, n1, best, lanes))
            best = n1;
    }
    return best;
}

uint64_t cpu_split_vectors(uint32_t n, uint32_t lanes, uint64_t count)
{
    const uint32_t rows = fft_radix_is_smooth(n) ? choose_rows(n, lanes) : 0;
    const uint32_t together = count_together(n, lanes);
    return rows ? load_of(n, rows, lanes) / lanes * ((count + together - 1) / together) : 0;
}

/* One vector of w_n^(first * step), w_n^((first + 1) * step), ..., each in its point's lane. */
static void put_vector(float *vector, uint32_t n, uint32_t lanes, uint64_t first, uint64_t step)
{
    for (uint32_t i = 0; i < lanes; i++) {
        float w[2];
        put_root(w, (first + i) * step, n);
        vector[cpu_lane_of_point(i, lanes)] = w[0];
        vector[lanes + cpu_lane_of_point(i, lanes)] = w[1];
    }
}

/* Squares of 16 rows: the twiddles follow the transpose, which puts rows in the lanes. */
static void put_square_twiddles(const struct split_plan *s, float *at)
{
    for (uint32_t column = 0; column < s->n2; column++)
        for (uint32_t k1 = 0; k1 < s->n1; k1 += s->lanes, at += (size_t)s->lanes * 2)
            put_vector(at, s->n1 * s->n2, s->lanes, k1, column);
}

static void put_block_twiddles(const struct split_plan *s, uint32_t rows, float *at)
{
    for (uint32_t column = 0; column < s->n2; column += s->lanes)
        for (uint32_t k1 = 0; k1 < rows; k1++, at += (size_t)s->lanes * 2)
            put_vector(at, s->n1 * s->n2, s->lanes, column, k1);
}

static int take_whole_twiddles(struct split_plan *s, uint32_t rows, uint32_t columns,
                               struct cpu_arena *memory)
{
    s->twiddles = cpu_arena_take(memory, (size_t)rows * columns * 2 * sizeof *s->twiddles);
    if (!s->twiddles)
        return -ENOMEM;
    if (s->squares && s->n1 > 8)
        put_square_twiddles(s, s->twiddles);
    else
        put_block_twiddles(s, rows, s->twiddles);
    return 0;
}

static int take_twiddle_factors(struct split_plan *s, uint32_t rows, uint32_t columns,
                                struct cpu_arena *memory)
{
    const uint32_t n = s->n1 * s->n2, lanes = s->lanes;
    const size_t vector = (size_t)lanes * 2;
    float *block = cpu_arena_take(memory, (size_t)(columns / lanes) * rows * 2 * sizeof *block);
    float *lane = cpu_arena_take(memory, rows * vector * sizeof *lane);
    s->block_twiddles = block;
    s->lane_twiddles = lane;
    if (!block || !lane)
        return -ENOMEM;
    for (uint32_t column = 0; column < columns; column += lanes)
        for (uint32_t k1 = 0; k1 < rows; k1++)
            block = put_root(block, (uint64_t)k1 * column, n);
    for (uint32_t group = 0; group < rows; group += lanes)
        for (uint32_t i = 0; i < lanes; i++, lane += vector)
            put_vector(lane, n, lanes, group, i);
    return 0;
}

int cpu_split_plan_init(struct split_plan *s, uint32_t n, uint32_t lanes, struct cpu_arena *memory)
{
    const uint32_t n1 = choose_rows(n, lanes), n2 = n1 ? n / n1 : 0;
    const uint32_t rows = up(n1, lanes), columns = up(n2, lanes);

    assert(n1 > 0 && n2 > 0 && lanes > 0);
    *s = (struct split_plan){.n1 = n1,
                             .n2 = n2,
                             .lanes = lanes,
                             .set_rows = count_set_rows(n),
                             .squares = square_rows(n, lanes) > 0,
                             .far = n > NEAR_POINTS,
                             .group_stride = (size_t)n2 * count_together(n, lanes) + 1};
    int err = cpu_lanes_plan_init(&s->first, n1, memory);
    if (err == 0)
        err = cpu_lanes_plan_init(&s->second, n2, memory);
    if (err == 0)
        err = n <= WHOLE_TWIDDLES ? take_whole_twiddles(s, rows, columns, memory)
                                  : take_twiddle_factors(s, rows, columns, memory);
    return err;
}

bool cpu_split_divides(const struct split_plan *s)
{
    return s->n1 > s->lanes && !s->squares;
}

int cpu_split_scratch_init(struct split_scratch *t, const struct split_plan *s, bool middle,
                           struct cpu_arena *memory)
{
    const size_t vector = (size_t)s->lanes * 2 * sizeof(float), rows = up(s->n1, s->lanes);
    t->columns = cpu_arena_take(memory, rows * vector * 2);
    t->tail = cpu_arena_take(memory, s->n1 % s->lanes ? s->n2 * vector : 0);
    t->middle = middle ? cpu_arena_take(memory, rows / s->lanes * s->group_stride * vector) : NULL;
    return t->columns && t->tail && (t->middle || !middle) ? 0 : -ENOMEM;
}
