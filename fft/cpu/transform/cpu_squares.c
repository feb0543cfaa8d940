/*
 * cpu_squares.c - the columns of a split of LANES rows, and all of 64 to 1024 points; compiled for
 * each instruction set.
 *
 * A block of LANES columns goes from memory to `middle` in one step: DFT, a transpose of each
 * square of LANES rows, and twiddles. Short lengths have 16 rows, or 64 points 8: one step is left.
 * 16 rows do not fit into the registers of AVX2, but spilling them costs less than another step.
 *
 * Each bit of a row's number enters the lanes as soon as the DFT of 16 rows has computed it: the
 * two low ones after its first half, the others after its last one. So shuffles alternate with
 * arithmetic, and the processor does both at once.
 *
 * With 16 lanes a square contains two transforms of 128 points, or four of 64: each has 16 rows,
 * and its columns are in its part of the lanes.
 */
#define BUTTERFLY_SUB vec_sub_fused
#include "fft/cpu/base/cpu_butterfly.h"
#include "fft/cpu/transform/cpu_lanes_io.h"

/* rows * columns points; `together`: transforms in a square. Constants of each function. */
struct shape {
    size_t rows, columns, together; /* columns 0: any number */
    bool exchange;
};

/* Whether a block has all columns of its transforms. */
INLINE bool is_only_block(struct shape shape)
{
    return shape.columns * shape.together == LANES;
}

/* A block of columns: point j of all of them at from + j * stride. */
struct block {
    const struct fft_iq *from;
    size_t apart[4];     /* points from the first transform in the lanes to each one */
    size_t stride, next; /* next: points from the first one to those of a batch that come next,
                            which are fetched into L1; 0: they are not */
    const struct cvec *twiddles; /* of split_plan, from the block's first column on */
};

/* LANES points of 1, 2 or 4 transforms, point i in lane_of(i). */
INLINE struct cvec read_point(struct shape shape, const struct block *b, size_t j)
{
    const size_t together = shape.together;
    const struct fft_iq *at = b->from + j * b->stride;
    const struct fft_iq *ahead = b->from + j * b->stride * together + b->next;
    if (b->next > 0)
        __builtin_prefetch(ahead);
    if (b->next > 0 && LANES > 8) /* two lines */
        __builtin_prefetch(ahead + 8);
#if CPU_LANES == 16
    if (together == 4)
        return exchanged(
            vec_load_quarters(at, at + b->apart[1], at + b->apart[2], at + b->apart[3]),
            shape.exchange);
    if (together == 2)
        return exchanged(vec_load_halves(at, at + b->apart[1]), shape.exchange);
#endif
    return load_points(at, shape.exchange);
}

/* ---- a transpose in two steps ------------------------------------------------------------- */

/*
 * Before it, column c3 c2 c1 c0 (bits) is in its lane_of(), and after it row k3 k2 k1 k0: 16 lanes
 * have the bits of a number in the order 2 1 3 0, 8 lanes 1 2 0, and 4 lanes 1 0.
 *
 * The low step takes rows k1 k0 of four, v[2 k1 + k0], and leaves v[2 q + p]: p and q are the bits
 * of the column that left the lanes. These now have k1 c2 c0 k0 (16), k1 c0 k0 (8) or k1 k0 (4).
 */
#if CPU_LANES == 4
#define BLOCKS_LOW  HALVES_LOW
#define BLOCKS_HIGH HALVES_HIGH
#else
#define BLOCKS_LOW  QUADS_LOW
#define BLOCKS_HIGH QUADS_HIGH
#endif

INLINE void swap_low(vf *v0, vf *v1, vf *v2, vf *v3)
{
    const vf low01 = PAIRS_LOW(*v0, *v1), high01 = PAIRS_HIGH(*v0, *v1);
    const vf low23 = PAIRS_LOW(*v2, *v3), high23 = PAIRS_HIGH(*v2, *v3);
    *v0 = BLOCKS_LOW(low01, low23);
    *v1 = BLOCKS_LOW(high01, high23);
    *v2 = BLOCKS_HIGH(low01, low23);
    *v3 = BLOCKS_HIGH(high01, high23);
}

/*
 * The high step: rows k3 k2 in fours, v[2 k3 + k2], with 16 lanes; pairs of k2 with 8. With 4 the
 * low step was all.
 */
INLINE void swap_high(vf *v, size_t count)
{
#if CPU_LANES == 16
    const vf low02 = HALVES_LOW(v[0], v[2]), high02 = HALVES_HIGH(v[0], v[2]);
    const vf low13 = HALVES_LOW(v[1], v[3]), high13 = HALVES_HIGH(v[1], v[3]);
    v[0] = QUADS_LOW(low02, low13);
    v[1] = QUADS_LOW(high02, high13);
    v[2] = QUADS_HIGH(low02, low13);
    v[3] = QUADS_HIGH(high02, high13);
    (void)count;
#elif CPU_LANES == 8
    UNROLL
    for (size_t i = 0; i < count; i += 2) {
        const vf low = HALVES_LOW(v[i], v[i + 1]), high = HALVES_HIGH(v[i], v[i + 1]);
        v[i] = low;
        v[i + 1] = high;
    }
#else
    (void)v;
    (void)count;
#endif
}

/* What v[i] of group 2 q + p is after both steps. */
struct place {
    size_t column, square;
};

INLINE struct place place_of(size_t g, size_t i)
{
    const size_t p = g % 2, q = g / 2;
    return LANES == 16  ? (struct place){8 * p + 2 * q + i % 2 + i / 2 * 4, 0}
           : LANES == 8 ? (struct place){4 * p + 2 * q + i % 2, i / 2}
                        : (struct place){2 * p + q, i};
}

/* ---- columns ------------------------------------------------------------------------------ */

/*
 * A block of 16 rows is transposed while its DFT goes on. Up to 8 rows fit into the registers, and
 * blocks overlap anyway: they are transposed at the end, after the twiddles, which are ones in row
 * 0.
 */
INLINE bool is_early(size_t rows)
{
    return rows > 8;
}

INLINE void swap_rows_low(size_t rows, vf *v)
{
    const size_t apart = rows / 4;
    swap_low(v, v + apart, v + 2 * apart, v + 3 * apart);
}

INLINE void first_half(struct shape shape, const struct block *b, size_t g, vf *re, vf *im)
{
    const size_t rows = shape.rows, apart = rows / 4;
    struct cvec x[16];
    UNROLL
    for (size_t j = g; j < rows; j += apart)
        x[j] = read_point(shape, b, j);
    butterfly_first(rows, x, g);
    UNROLL
    for (size_t j = g; j < rows; j += apart) {
        re[j] = x[j].re;
        im[j] = x[j].im;
    }
    if (is_early(rows)) {
        swap_rows_low(rows, re + g);
        swap_rows_low(rows, im + g);
    }
}

/* Group g of what the first half computed: re, im [rows / 4]. */
INLINE void last_half(size_t rows, const struct block *b, size_t g, vf *re, vf *im)
{
    const size_t count = rows / 4;
    struct cvec x[16];
    UNROLL
    for (size_t i = 0; i < count; i++)
        x[g * count + i] = (struct cvec){re[i], im[i]};
    butterfly_last(rows, x, g);
    UNROLL
    for (size_t i = 0; i < count; i++) {
        const struct cvec y = x[g * count + i];
        const size_t k = g + 4 * i;
        const struct cvec v = is_early(rows) || k == 0 ? y : vec_mul(y, b->twiddles[k]);
        re[i] = v.re;
        im[i] = v.im;
    }
    if (is_early(rows)) {
        swap_high(re, count);
        swap_high(im, count);
    }
}

INLINE void swap_late(size_t rows, vf *v)
{
    const size_t count = rows / 4;
    UNROLL
    for (size_t i = 0; i < count; i++)
        swap_rows_low(rows, v + i);
    UNROLL
    for (size_t g = 0; g < 4; g++)
        swap_high(v + g * count, count);
}

/* Column i of a square becomes vector i of its group of rows, `stride` vectors apart. */
struct groups {
    struct cvec *to;
    size_t stride;
};

/* Group g of the block. The first column of all is multiplied by ones. */
INLINE void store_group(struct shape shape, const struct block *b, size_t g, const vf *re,
                        const vf *im, struct groups out)
{
    const size_t rows = shape.rows;
    UNROLL
    for (size_t i = 0; i < rows / 4; i++) {
        const struct place at = place_of(g, i);
        const size_t column = at.column % (LANES / shape.together);
        const struct cvec v = {re[i], im[i]};
        const bool done = !is_early(rows) || (is_only_block(shape) && column == 0);
        out.to[at.column + at.square * out.stride] =
            done ? v : vec_mul(v, b->twiddles[column * rows / LANES + at.square]);
    }
}

INLINE void transform_block(struct shape shape, const struct block *b, struct groups out)
{
    const size_t rows = shape.rows, count = rows / 4;
    vf re[16], im[16];
    UNROLL
    for (size_t g = 0; g < count; g++)
        first_half(shape, b, g, re, im);
    UNROLL
    for (size_t g = 0; g < 4; g++) {
        last_half(rows, b, g, re + g * count, im + g * count);
        if (is_early(rows))
            store_group(shape, b, g, re + g * count, im + g * count, out);
    }
    if (is_early(rows))
        return;
    swap_late(rows, re);
    swap_late(rows, im);
    UNROLL
    for (size_t g = 0; g < 4; g++)
        store_group(shape, b, g, re + g * count, im + g * count, out);
}

/* All blocks of `width` columns, of which `b` is the first. */
INLINE void columns(struct shape shape, size_t width, struct block b, struct cvec *to)
{
    for (size_t left = width; left > 0; left -= LANES) {
        transform_block(shape, &b, (struct groups){to, width + 1});
        b.from += LANES;
        b.twiddles += shape.rows;
        to += LANES;
    }
}

void CPU_SYMBOL(square_columns)(const struct split_plan *s, const struct split_scratch *t,
                                const struct fft_iq *from, bool inverse)
{
    const struct block b = {
        .from = from, .stride = s->n2, .twiddles = (const struct cvec *)s->twiddles};
    if (inverse)
        columns((struct shape){LANES, 0, 1, true}, s->n2, b, t->middle);
    else
        columns((struct shape){LANES, 0, 1, false}, s->n2, b, t->middle);
}

/* ---- short lengths as a whole ------------------------------------------------------------- */

/* Output `part` of the DFT over columns j, j + 16, ..., times the twiddle of j. */
INLINE struct cvec read_columns(const struct cvec *from, size_t parts, size_t part, size_t j)
{
    if (parts == 1)
        return from[j];
    if (parts == 4)
        return rotate_64(output_of_4(from + j, 16, part), part * j);
    return part == 0 ? vec_add(from[j], from[j + 16])
                     : rotate_64(vec_sub(from[j], from[j + 16]), 2 * j);
}

/* The DFT along LANES rows, or its outputs `part`, `part` + parts, ... */
INLINE void last_part(struct shape shape, const struct cvec *from, size_t parts, size_t part,
                      struct fft_iq *to)
{
    const size_t n = shape.columns / parts;
    struct cvec x[16];
    UNROLL
    for (size_t g = 0; g < first_groups(n); g++) {
        UNROLL
        for (size_t j = g; j < n; j += first_groups(n))
            x[j] = read_columns(from, parts, part, j);
        butterfly_first(n, x, g);
    }
    UNROLL
    for (size_t g = 0; g < last_groups(n); g++) {
        butterfly_last(n, x, g);
        UNROLL
        for (size_t k = g; k < n; k += last_groups(n))
            store_points(to + (k * parts + part) * shape.rows, x[butterfly_index(n, k)],
                         shape.exchange);
    }
}

/*
 * The second step: the DFT along LANES rows after the other. 32 and 64 columns are 2 x 16 and 4 x
 * 16: each part of the outputs reads all columns, which takes less than storing them in between.
 */
INLINE void last_rows(struct shape shape, const struct cvec *from, size_t group_stride,
                      struct fft_iq *to)
{
    const size_t parts = shape.columns > 16 ? shape.columns / 16 : 1;
    for (size_t row = 0; row < shape.rows; row += LANES, from += group_stride) {
        last_part(shape, from, parts, 0, to + row); /* a loop would be unrolled too late */
        if (parts > 1)
            last_part(shape, from, parts, 1, to + row);
        if (parts > 2)
            last_part(shape, from, parts, 2, to + row);
        if (parts > 2)
            last_part(shape, from, parts, 3, to + row);
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
    columns(shape, width, b, middle);
    for (size_t i = 0; set->scale != 1 && i < shape.rows; i += LANES)
        scale_vectors(middle + i / LANES * (width + 1), width, set->scale);
    for (size_t i = 0; i < shape.together && i < left; i++)
        last_rows(shape, middle + i * shape.columns, width + 1, set->to + (row + i) * set->to_row);
}

typedef void run_whole(const struct split_plan *s, struct cvec *middle, const struct row_set *set);

/* One function for each direction: in one for both, the compiler shares addresses between them,
 * more than there are registers. */
#define DEFINE_DIRECTION(rows, columns, together, direction, exchange)                             \
    static void direction##_##rows##_##columns(const struct split_plan *s, struct cvec *middle,    \
                                               const struct row_set *set)                          \
    {                                                                                              \
        for (size_t i = 0; i < set->count; i += (together))                                        \
            whole((struct shape){rows, columns, together, exchange}, s, middle, set, i);           \
    }
#define DEFINE_WHOLE(rows, columns, together)                                                      \
    DEFINE_DIRECTION(rows, columns, together, forward, false)                                      \
    DEFINE_DIRECTION(rows, columns, together, inverse, true)
DEFINE_WHOLE(16, 16, 1)
#if CPU_LANES >= 8
DEFINE_WHOLE(16, 64, 1)
DEFINE_WHOLE(16, 32, 1)
#endif
#if CPU_LANES == 16
DEFINE_WHOLE(16, 8, 2)
DEFINE_WHOLE(16, 4, 4)
#elif CPU_LANES == 8
DEFINE_WHOLE(16, 8, 1)
DEFINE_WHOLE(8, 8, 1)
#endif

#define CHOOSE(inverse, shape) ((inverse) ? inverse_##shape : forward_##shape)

static run_whole *find_whole(const struct split_plan *s, bool inverse)
{
    switch (s->n1 * s->n2) {
    case 256:
        return CHOOSE(inverse, 16_16);
#if CPU_LANES >= 8
    case 1024:
        return CHOOSE(inverse, 16_64);
    case 512:
        return CHOOSE(inverse, 16_32);
    case 128:
        return CHOOSE(inverse, 16_8);
#endif
#if CPU_LANES == 16
    case 64:
        return CHOOSE(inverse, 16_4);
#elif CPU_LANES == 8
    case 64:
        return CHOOSE(inverse, 8_8);
#endif
    default:
        return NULL;
    }
}

bool CPU_SYMBOL(square_whole)(const struct split_plan *s, const struct split_scratch *t,
                              const struct row_set *set)
{
    run_whole *run = find_whole(s, set->inverse);
    if (run)
        run(s, t->middle, set);
    return run;
}
