/* cpu_split.c - one long transform: its columns in the lanes, then its rows. */
#include "fft/cpu/transform/cpu_lanes_io.h"

extern const struct lanes_ops CPU_SYMBOL(lanes_ops);

static size_t padded_rows(const struct split_plan *s)
{
    return (s->n1 + (size_t)LANES - 1) / LANES * LANES;
}

/* LANES columns from number `first` on (fewer at the end): n1 points down each, into `done`. */
static void transform_columns(const struct split_plan *s, const struct split_scratch *t,
                              const struct fft_iq *from, uint32_t first, bool inverse,
                              struct cvec *done)
{
    const uint32_t left = s->n2 - first;
    const struct row_set set = {.from = from + first,
                                .from_point = s->n2,
                                .from_row = 1,
                                .count = left < LANES ? left : LANES,
                                .inverse = inverse};
    const struct lanes_io io = {.in = left < LANES ? VECTORS : points_layout(inverse),
                                .out = VECTORS,
                                .far = s->far,
                                .from = set.from,
                                .from_stride = s->n2,
                                .x = t->columns,
                                .result = done};
    if (io.in == VECTORS)
        CPU_SYMBOL(lanes_gather)(&set, s->n1, io.x);
    CPU_SYMBOL(lanes_run)(&s->first, &io);
}

/* The twiddles of a tile of LANES rows and LANES columns: each, or two factors. */
struct tile_twiddles {
    const struct cvec *each; /* [rows] */
    const float *block;      /* [rows] pairs */
    const struct cvec *lane; /* [lane], after the transpose */
};

/* Applies twiddles and moves the rows into the lanes: one vector a column, `count` of them. */
INLINE void twiddle_tile(bool whole, const struct cvec *done, struct tile_twiddles w,
                         struct cvec *to, uint32_t count)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t i = 0; i < LANES; i++) {
        const struct cvec v = whole ? vec_mul(done[i], w.each[i])
                                    : vec_scale(done[i], w.block[2 * i], w.block[2 * i + 1]);
        re[lane_of(i)] = v.re;
        im[lane_of(i)] = v.im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t i = 0; i < LANES; i++) {
        const struct cvec v = {re[lane_of(i)], im[lane_of(i)]};
        if (i < count)
            to[i] = whole ? v : vec_mul(v, w.lane[i]);
    }
}

/* Stores a block of columns, after its DFT, in the rows of `middle`. */
static void twiddle_columns(const struct split_plan *s, const struct split_scratch *t,
                            const struct cvec *done, uint32_t first)
{
    const size_t rows = padded_rows(s), from = first / LANES * rows;
    struct cvec *to = (struct cvec *)t->middle + first;
    struct tile_twiddles w = {0};

    for (size_t row = 0; row < rows; row += LANES, to += s->group_stride) {
        for (size_t i = 0; s->far && i < LANES; i++)
            prefetch_results(to + s->group_stride + i);
        if (s->twiddles) {
            w.each = (const struct cvec *)s->twiddles + from + row;
            twiddle_tile(true, done + row, w, to, s->n2 - first);
        } else {
            w.block = s->block_twiddles + 2 * (from + row);
            w.lane = (const struct cvec *)s->lane_twiddles + row;
            twiddle_tile(false, done + row, w, to, s->n2 - first);
        }
    }
}

/* LANES rows from number `first` on (fewer at the end): n2 points along each, to where they belong.
 */
static void transform_rows(const struct split_plan *s, const struct split_scratch *t,
                           uint32_t first, struct fft_iq *to, struct direction d)
{
    const uint32_t left = s->n1 - first;
    struct cvec *x = (struct cvec *)t->middle + first / LANES * s->group_stride;
    const struct lanes_io io = {.in = VECTORS,
                                .out = points_layout(d.inverse),
                                .far = s->far,
                                .to = to + first,
                                .to_stride = s->n1,
                                .x = x};
    scale_vectors(x, s->n2, d.scale);
    if (left >= LANES) {
        CPU_SYMBOL(lanes_run)(&s->second, &io);
        return;
    }
    struct lanes_io partly = io;
    partly.out = VECTORS;
    partly.result = t->tail;
    CPU_SYMBOL(lanes_run)(&s->second, &partly);
    const struct row_set set = {
        .to = to + first, .to_point = s->n1, .to_row = 1, .count = left, .inverse = d.inverse};
    CPU_SYMBOL(lanes_scatter)(&set, s->n2, t->tail);
}

/* ---- any number of rows ------------------------------------------------------------------- */

static uint32_t whole_blocks(uint32_t n)
{
    return (n + LANES - 1) / LANES;
}

static void split_columns(const struct split_plan *s, const struct split_scratch *t,
                          const struct fft_iq *from, bool inverse, uint32_t part, uint32_t parts)
{
    const uint64_t blocks = whole_blocks(s->n2);
    struct cvec *done = (struct cvec *)t->columns + padded_rows(s);
    for (uint64_t i = blocks * part / parts; i < blocks * (part + 1) / parts; i++) {
        transform_columns(s, t, from, (uint32_t)i * LANES, inverse, done);
        twiddle_columns(s, t, done, (uint32_t)i * LANES);
    }
}

static void split_rows(const struct split_plan *s, const struct split_scratch *t, struct fft_iq *to,
                       struct direction d, uint32_t part, uint32_t parts)
{
    const uint64_t groups = whole_blocks(s->n1);
    for (uint64_t i = groups * part / parts; i < groups * (part + 1) / parts; i++)
        transform_rows(s, t, (uint32_t)i * LANES, to, d);
}

static void split_one(const struct split_plan *s, const struct split_scratch *t,
                      const struct fft_iq *from, struct fft_iq *to, struct direction d)
{
    if (s->squares)
        CPU_SYMBOL(square_columns)(s, t, from, d.inverse);
    else
        split_columns(s, t, from, d.inverse, 0, 1);
    split_rows(s, t, to, d, 0, 1);
}

static void split(const struct split_plan *s, const struct split_scratch *t,
                  const struct row_set *set)
{
    const struct direction d = {set->inverse, set->scale};
    if (CPU_SYMBOL(square_whole)(s, t, set))
        return;
    for (size_t i = 0; i < set->count; i++)
        split_one(s, t, set->from + i * set->from_row, set->to + i * set->to_row, d);
}

const struct lanes_ops CPU_SYMBOL(lanes_ops) = {
    .lanes = LANES,
    .rows = CPU_SYMBOL(lanes_rows),
    .split = split,
    .split_columns = split_columns,
    .split_rows = split_rows,
    .separate = CPU_SYMBOL(halves_separate),
    .join = CPU_SYMBOL(halves_join),
};
