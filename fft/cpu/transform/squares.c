/*
 * squares.c - the columns of a split of LANES rows, and all of 64, 128 and 256 points; compiled for
 * each instruction set.
 *
 * A block of LANES columns goes from memory to `middle` in one step: DFT, twiddles, and a transpose
 * of each square of LANES rows. 256 points have 16 rows on every instruction set, so that one pass
 * is left. 16 rows do not fit into the registers of AVX2, but spilling them costs less than a pass.
 *
 * With 16 lanes a square holds two transforms of 128 points, or four of 64: each has 16 rows, and
 * its columns are in its part of the lanes.
 */
#include "fft/cpu/butterfly.h"
#include "fft/cpu/transform/lanes_io.h"

/* A block of columns: point j of all of them at from + j * stride. */
struct block {
    const struct fft_iq *from;
    size_t apart[4];     /* points from the first transform in the lanes to each one */
    size_t stride, next; /* next: points from the first one to those of a batch that come next,
                            which are fetched into L1; 0: they are not */
    const struct cvec *twiddles; /* [rows] */
};

/* LANES points of 1, 2 or 4 transforms, point i in lane_of(i). */
INLINE struct cvec read_point(const struct block *b, size_t j, size_t together, bool exchange)
{
    const struct fft_iq *at = b->from + j * b->stride;
    const struct fft_iq *ahead = b->from + j * b->stride * together + b->next;
    if (b->next > 0)
        __builtin_prefetch(ahead);
    if (b->next > 0 && LANES > 8) /* two lines */
        __builtin_prefetch(ahead + 8);
#if CPU_LANES == 16
    if (together == 4)
        return exchanged(
            vec_load_quarters(at, at + b->apart[1], at + b->apart[2], at + b->apart[3]), exchange);
    if (together == 2)
        return exchanged(vec_load_halves(at, at + b->apart[1]), exchange);
#endif
    return load_points(at, exchange);
}

/* Row i of the result goes to square i / LANES, lane_of(i % LANES). */
INLINE void transform_block(size_t rows, const struct block *b, size_t together, bool exchange,
                            vf *re, vf *im)
{
    struct cvec x[16];
    UNROLL
    for (size_t g = 0; g < first_groups(rows); g++) {
        UNROLL
        for (size_t j = g; j < rows; j += first_groups(rows))
            x[j] = read_point(b, j, together, exchange);
        butterfly_first(rows, x, g);
    }
    UNROLL
    for (size_t g = 0; g < last_groups(rows); g++) {
        butterfly_last(rows, x, g);
        UNROLL
        for (size_t k = g; k < rows; k += last_groups(rows)) {
            const struct cvec y = x[butterfly_slot(rows, k)];
            const struct cvec v = k == 0 ? y : vec_mul(y, b->twiddles[k]); /* row 0: all ones */
            const size_t at = k / LANES * LANES + lane_of(k % LANES);
            re[at] = v.re;
            im[at] = v.im;
        }
    }
}

/* Column i of a square becomes vector i of its group of rows. */
INLINE void store_squares(size_t rows, vf *re, vf *im, struct cvec *to, size_t group_stride)
{
    UNROLL
    for (size_t at = 0; at < rows; at += LANES, to += group_stride) {
        vec_transpose(re + at);
        vec_transpose(im + at);
        UNROLL
        for (size_t i = 0; i < LANES; i++)
            to[i] = (struct cvec){re[at + lane_of(i)], im[at + lane_of(i)]};
    }
}

/* All blocks of `width` columns, of which `b` is the first. */
INLINE void columns(size_t rows, size_t width, struct block b, size_t together, bool exchange,
                    struct cvec *to)
{
    for (size_t left = width; left > 0; left -= LANES) {
        vf re[16], im[16];
        transform_block(rows, &b, together, exchange, re, im);
        store_squares(rows, re, im, to, width + 1);
        b.from += LANES;
        b.twiddles += rows;
        to += LANES;
    }
}

void CPU_SYMBOL(square_columns)(const struct split_plan *s, const struct split_scratch *t,
                                const struct fft_iq *from, bool inverse)
{
    const struct block b = {
        .from = from, .stride = s->n2, .twiddles = (const struct cvec *)s->twiddles};
    if (inverse)
        columns(LANES, s->n2, b, 1, true, t->middle);
    else
        columns(LANES, s->n2, b, 1, false, t->middle);
}

/* ---- short lengths as a whole ------------------------------------------------------------- */

/* rows * columns points; `together`: transforms in a square. Constants of each function. */
struct shape {
    size_t rows, columns, together;
    bool exchange;
};

/* The second step: a DFT of the columns' points along LANES rows after the other. */
INLINE void last_rows(struct shape shape, const struct cvec *from, size_t group_stride,
                      struct fft_iq *to)
{
    const size_t n = shape.columns;
    for (size_t row = 0; row < shape.rows; row += LANES, from += group_stride) {
        struct cvec x[16];
        UNROLL
        for (size_t g = 0; g < first_groups(n); g++) {
            UNROLL
            for (size_t j = g; j < n; j += first_groups(n))
                x[j] = from[j];
            butterfly_first(n, x, g);
        }
        UNROLL
        for (size_t g = 0; g < last_groups(n); g++) {
            butterfly_last(n, x, g);
            UNROLL
            for (size_t k = g; k < n; k += last_groups(n))
                store_points(to + row + k * shape.rows, x[butterfly_slot(n, k)], shape.exchange);
        }
    }
}

/* Rows `row` .. of the set, as many as are together; where there are fewer, the last one again. */
INLINE void whole(struct shape shape, const struct split_plan *s, struct cvec *middle,
                  const struct row_set *set, size_t row)
{
    const size_t width = shape.columns * shape.together, left = set->count - row;
    struct block b = {.from = set->from + row * set->from_row,
                      .stride = shape.columns,
                      .next = shape.rows * width,
                      .twiddles = (const struct cvec *)s->twiddles};
    for (size_t i = 0; i < shape.together; i++)
        b.apart[i] = (i < left ? i : left - 1) * set->from_row;
    columns(shape.rows, width, b, shape.together, shape.exchange, middle);
    for (size_t i = 0; set->scale != 1 && i < shape.rows; i += LANES)
        scale_vectors(middle + i / LANES * (width + 1), width, set->scale);
    for (size_t i = 0; i < shape.together && i < left; i++)
        last_rows(shape, middle + i * shape.columns, width + 1, set->to + (row + i) * set->to_row);
}

typedef void run_whole(const struct split_plan *s, struct cvec *middle, const struct row_set *set);

#define DEFINE_WHOLE(rows, columns, together)                                                      \
    static void whole_##rows##_##columns(const struct split_plan *s, struct cvec *middle,          \
                                         const struct row_set *set)                                \
    {                                                                                              \
        for (size_t i = 0; i < set->count; i += (together))                                        \
            if (set->inverse)                                                                      \
                whole((struct shape){rows, columns, together, true}, s, middle, set, i);           \
            else                                                                                   \
                whole((struct shape){rows, columns, together, false}, s, middle, set, i);          \
    }
DEFINE_WHOLE(16, 16, 1)
#if CPU_LANES == 16
DEFINE_WHOLE(16, 8, 2)
DEFINE_WHOLE(16, 4, 4)
#elif CPU_LANES == 8
DEFINE_WHOLE(16, 8, 1)
DEFINE_WHOLE(8, 8, 1)
#endif

static run_whole *find_whole(const struct split_plan *s)
{
    switch (s->n1 * s->n2) {
    case 256:
        return whole_16_16;
#if CPU_LANES >= 8
    case 128:
        return whole_16_8;
#endif
#if CPU_LANES == 16
    case 64:
        return whole_16_4;
#elif CPU_LANES == 8
    case 64:
        return whole_8_8;
#endif
    default:
        return NULL;
    }
}

bool CPU_SYMBOL(square_whole)(const struct split_plan *s, const struct split_scratch *t,
                              const struct row_set *set)
{
    run_whole *run = find_whole(s);
    if (run)
        run(s, t->middle, set);
    return run;
}
