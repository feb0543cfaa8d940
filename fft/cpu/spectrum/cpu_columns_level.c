/* cpu_columns_level.c - the column passes: DFTs over rows, in one step or two, and their twiddles.
 */
#include "fft/cpu/base/cpu_butterfly.h"
#include "fft/cpu/spectrum/cpu_columns.h"

/*
 * In a frame of two levels, and in the second of three, a row is a leaf: its LEAF_ROWS vectors (and
 * the padding after the first level) are constants in the addresses. Otherwise the addresses of
 * sixteen rows would need more registers than there are.
 */
enum { ANY_STRIDE = 0 };

INLINE struct rows with_stride(const struct rows *rows, size_t stride)
{
    struct rows copy = *rows;
    if (stride != ANY_STRIDE)
        copy.stride = stride;
    return copy;
}

/* radix = a: every block of columns is loaded, transformed and stored with its twiddles. */
INLINE void single(unsigned input, size_t a, const struct pass *p)
{
    const struct rows from = p->from;
    const bool in_place = input == VECTORS;
    const size_t to_stride = in_place ? LEAF_ROWS : PADDED_ROW;
    const float *w = p->level->outer;
    struct cvec *to = p->to;
    for (size_t block = 0; block < LEAF_ROWS; block++, w += 2 * (a - 1), to++) {
        struct cvec x[16];
        UNROLL
        for (size_t g = 0; g < first_groups(a); g++) {
            UNROLL
            for (size_t r = g; r < a; r += first_groups(a)) {
                x[r] = fetch(input, &from, r * LEAF_ROWS + block, block * a + r);
                fetch_ahead(input, &from, (r + a) * LEAF_ROWS + block);
            }
            butterfly_first(a, x, g);
        }
        UNROLL
        for (size_t g = 0; g < last_groups(a); g++) {
            butterfly_last(a, x, g);
            UNROLL
            for (size_t k = g; k < a; k += last_groups(a)) {
                const struct cvec v = x[butterfly_index(a, k)];
                to[k * to_stride] = k == 0 ? v : vec_scale(v, w[2 * k - 2], w[2 * k - 1]);
            }
        }
    }
}

/* The first step of two, for one block: b transforms of a rows, b apart, into the scratch. */
INLINE void step_one(unsigned input, size_t a, size_t b, size_t stride, const struct pass *p,
                     size_t block)
{
    const struct rows from = with_stride(&p->from, stride);
    const float *w = p->level->inner;
    struct cvec *to = p->scratch;
    const bool is_long = stride == ANY_STRIDE || input == VECTORS; /* else the next frame follows */
    const size_t ahead = is_long ? 1 : a * b * LEAF_ROWS;
    size_t at = block;
    for (size_t q = 0; q < b; q++, w += 2 * (a - 1), at += from.stride, to++) {
        struct cvec x[16];
        UNROLL
        for (size_t g = 0; g < first_groups(a); g++) {
            UNROLL
            for (size_t r = g; r < a; r += first_groups(a)) {
                const size_t i = at + r * b * from.stride;
                x[r] = fetch(input, &from, i, (block * b + q) * a + r);
                fetch_ahead(input, &from, i + ahead);
            }
            butterfly_first(a, x, g);
        }
        UNROLL
        for (size_t g = 0; g < last_groups(a); g++) {
            butterfly_last(a, x, g);
            UNROLL
            for (size_t k = g; k < a; k += last_groups(a)) {
                const struct cvec v = x[butterfly_index(a, k)];
                to[k * b] = k == 0 ? v : vec_scale(v, w[2 * k - 2], w[2 * k - 1]);
            }
        }
    }
}

/* With a stride that is known at run time only: past the caches, or fetching what the next block
 * stores to. */
INLINE void store_row(size_t stride, bool streams, struct cvec *at, struct cvec v)
{
    if (stride == ANY_STRIDE && streams) {
        VEC_STREAM(&at->re, v.re);
        VEC_STREAM(&at->im, v.im);
        return;
    }
    if (stride == ANY_STRIDE) {
        __builtin_prefetch(&at[1].re, 1);
        __builtin_prefetch(&at[1].im, 1);
    }
    *at = v;
}

/* The second step: a transforms of the scratch's b rows; result k + a k2 goes to its own row. */
INLINE void step_two(size_t a, size_t b, size_t stride, const struct pass *p, size_t block)
{
    const size_t to_stride = stride != ANY_STRIDE ? stride : p->to_stride;
    const float *w = p->level->outer + 2 * block * a * b;
    const struct cvec *from = p->scratch;
    struct cvec *to = p->to + block;
    for (size_t k = 0; k < a; k++, w += 2 * b, from += b, to += to_stride) {
        struct cvec x[16];
        UNROLL
        for (size_t g = 0; g < first_groups(b); g++) {
            UNROLL
            for (size_t r = g; r < b; r += first_groups(b))
                x[r] = from[r];
            butterfly_first(b, x, g);
        }
        UNROLL
        for (size_t g = 0; g < last_groups(b); g++) {
            butterfly_last(b, x, g);
            UNROLL
            for (size_t k2 = g; k2 < b; k2 += last_groups(b)) {
                const struct cvec v =
                    vec_scale(x[butterfly_index(b, k2)], w[2 * k2], w[2 * k2 + 1]);
                store_row(stride, p->streams, to + k2 * a * to_stride, v);
            }
        }
    }
}

/* ---- one function for each input and radix: the constants decide how many registers are used
 * ---- */

typedef void run_level(const struct pass *p);

INLINE void two_steps(unsigned input, size_t a, size_t b, size_t from_stride, size_t to_stride,
                      const struct pass *p)
{
    for (size_t block = 0; block < p->level->blocks; block++) {
        step_one(input, a, b, from_stride, p, block);
        step_two(a, b, to_stride, p, block);
    }
}

#define DEFINE_SINGLE(input, name, a)                                                              \
    static void single_##name##_##a(const struct pass *p)                                          \
    {                                                                                              \
        single(input, a, p);                                                                       \
    }
/* Near: a row is a leaf. Far: longer, in a frame of three levels. */
#define DEFINE_TWO(input, name, a, b, to_stride)                                                   \
    static void near_##name##_##a##_##b(const struct pass *p)                                      \
    {                                                                                              \
        two_steps(input, a, b, LEAF_ROWS, to_stride, p);                                           \
    }                                                                                              \
    static void far_##name##_##a##_##b(const struct pass *p)                                       \
    {                                                                                              \
        two_steps(input, a, b, ANY_STRIDE, ANY_STRIDE, p);                                         \
    }
#define DEFINE_INPUT(input, name, to_stride)                                                       \
    DEFINE_SINGLE(input, name, 2)                                                                  \
    DEFINE_SINGLE(input, name, 4)                                                                  \
    DEFINE_SINGLE(input, name, 8)                                                                  \
    DEFINE_SINGLE(input, name, 16)                                                                 \
    DEFINE_TWO(input, name, 4, 8, to_stride)                                                       \
    DEFINE_TWO(input, name, 8, 8, to_stride)                                                       \
    DEFINE_TWO(input, name, 8, 16, to_stride)                                                      \
    DEFINE_TWO(input, name, 16, 16, to_stride)

DEFINE_INPUT(FFT_IQ_CU8, cu8, PADDED_ROW)
DEFINE_INPUT(FFT_IQ_CS8, cs8, PADDED_ROW)
DEFINE_INPUT(FFT_IQ_CS16, cs16, PADDED_ROW)
DEFINE_INPUT(FFT_IQ_CF32, cf32, PADDED_ROW)
DEFINE_INPUT(VECTORS, vectors, LEAF_ROWS)
DEFINE_INPUT(CORRECTED + FFT_IQ_CU8, corrected_cu8, PADDED_ROW)
DEFINE_INPUT(CORRECTED + FFT_IQ_CS8, corrected_cs8, PADDED_ROW)
DEFINE_INPUT(CORRECTED + FFT_IQ_CS16, corrected_cs16, PADDED_ROW)
DEFINE_INPUT(CORRECTED + FFT_IQ_CF32, corrected_cf32, PADDED_ROW)

#define LIST_INPUT(name)                                                                           \
    {                                                                                              \
        {single_##name##_2, single_##name##_4, single_##name##_8,  single_##name##_16,             \
         near_##name##_4_8, near_##name##_8_8, near_##name##_8_16, near_##name##_16_16},           \
        {                                                                                          \
            [4] = far_##name##_4_8, far_##name##_8_8, far_##name##_8_16, far_##name##_16_16        \
        }                                                                                          \
    }

/* [input][far][log2(radix) - 1] */
static run_level *const levels[INPUTS][2][8] = {
    LIST_INPUT(cu8),           LIST_INPUT(cs8),
    LIST_INPUT(cs16),          LIST_INPUT(cf32),
    LIST_INPUT(vectors),       LIST_INPUT(corrected_cu8),
    LIST_INPUT(corrected_cs8), LIST_INPUT(corrected_cs16),
    LIST_INPUT(corrected_cf32)};

void CPU_SYMBOL(columns_level)(unsigned input, const struct pass *p)
{
    const bool far = p->level->blocks != LEAF_ROWS;
    levels[input][far][__builtin_ctz(p->level->radix) - 1](p);
}
