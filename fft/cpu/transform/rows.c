/* rows.c - rows of a batch in the lanes; compiled for each instruction set. */
#include "fft/cpu/transform/lanes_io.h"

#include <string.h>

/* Of vector j, the floats of row `row`: the first half of a vector's are re. */
INLINE float *part(struct cvec *x, size_t j, size_t row)
{
    return (float *)(x + j) + lane_of(row);
}

/* LANES points of LANES rows, from where the points of a row lie beside one another. */
INLINE void gather_tile(const struct rows_job *job, size_t j, struct cvec *x)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t row = 0; row < LANES; row++) {
        const struct cvec v = load_points(job->from + row * job->from_row + j, job->inverse);
        re[lane_of(row)] = v.re;
        im[lane_of(row)] = v.im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t i = 0; i < LANES; i++)
        x[j + i] = (struct cvec){re[lane_of(i)], im[lane_of(i)]};
}

INLINE void scatter_tile(const struct rows_job *job, size_t j, const struct cvec *x)
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
        store_points(job->to + row * job->to_row + j,
                     (struct cvec){re[lane_of(row)], im[lane_of(row)]}, job->inverse);
}

void CPU_SYMBOL(lanes_gather)(const struct rows_job *job, uint32_t n, struct cvec *x)
{
    const size_t other = job->inverse ? LANES : 0; /* where re goes */
    size_t j = 0;
    if (job->count < LANES)
        memset(x, 0, n * sizeof *x);
    else if (job->from_point == 1)
        for (; j + LANES <= n; j += LANES)
            gather_tile(job, j, x);
    for (; j < n; j++)
        for (size_t row = 0; row < job->count; row++) {
            const struct fft_iq v = job->from[j * job->from_point + row * job->from_row];
            part(x, j, row)[other] = v.re;
            part(x, j, row)[LANES - other] = v.im;
        }
}

void CPU_SYMBOL(lanes_scatter)(const struct rows_job *job, uint32_t n, const struct cvec *x)
{
    const size_t other = job->inverse ? LANES : 0;
    size_t j = 0;
    if (job->count == LANES && job->to_point == 1)
        for (; j + LANES <= n; j += LANES)
            scatter_tile(job, j, x);
    for (; j < n; j++)
        for (size_t row = 0; row < job->count; row++) {
            const float *v = (const float *)(x + j) + lane_of(row);
            job->to[j * job->to_point + row * job->to_row] =
                (struct fft_iq){v[other], v[LANES - other]};
        }
}

void CPU_SYMBOL(lanes_rows)(const struct lanes_plan *p, const struct rows_job *job)
{
    const bool whole = job->count == LANES;
    struct cvec *x = job->scratch;
    const struct lanes_io io = {
        .in = whole && job->from_row == 1 ? points_way(job->inverse) : VECTORS,
        .out = whole && job->to_row == 1 ? points_way(job->inverse) : VECTORS,
        .from = job->from,
        .from_stride = job->from_point,
        .to = job->to,
        .to_stride = job->to_point,
        .x = x,
        .result = x + p->n,
    };
    if (io.in == VECTORS)
        CPU_SYMBOL(lanes_gather)(job, p->n, x);
    CPU_SYMBOL(lanes_run)(p, &io);
    if (io.out == VECTORS)
        CPU_SYMBOL(lanes_scatter)(job, p->n, io.result);
}
