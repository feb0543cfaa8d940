/*
 * cpu_columns_leaf.c - the last part of a frame: two DFTs about a transpose, |X|^2, and the
 * detectors.
 *
 * The bound, for 16 x 16: 272 additions, 190 multiplications and 128 shuffles for 256 samples; with
 * two of these operations a cycle, 1.2 cycles a sample.
 */
#include <math.h>
#include <string.h>

#include "fft/cpu/base/cpu_butterfly.h"
#include "fft/cpu/spectrum/cpu_columns.h"

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

/*
 * Just before adjacent leaves add to these powers, so that they are in L1. FOLD_ANY stores the
 * first frame instead. No kind has a second function for that: the compiler may round it otherwise.
 */
static void clear(enum fold kind, const struct sink *out, size_t at, size_t count)
{
    if (kind == FOLD_ANY)
        return;
    memset(out->sum + at, 0, count * sizeof *out->sum);
    if (out->max)
        memset(out->max + at, 0, count * sizeof *out->max);
}

/* What a vector is folded into; before the first frame: `empty`. */
INLINE vf before(bool first, const float *array, float empty)
{
    const vf constant = (vf){0} + empty;
    if (first)
        return constant;
    return *(const vf *)array;
}

/* One vector of results; its powers are the LANES ones from `at` on. */
INLINE void fold(enum fold kind, const struct sink *out, size_t at, struct cvec v)
{
    if (kind == FOLD_MEAN) { /* two multiply-adds */
        vf *sum = (vf *)(out->sum + at);
        *sum = *sum + v.re * v.re + v.im * v.im;
        return;
    }
    const vf power = v.re * v.re + v.im * v.im;
    const bool any = kind == FOLD_ANY, first = any && out->first;
    if (!any || out->sum)
        *(vf *)(out->sum + at) = before(first, out->sum + at, 0) + power;
    if (!any || out->max)
        *(vf *)(out->max + at) = VEC_MAX(power, before(first, out->max + at, 0));
    if (any && out->min)
        *(vf *)(out->min + at) = VEC_MIN(power, before(first, out->min + at, INFINITY));
    if (kind == FOLD_MEAN_MAX_LAST || (any && out->last))
        *(vf *)(out->last + at) = power;
}

/* ---- a leaf ----------------------------------------------------------------------------- */

/* Constants of each function. */
struct form {
    enum fold kind;
    bool by_fours; /* the order of the lanes: see struct columns_plan */
};

/* LANES rows, half transposed: finishes the transpose, DFT over the former lanes, fold. */
INLINE void finish_rows(struct form form, vf *re, vf *im, const struct sink *out, size_t at)
{
    struct cvec x[LANES];
    UNROLL
    for (size_t j = 0; j < LANES; j += 4) {
        transpose_neighbours(re + j);
        transpose_neighbours(im + j);
    }
    UNROLL
    for (size_t j = 0; j < LANES; j++) {
        const size_t row = lane_of_column(form.by_fours, j);
        x[j] = (struct cvec){re[row], im[row]};
    }
    UNROLL
    for (size_t g = 0; g < first_groups(LANES); g++)
        butterfly_first(LANES, x, g);
    UNROLL
    for (size_t g = 0; g < last_groups(LANES); g++) {
        butterfly_last(LANES, x, g);
        UNROLL
        for (size_t k = g; k < LANES; k += last_groups(LANES))
            fold(form.kind, out, at + k * LEAF_ROWS, x[butterfly_index(LANES, k)]);
    }
}

/* The twiddles within a leaf, [LEAF_ROWS]. */
struct leaf_twiddles {
    const struct cvec *w;
    bool first_is_one; /* unless the lanes' part is in them */
};

/* x[LEAF_ROWS] after the first half of its butterfly. */
INLINE void leaf(struct form form, struct cvec *x, struct leaf_twiddles twiddles,
                 const struct sink *out, size_t at)
{
    vf re[LEAF_ROWS], im[LEAF_ROWS];
    UNROLL
    for (size_t g = 0; g < last_groups(LEAF_ROWS); g++) {
        butterfly_last(LEAF_ROWS, x, g);
        UNROLL
        for (size_t row = g; row < LEAF_ROWS; row += last_groups(LEAF_ROWS)) {
            struct cvec v = x[butterfly_index(LEAF_ROWS, row)];
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
        finish_rows(form, re + row, im + row, out, at + row);
}

/* ---- leaves in memory ------------------------------------------------------------------- */

/* with_table: every leaf has its own twiddles; otherwise one vector of them, before all else. */
INLINE void all_leaves(struct form form, bool with_table, const struct leaves *leaves,
                       const struct cvec *w, const struct sink *out)
{
    const struct cvec *from = leaves->from;
    size_t at = leaves->first;
    for (size_t i = 0; i < leaves->count; i++, from += leaves->stride, at += LEAF) {
        struct cvec x[LEAF_ROWS];
        UNROLL
        for (size_t g = 0; g < first_groups(LEAF_ROWS); g++) {
            UNROLL
            for (size_t k = g; k < LEAF_ROWS; k += first_groups(LEAF_ROWS))
                x[k] = with_table ? from[k] : vec_mul(from[k], leaves->lanes[i]);
            butterfly_first(LEAF_ROWS, x, g);
        }
        const struct leaf_twiddles twiddles = {with_table ? leaves->lanes + i * LEAF_ROWS : w,
                                               !with_table};
        leaf(form, x, twiddles, out, at);
    }
}

typedef void run_leaves(const struct leaves *leaves, const struct cvec *w, const struct sink *out);

#define DEFINE_LEAVES(name, kind, with_table, by_fours)                                            \
    static void name(const struct leaves *leaves, const struct cvec *w, const struct sink *out)    \
    {                                                                                              \
        all_leaves((struct form){kind, by_fours}, with_table, leaves, w, out);                     \
    }
#define DEFINE_ALL_LEAVES(name, with_table, by_fours)                                              \
    DEFINE_LEAVES(leaves_##name##_mean, FOLD_MEAN, with_table, by_fours)                           \
    DEFINE_LEAVES(leaves_##name##_mean_max, FOLD_MEAN_MAX, with_table, by_fours)                   \
    DEFINE_LEAVES(leaves_##name##_mean_max_last, FOLD_MEAN_MAX_LAST, with_table, by_fours)         \
    DEFINE_LEAVES(leaves_##name##_any, FOLD_ANY, with_table, by_fours)
#define LIST_LEAVES(name)                                                                          \
    {                                                                                              \
        leaves_##name##_mean, leaves_##name##_mean_max, leaves_##name##_mean_max_last,             \
            leaves_##name##_any                                                                    \
    }

DEFINE_ALL_LEAVES(lane, false, false)
DEFINE_ALL_LEAVES(table, true, false)
DEFINE_ALL_LEAVES(lane_by_fours, false, true)
DEFINE_ALL_LEAVES(table_by_fours, true, true)

void CPU_SYMBOL(columns_leaves)(const struct columns_plan *plan, const struct leaves *leaves,
                                const struct sink *out)
{
    static run_leaves *const forms[2][2][FOLDS] = {
        {LIST_LEAVES(lane), LIST_LEAVES(table)},
        {LIST_LEAVES(lane_by_fours), LIST_LEAVES(table_by_fours)},
    };
    const enum fold kind = fold_of(out);
    if (out->first)
        clear(kind, out, leaves->first, leaves->count * LEAF);
    forms[plan->by_fours][plan->whole_table][kind](leaves, plan->leaf, out);
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
    leaf((struct form){kind, format_of(input) == FFT_IQ_CF32}, x, twiddles, out, 0);
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
    const enum fold kind = fold_of(out);
    if (out->first)
        clear(kind, out, 0, LEAF);
    runs[input][kind](from, plan->leaf, out);
}
