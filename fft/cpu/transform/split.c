/* split.c - one long transform: its columns in the lanes, then its rows. */
#include "fft/cpu/butterfly.h"
#include "fft/cpu/transform/lanes_io.h"

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

/* ---- LANES rows: a block of columns is a square, and stays in registers --------------------- */

/* Group g of a DFT's results, times their twiddles, to where row k will be in lane_of(k). */
INLINE void multiply_rows(struct cvec *x, size_t g, const struct cvec *w, vf *re, vf *im)
{
    butterfly_last(LANES, x, g);
    UNROLL
    for (size_t k = g; k < LANES; k += last_groups(LANES)) {
        const struct cvec y = x[butterfly_slot(LANES, k)];
        const struct cvec v = k == 0 ? y : vec_mul(y, w[k]); /* row 0: all ones */
        re[lane_of(k)] = v.re;
        im[lane_of(k)] = v.im;
    }
}

/* Points j * stride of LANES columns; their DFT, twiddles w[LANES], and the rows into the lanes:
 * column i comes to lane_of(i). */
INLINE void square(const struct fft_iq *from, size_t stride, bool exchange, const struct cvec *w,
                   vf *re, vf *im)
{
    struct cvec x[LANES];
    UNROLL
    for (size_t g = 0; g < first_groups(LANES); g++) {
        UNROLL
        for (size_t j = g; j < LANES; j += first_groups(LANES))
            x[j] = load_points(from + j * stride, exchange);
        butterfly_first(LANES, x, g);
    }
    UNROLL
    for (size_t half = 0; half < 2; half++) {
        UNROLL
        for (size_t g = half; g < last_groups(LANES); g += 2)
            multiply_rows(x, g, w, re, im);
        UNROLL
        for (size_t row = half; row < 4; row += 2) { /* all four rows of a group have come */
            transpose_groups(re, row);
            transpose_groups(im, row);
        }
    }
    UNROLL
    for (size_t k = 0; k < LANES; k += 4) {
        transpose_neighbours(re + k);
        transpose_neighbours(im + k);
    }
}

/* n = LANES * LANES: all of it. */
INLINE void only_square(const struct split_plan *s, const struct fft_iq *from, struct fft_iq *to,
                        bool exchange, float scale)
{
    struct cvec x[LANES];
    vf re[LANES], im[LANES];
    square(from, LANES, exchange, (const struct cvec *)s->twiddles, re, im);
    UNROLL
    for (size_t g = 0; g < first_groups(LANES); g++) {
        UNROLL
        for (size_t j = g; j < LANES; j += first_groups(LANES))
            x[j] = (struct cvec){re[lane_of(j)], im[lane_of(j)]};
        butterfly_first(LANES, x, g);
    }
    UNROLL
    for (size_t g = 0; g < last_groups(LANES); g++) {
        butterfly_last(LANES, x, g);
        UNROLL
        for (size_t k = g; k < LANES; k += last_groups(LANES))
            store_points(to + k * LANES, x[butterfly_slot(LANES, k)], exchange);
    }
    for (size_t i = 0; scale != 1 && i < (size_t)LANES * LANES; i++)
        to[i] = (struct fft_iq){to[i].re * scale, to[i].im * scale};
}

INLINE void square_columns(const struct split_plan *s, const struct split_scratch *t,
                           const struct fft_iq *from, bool exchange)
{
    const struct cvec *w = (const struct cvec *)s->twiddles;
    struct cvec *to = t->middle;
    for (uint32_t column = 0; column < s->n2; column += LANES, w += LANES) {
        vf re[LANES], im[LANES];
        square(from + column, s->n2, exchange, w, re, im);
        UNROLL
        for (size_t i = 0; i < LANES; i++)
            to[column + i] = (struct cvec){re[lane_of(i)], im[lane_of(i)]};
    }
}

static void split_squares(const struct split_plan *s, const struct split_scratch *t,
                          const struct fft_iq *from, struct fft_iq *to, struct direction d)
{
    if (s->n2 == LANES) {
        if (d.inverse)
            only_square(s, from, to, true, d.scale);
        else
            only_square(s, from, to, false, d.scale);
        return;
    }
    if (d.inverse)
        square_columns(s, t, from, true);
    else
        square_columns(s, t, from, false);
    transform_rows(s, t, 0, to, d);
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

static void split(const struct split_plan *s, const struct split_scratch *t,
                  const struct fft_iq *from, struct fft_iq *to, struct direction d)
{
    if (s->n1 == LANES && s->n2 % LANES == 0 && s->twiddles) {
        split_squares(s, t, from, to, d);
        return;
    }
    split_columns(s, t, from, d.inverse, 0, 1);
    split_rows(s, t, to, d, 0, 1);
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
