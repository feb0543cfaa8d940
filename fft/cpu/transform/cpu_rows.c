/* cpu_rows.c - rows of a batch in the lanes; compiled for each instruction set. */
#include "fft/cpu/transform/cpu_lanes_io.h"

#include <string.h>

/* Of vector j, the floats of row `row`: the first half of a vector's are re. */
INLINE float *row_floats(struct cvec *x, size_t j, size_t row)
{
    return (float *)(x + j) + lane_of(row);
}

/* LANES points of LANES rows whose points are adjacent in memory. */
INLINE void gather_tile(const struct row_set *set, size_t j, struct cvec *x)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t row = 0; row < LANES; row++) {
        const struct cvec v = load_points(set->from + row * set->from_row + j, set->inverse);
        re[lane_of(row)] = v.re;
        im[lane_of(row)] = v.im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t i = 0; i < LANES; i++)
        x[j + i] = (struct cvec){re[lane_of(i)], im[lane_of(i)]};
}

INLINE void scatter_tile(const struct row_set *set, size_t j, const struct cvec *x)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t i = 0; i < LANES; i++) {
        re[lane_of(i)] = x[j + i].re;
        im[lane_of(i)] = x[j + i].im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t row = 0; row < LANES; row++)
        store_points(set->to + row * set->to_row + j,
                     (struct cvec){re[lane_of(row)], im[lane_of(row)]}, set->inverse);
}

void CPU_SYMBOL(lanes_gather)(const struct row_set *set, uint32_t n, struct cvec *x)
{
    const size_t other = set->inverse ? LANES : 0; /* where re goes */
    size_t j = 0;
    if (set->count < LANES)
        memset(x, 0, n * sizeof *x);
    else if (set->from_point == 1)
        for (; j + LANES <= n; j += LANES)
            gather_tile(set, j, x);
    for (; j < n; j++)
        for (size_t row = 0; row < set->count; row++) {
            const struct fft_iq v = set->from[j * set->from_point + row * set->from_row];
            row_floats(x, j, row)[other] = v.re;
            row_floats(x, j, row)[LANES - other] = v.im;
        }
}

void CPU_SYMBOL(lanes_scatter)(const struct row_set *set, uint32_t n, const struct cvec *x)
{
    const size_t other = set->inverse ? LANES : 0;
    size_t j = 0;
    if (set->count == LANES && set->to_point == 1)
        for (; j + LANES <= n; j += LANES)
            scatter_tile(set, j, x);
    for (; j < n; j++)
        for (size_t row = 0; row < set->count; row++) {
            const float *v = (const float *)(x + j) + lane_of(row);
            set->to[j * set->to_point + row * set->to_row] =
                (struct fft_iq){v[other], v[LANES - other]};
        }
}

/* Rows that went from memory to memory are multiplied where they are, still in the cache. */
static void scale_points(const struct row_set *set, uint32_t n)
{
    for (size_t j = 0; set->scale != 1 && j < n; j++)
        for (size_t row = 0; row < LANES; row++) {
            struct fft_iq *v = set->to + j * set->to_point + row;
            *v = (struct fft_iq){v->re * set->scale, v->im * set->scale};
        }
}

void CPU_SYMBOL(lanes_rows)(const struct lanes_plan *p, const struct row_set *set)
{
    const bool whole = set->count == LANES;
    struct cvec *x = set->scratch;
    const struct lanes_io io = {
        .in = whole && set->from_row == 1 ? points_layout(set->inverse) : VECTORS,
        .out = whole && set->to_row == 1 ? points_layout(set->inverse) : VECTORS,
        .from = set->from,
        .from_stride = set->from_point,
        .to = set->to,
        .to_stride = set->to_point,
        .x = x,
        .result = x + p->n,
    };
    if (io.in == VECTORS)
        CPU_SYMBOL(lanes_gather)(set, p->n, x);
    CPU_SYMBOL(lanes_run)(p, &io);
    if (io.out == VECTORS) {
        scale_vectors(io.result, p->n, set->scale);
        CPU_SYMBOL(lanes_scatter)(set, p->n, io.result);
    } else {
        scale_points(set, p->n);
    }
}
