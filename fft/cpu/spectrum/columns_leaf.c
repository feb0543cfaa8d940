/*
 * columns_leaf.c - the last part of a frame: two DFTs about a transpose, |X|^2, and the detectors.
 *
 * The bound, for 16 x 16: 272 additions, 190 multiplications and 128 shuffles for 256 samples; with
 * two of these operations a cycle, 1.2 cycles a sample.
 */
#include <math.h>
#include <string.h>

#include "fft/cpu/butterfly.h"
#include "fft/cpu/spectrum/columns.h"

/* ---- detectors ----------------------------------------------------------------------------- */

/* The usual choices have code of their own, so the mean alone costs no test of the others. */
enum fold { FOLD_MEAN, FOLD_MEAN_MAX, FOLD_MEAN_MAX_LAST, FOLD_ANY, FOLDS };

static enum fold fold_of(const struct sink *out)
{
    if (!out->sum || out->min)
        return FOLD_ANY;
    if (out->last) /* a density counts it */
        return out->max ? FOLD_MEAN_MAX_LAST : FOLD_ANY;
    return out->max ? FOLD_MEAN_MAX : FOLD_MEAN;
}

/* Just before a run of leaves adds to these slots, so that they are in L1. */
static void clear(const struct sink *out, size_t at, size_t count)
{
    if (out->sum)
        memset(out->sum + at, 0, count * sizeof *out->sum);
    if (out->max)
        memset(out->max + at, 0, count * sizeof *out->max);
    for (size_t i = at; out->min && i < at + count; i++)
        out->min[i] = INFINITY;
}

/* One vector of results; its slots are the LANES ones from `at` on. */
INLINE void fold(enum fold kind, const struct sink *out, size_t at, struct cvec v)
{
    if (kind == FOLD_MEAN) { /* two multiply-adds */
        vf *sum = (vf *)(out->sum + at);
        *sum = *sum + v.re * v.re + v.im * v.im;
        return;
    }
    const vf power = v.re * v.re + v.im * v.im;
    const bool any = kind == FOLD_ANY;
    if (!any || out->sum)
        *(vf *)(out->sum + at) += power;
    if (!any || out->max)
        *(vf *)(out->max + at) = VEC_MAX(power, *(vf *)(out->max + at));
    if (any && out->min)
        *(vf *)(out->min + at) = VEC_MIN(power, *(vf *)(out->min + at));
    if (kind == FOLD_MEAN_MAX_LAST || (any && out->last))
        *(vf *)(out->last + at) = power;
}

/* ---- a leaf ----------------------------------------------------------------------------- */

/* LANES rows, half transposed: finishes the transpose, DFT over the former lanes, fold. */
INLINE void finish_rows(enum fold kind, vf *re, vf *im, const struct sink *out, size_t at)
{
    struct cvec x[LANES];
    UNROLL
    for (size_t j = 0; j < LANES; j += 4) {
        transpose_neighbours(re + j);
        transpose_neighbours(im + j);
    }
    UNROLL
    for (size_t j = 0; j < LANES; j++)
        x[j] = (struct cvec){re[j], im[j]};
    UNROLL
    for (size_t g = 0; g < first_groups(LANES); g++)
        butterfly_first(LANES, x, g);
    UNROLL
    for (size_t g = 0; g < last_groups(LANES); g++) {
        butterfly_last(LANES, x, g);
        UNROLL
        for (size_t k = g; k < LANES; k += last_groups(LANES))
            fold(kind, out, at + k * LEAF_ROWS, x[butterfly_slot(LANES, k)]);
    }
}

/* The twiddles within a leaf, [LEAF_ROWS]. */
struct leaf_twiddles {
    const struct cvec *w;
    bool first_is_one; /* unless the lanes' part is in them */
};

/* x[LEAF_ROWS] after the first half of its butterfly. */
INLINE void leaf(enum fold kind, struct cvec *x, struct leaf_twiddles twiddles,
                 const struct sink *out, size_t at)
{
    vf re[LEAF_ROWS], im[LEAF_ROWS];
    UNROLL
    for (size_t g = 0; g < last_groups(LEAF_ROWS); g++) {
        butterfly_last(LEAF_ROWS, x, g);
        UNROLL
        for (size_t row = g; row < LEAF_ROWS; row += last_groups(LEAF_ROWS)) {
            struct cvec v = x[butterfly_slot(LEAF_ROWS, row)];
            if (row > 0 || !twiddles.first_is_one)
                v = vec_mul(v, twiddles.w[row]);
            re[row] = v.re;
            im[row] = v.im;
        }
        transpose_groups(re, g);
        transpose_groups(im, g);
    }
    UNROLL
    for (size_t row = 0; row < LEAF_ROWS; row += LANES)
        finish_rows(kind, re + row, im + row, out, at + row);
}

/* ---- leaves in memory ------------------------------------------------------------------- */

/* with_table: every leaf has its own twiddles; otherwise one vector of them, before all else. */
INLINE void all_leaves(enum fold kind, bool with_table, const struct leaves *run,
                       const struct cvec *w, const struct sink *out)
{
    const struct cvec *from = run->from;
    size_t at = run->slot;
    for (size_t i = 0; i < run->count; i++, from += run->stride, at += LEAF) {
        struct cvec x[LEAF_ROWS];
        UNROLL
        for (size_t g = 0; g < first_groups(LEAF_ROWS); g++) {
            UNROLL
            for (size_t k = g; k < LEAF_ROWS; k += first_groups(LEAF_ROWS))
                x[k] = with_table ? from[k] : vec_mul(from[k], run->lanes[i]);
            butterfly_first(LEAF_ROWS, x, g);
        }
        const struct leaf_twiddles twiddles = {with_table ? run->lanes + i * LEAF_ROWS : w,
                                               !with_table};
        leaf(kind, x, twiddles, out, at);
    }
}

typedef void run_leaves(const struct leaves *run, const struct cvec *w, const struct sink *out);

#define DEFINE_LEAVES(name, kind, with_table)                                                      \
    static void name(const struct leaves *run, const struct cvec *w, const struct sink *out)       \
    {                                                                                              \
        all_leaves(kind, with_table, run, w, out);                                                 \
    }
DEFINE_LEAVES(leaves_lane_mean, FOLD_MEAN, false)
DEFINE_LEAVES(leaves_lane_mean_max, FOLD_MEAN_MAX, false)
DEFINE_LEAVES(leaves_lane_mean_max_last, FOLD_MEAN_MAX_LAST, false)
DEFINE_LEAVES(leaves_lane_any, FOLD_ANY, false)
DEFINE_LEAVES(leaves_table_mean, FOLD_MEAN, true)
DEFINE_LEAVES(leaves_table_mean_max, FOLD_MEAN_MAX, true)
DEFINE_LEAVES(leaves_table_mean_max_last, FOLD_MEAN_MAX_LAST, true)
DEFINE_LEAVES(leaves_table_any, FOLD_ANY, true)

void CPU_SYMBOL(columns_leaves)(const struct columns_plan *plan, const struct leaves *run,
                                const struct sink *out)
{
    static run_leaves *const runs[2][FOLDS] = {
        {leaves_lane_mean, leaves_lane_mean_max, leaves_lane_mean_max_last, leaves_lane_any},
        {leaves_table_mean, leaves_table_mean_max, leaves_table_mean_max_last, leaves_table_any},
    };
    if (out->first)
        clear(out, run->slot, run->count * LEAF);
    runs[plan->whole_table][fold_of(out)](run, plan->leaf, out);
}

/* ---- the only leaf ---------------------------------------------------------------------- */

INLINE void only_leaf(enum fold kind, unsigned input, const struct rows *from, const struct cvec *w,
                      const struct sink *out)
{
    const struct leaf_twiddles twiddles = {w, true};
    struct cvec x[LEAF_ROWS];
    UNROLL
    for (size_t g = 0; g < first_groups(LEAF_ROWS); g++) {
        UNROLL
        for (size_t k = g; k < LEAF_ROWS; k += first_groups(LEAF_ROWS)) {
            x[k] = fetch(input, from, k, k);
            fetch_ahead(input, from, k + LEAF_ROWS);
        }
        butterfly_first(LEAF_ROWS, x, g);
    }
    leaf(kind, x, twiddles, out, 0);
}

typedef void run_only(const struct rows *from, const struct cvec *w, const struct sink *out);

#define DEFINE_ONLY(name, kind, input)                                                             \
    static void name(const struct rows *from, const struct cvec *w, const struct sink *out)        \
    {                                                                                              \
        only_leaf(kind, input, from, w, out);                                                      \
    }
#define DEFINE_ONLY_INPUT(name, input)                                                             \
    DEFINE_ONLY(only_##name##_mean, FOLD_MEAN, input)                                              \
    DEFINE_ONLY(only_##name##_mean_max, FOLD_MEAN_MAX, input)                                      \
    DEFINE_ONLY(only_##name##_mean_max_last, FOLD_MEAN_MAX_LAST, input)                            \
    DEFINE_ONLY(only_##name##_any, FOLD_ANY, input)
#define LIST_ONLY_INPUT(name)                                                                      \
    {                                                                                              \
        only_##name##_mean, only_##name##_mean_max, only_##name##_mean_max_last, only_##name##_any \
    }

DEFINE_ONLY_INPUT(cu8, FFT_IQ_CU8)
DEFINE_ONLY_INPUT(cs8, FFT_IQ_CS8)
DEFINE_ONLY_INPUT(cs16, FFT_IQ_CS16)
DEFINE_ONLY_INPUT(cf32, FFT_IQ_CF32)
DEFINE_ONLY_INPUT(corrected_cu8, CORRECTED + FFT_IQ_CU8)
DEFINE_ONLY_INPUT(corrected_cs8, CORRECTED + FFT_IQ_CS8)
DEFINE_ONLY_INPUT(corrected_cs16, CORRECTED + FFT_IQ_CS16)
DEFINE_ONLY_INPUT(corrected_cf32, CORRECTED + FFT_IQ_CF32)

void CPU_SYMBOL(columns_only_leaf)(const struct columns_plan *plan, unsigned input,
                                   const struct rows *from, const struct sink *out)
{
    static run_only *const runs[INPUTS][FOLDS] = {
        [FFT_IQ_CU8] = LIST_ONLY_INPUT(cu8),
        [FFT_IQ_CS8] = LIST_ONLY_INPUT(cs8),
        [FFT_IQ_CS16] = LIST_ONLY_INPUT(cs16),
        [FFT_IQ_CF32] = LIST_ONLY_INPUT(cf32),
        [CORRECTED + FFT_IQ_CU8] = LIST_ONLY_INPUT(corrected_cu8),
        [CORRECTED + FFT_IQ_CS8] = LIST_ONLY_INPUT(corrected_cs8),
        [CORRECTED + FFT_IQ_CS16] = LIST_ONLY_INPUT(corrected_cs16),
        [CORRECTED + FFT_IQ_CF32] = LIST_ONLY_INPUT(corrected_cf32)};
    if (out->first)
        clear(out, 0, LEAF);
    runs[input][fold_of(out)](from, plan->leaf, out);
}
