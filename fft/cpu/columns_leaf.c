/* columns_leaf.c - the last part of a frame: two DFTs about a transpose, |X|^2, and the traces. */
#include "fft/cpu/butterfly.h"
#include "fft/cpu/columns.h"

/* Where output row j of a leaf's part goes: LANES slots. */
INLINE vf *place(float *slots, size_t j)
{
    return (vf *)(slots + j * LEAF_ROWS);
}

/* power[LANES] goes to the slots from `at` on, LEAF_ROWS apart. */
INLINE void fold(const struct sink *out, size_t at, const vf *power)
{
    if (out->sum) {
        UNROLL
        for (size_t j = 0; j < LANES; j++)
            *place(out->sum + at, j) += power[j];
    }
    if (out->max) {
        UNROLL
        for (size_t j = 0; j < LANES; j++)
            *place(out->max + at, j) = VEC_MAX(power[j], *place(out->max + at, j));
    }
    if (out->min) {
        UNROLL
        for (size_t j = 0; j < LANES; j++)
            *place(out->min + at, j) = VEC_MIN(power[j], *place(out->min + at, j));
    }
    if (out->last) {
        UNROLL
        for (size_t j = 0; j < LANES; j++)
            *place(out->last + at, j) = power[j];
    }
}

/* Rows b .. b + LANES - 1 of a leaf behind their twiddles: across the lanes, and out. */
INLINE void finish_rows(struct cvec *x, const struct sink *out, size_t at)
{
    vf re[LANES], im[LANES], power[LANES];
    UNROLL
    for (size_t j = 0; j < LANES; j++) {
        re[j] = x[j].re;
        im[j] = x[j].im;
    }
    vec_transpose(re);
    vec_transpose(im);
    UNROLL
    for (size_t j = 0; j < LANES; j++)
        x[j] = (struct cvec){re[j], im[j]};
    butterfly(LANES, x);
    UNROLL
    for (size_t j = 0; j < LANES; j++) {
        const struct cvec v = x[butterfly_slot(LANES, j)];
        power[j] = v.re * v.re + v.im * v.im;
    }
    fold(out, at, power);
}

/* w[LEAF_ROWS]; its first row is 1 unless the lanes' part is in it. */
INLINE void leaf(struct cvec *x, const struct cvec *w, bool first_is_one, const struct sink *out,
                 size_t at)
{
    butterfly(LEAF_ROWS, x);
    UNROLL
    for (size_t b = 0; b < LEAF_ROWS; b += LANES) {
        struct cvec t[LANES];
        UNROLL
        for (size_t j = 0; j < LANES; j++) {
            t[j] = x[butterfly_slot(LEAF_ROWS, b + j)];
            if (b + j > 0 || !first_is_one)
                t[j] = vec_mul(t[j], w[b + j]);
        }
        finish_rows(t, out, at + b);
    }
}

static void leaves_with_table(const struct leaves *run, const struct sink *out)
{
    for (size_t i = 0; i < run->count; i++) {
        struct cvec x[LEAF_ROWS];
        UNROLL
        for (size_t k = 0; k < LEAF_ROWS; k++)
            x[k] = run->from[i * run->stride + k];
        leaf(x, run->lanes + i * LEAF_ROWS, false, out, run->slot + i * LEAF);
    }
}

static void leaves_by_lane(const struct leaves *run, const struct cvec *w, const struct sink *out)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct cvec lane = run->lanes[i];
        struct cvec x[LEAF_ROWS];
        UNROLL
        for (size_t k = 0; k < LEAF_ROWS; k++)
            x[k] = vec_mul(run->from[i * run->stride + k], lane);
        leaf(x, w, true, out, run->slot + i * LEAF);
    }
}

INLINE void only_leaf(unsigned format, const struct rows *from, const struct cvec *w,
                      const struct sink *out)
{
    struct cvec x[LEAF_ROWS];
    UNROLL
    for (size_t k = 0; k < LEAF_ROWS; k++)
        x[k] = fetch(format, from, k);
    leaf(x, w, true, out, 0);
}

void CPU_SYMBOL(columns_leaves)(const struct columns_plan *plan, const struct leaves *run,
                                const struct sink *out)
{
    if (plan->whole_table)
        leaves_with_table(run, out);
    else
        leaves_by_lane(run, plan->leaf, out);
}

void CPU_SYMBOL(columns_only_leaf)(const struct columns_plan *plan, enum iq_format format,
                                   const struct rows *from, const struct sink *out)
{
    switch (format) {
    case IQ_CU8:
        only_leaf(IQ_CU8, from, plan->leaf, out);
        break;
    case IQ_CS8:
        only_leaf(IQ_CS8, from, plan->leaf, out);
        break;
    case IQ_CS16:
        only_leaf(IQ_CS16, from, plan->leaf, out);
        break;
    default:
        only_leaf(IQ_CF32, from, plan->leaf, out);
    }
}
