/* rows.c - rows of a batch in the lanes; compiled for each instruction set. */
#include "fft/cpu/lanes_io.h"

#include <string.h>

/* Of the floats of n vectors, point j of row `lane`. */
INLINE float *part(struct cvec *x, size_t j, size_t lane)
{
    return (float *)(x + j) + lane;
}

/* LANES points of LANES rows, from where the points of a row lie beside one another. */
INLINE void gather_tile(const struct rows_job *job, size_t j, struct cvec *x)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t lane = 0; lane < LANES; lane++) {
        const struct cvec v = vec_unpack(IQ_CF32, job->from + lane * job->from_row + j, 0);
        re[lane] = v.re;
        im[lane] = v.im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t i = 0; i < LANES; i++)
        x[j + i] = job->inverse ? (struct cvec){im[i], re[i]} : (struct cvec){re[i], im[i]};
}

INLINE void scatter_tile(const struct rows_job *job, size_t j, const struct cvec *x)
{
    vf re[LANES], im[LANES];
    UNROLL
    for (size_t i = 0; i < LANES; i++) {
        re[i] = x[j + i].re;
        im[i] = x[j + i].im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t lane = 0; lane < LANES; lane++)
        store_points(job->to + lane * job->to_row + j, (struct cvec){re[lane], im[lane]},
                     job->inverse);
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
        for (size_t lane = 0; lane < job->count; lane++) {
            const struct iq v = job->from[j * job->from_point + lane * job->from_row];
            *part(x, j, lane + other) = v.re;
            *part(x, j, lane + LANES - other) = v.im;
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
        for (size_t lane = 0; lane < job->count; lane++) {
            const float *v = (const float *)(x + j) + lane;
            job->to[j * job->to_point + lane * job->to_row] =
                (struct iq){v[other], v[LANES - other]};
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
