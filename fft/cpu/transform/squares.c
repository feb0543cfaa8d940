/*
 * squares.c - the columns of a split of LANES rows, and all of 256 points; compiled for each
 * instruction set.
 *
 * A block of LANES columns goes from memory to `middle` in one step: DFT, twiddles, and a transpose
 * of each square of LANES rows. 256 points have 16 rows on every instruction set, so that one pass
 * is left. 16 rows do not fit into the registers of AVX2, but spilling them costs less than a pass.
 */
#include "fft/cpu/butterfly.h"
#include "fft/cpu/transform/lanes_io.h"

/* A block of columns: point j of all of them at from + j * stride. */
struct block {
    const struct fft_iq *from;
    size_t stride, next; /* next: points from here to the same column of the next row of a batch,
                            which is fetched into L1; 0: it is not */
    const struct cvec *twiddles; /* [rows] */
};

INLINE struct cvec read_point(const struct block *b, size_t j, bool exchange)
{
    const struct fft_iq *at = b->from + j * b->stride;
    if (b->next > 0)
        __builtin_prefetch(at + b->next);
    if (b->next > 0 && LANES > 8) /* two lines */
        __builtin_prefetch(at + b->next + 8);
    return load_points(at, exchange);
}

/* Row i of the result goes to square i / LANES, lane_of(i % LANES). */
INLINE void transform_block(size_t rows, const struct block *b, bool exchange, vf *re, vf *im)
{
    struct cvec x[16];
    UNROLL
    for (size_t g = 0; g < first_groups(rows); g++) {
        UNROLL
        for (size_t j = g; j < rows; j += first_groups(rows))
            x[j] = read_point(b, j, exchange);
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

/* usual_stride: s->n2 as a constant, which makes addresses cheaper; 0: any. */
INLINE void columns(size_t rows, size_t usual_stride, bool exchange, const struct split_plan *s,
                    const struct split_scratch *t, const struct fft_iq *from)
{
    const size_t stride = usual_stride ? usual_stride : s->n2;
    struct block b = {from, stride, rows * usual_stride, (const struct cvec *)s->twiddles};
    struct cvec *to = t->middle;
    for (size_t left = stride; left > 0; left -= LANES) {
        vf re[16], im[16];
        transform_block(rows, &b, exchange, re, im);
        store_squares(rows, re, im, to, usual_stride ? usual_stride + 1 : s->group_stride);
        b.from += LANES;
        b.twiddles += rows;
        to += LANES;
    }
}

/* The second step of 256 points. */
INLINE void rows_of_256(const struct cvec *from, struct fft_iq *to, bool exchange)
{
    for (size_t row = 0; row < 16; row += LANES, from += 16 + 1) {
        struct cvec x[16];
        UNROLL
        for (size_t g = 0; g < first_groups(16); g++) {
            UNROLL
            for (size_t j = g; j < 16; j += first_groups(16))
                x[j] = from[j];
            butterfly_first(16, x, g);
        }
        UNROLL
        for (size_t g = 0; g < last_groups(16); g++) {
            butterfly_last(16, x, g);
            UNROLL
            for (size_t k = g; k < 16; k += last_groups(16))
                store_points(to + row + k * 16, x[butterfly_slot(16, k)], exchange);
        }
    }
}

INLINE void only_256(bool exchange, const struct split_plan *s, const struct split_scratch *t,
                     const struct fft_iq *from, struct fft_iq *to, float scale)
{
    struct cvec *middle = t->middle;
    columns(16, 16, exchange, s, t, from);
    for (size_t row = 0; scale != 1 && row < 16; row += LANES)
        scale_vectors(middle + row / LANES * s->group_stride, 16, scale);
    rows_of_256(middle, to, exchange);
}

void CPU_SYMBOL(square_columns)(const struct split_plan *s, const struct split_scratch *t,
                                const struct fft_iq *from, bool inverse)
{
    if (inverse)
        columns(LANES, 0, true, s, t, from);
    else
        columns(LANES, 0, false, s, t, from);
}

void CPU_SYMBOL(square_256)(const struct split_plan *s, const struct split_scratch *t,
                            const struct fft_iq *from, struct fft_iq *to, struct direction d)
{
    if (d.inverse)
        only_256(true, s, t, from, to, d.scale);
    else
        only_256(false, s, t, from, to, d.scale);
}
