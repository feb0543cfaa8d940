/* columns_level.c - the column passes: DFTs over rows, in one step or two, and their twiddles. */
#include "fft/cpu/butterfly.h"
#include "fft/cpu/columns.h"

/* radix = a: every block of columns is loaded, transformed and stored with its twiddles. */
INLINE void single(unsigned format, size_t a, const struct pass *p)
{
    const float *w = p->level->outer;
    for (size_t block = 0; block < p->level->blocks; block++, w += 2 * (a - 1)) {
        struct cvec x[16];
        UNROLL
        for (size_t r = 0; r < a; r++)
            x[r] = fetch(format, &p->from, r * p->from.stride + block);
        butterfly(a, x);
        p->to[block] = x[0];
        UNROLL
        for (size_t k = 1; k < a; k++)
            p->to[k * p->to_stride + block] =
                vec_scale(x[butterfly_slot(a, k)], w[2 * k - 2], w[2 * k - 1]);
    }
}

/* The first step of two, for one block: b transforms of a rows, b apart, into the scratch. */
INLINE void step_one(unsigned format, size_t a, const struct pass *p, size_t block)
{
    const float *w = p->level->inner;
    const size_t b = p->level->b, stride = b * p->from.stride;
    for (size_t q = 0; q < b; q++, w += 2 * (a - 1)) {
        const size_t at = q * p->from.stride + block;
        struct cvec x[16];
        UNROLL
        for (size_t r = 0; r < a; r++) {
            x[r] = fetch(format, &p->from, at + r * stride);
            if (p->from.ahead)
                fetch_ahead(format, &p->from, at + r * stride + p->from.ahead);
        }
        butterfly(a, x);
        p->scratch[q] = x[0];
        UNROLL
        for (size_t k = 1; k < a; k++)
            p->scratch[k * b + q] = vec_scale(x[butterfly_slot(a, k)], w[2 * k - 2], w[2 * k - 1]);
    }
}

/* The second step: a transforms of the scratch's b rows; result k + a k2 goes to its own row. */
INLINE void step_two(size_t b, const struct pass *p, size_t block)
{
    const size_t a = p->level->a, stride = a * p->to_stride;
    const float *w = p->level->outer + 2 * block * p->level->radix;
    for (size_t k = 0; k < a; k++, w += 2 * b) {
        struct cvec *to = p->to + k * p->to_stride + block, x[16];
        UNROLL
        for (size_t r = 0; r < b; r++)
            x[r] = p->scratch[k * b + r];
        butterfly(b, x);
        UNROLL
        for (size_t k2 = 0; k2 < b; k2++) {
            if (p->from.ahead) {
                __builtin_prefetch(&to[k2 * stride + 1].re, 1);
                __builtin_prefetch(&to[k2 * stride + 1].im, 1);
            }
            to[k2 * stride] = vec_scale(x[butterfly_slot(b, k2)], w[2 * k2], w[2 * k2 + 1]);
        }
    }
}

/* One function for each format and radix: the constants decide how many registers are used. */
typedef void single_pass(const struct pass *p);
typedef void block_step(const struct pass *p, size_t block);

#define DEFINE_SINGLE(format, name, a)                                                             \
    static void single_##name##_##a(const struct pass *p)                                          \
    {                                                                                              \
        single(format, a, p);                                                                      \
    }
#define DEFINE_STEP(format, name, a)                                                               \
    static void step_##name##_##a(const struct pass *p, size_t block)                              \
    {                                                                                              \
        step_one(format, a, p, block);                                                             \
    }
#define DEFINE_INPUT(format, name)                                                                 \
    DEFINE_SINGLE(format, name, 2)                                                                 \
    DEFINE_SINGLE(format, name, 4)                                                                 \
    DEFINE_SINGLE(format, name, 8)                                                                 \
    DEFINE_SINGLE(format, name, 16)                                                                \
    DEFINE_STEP(format, name, 4)                                                                   \
    DEFINE_STEP(format, name, 8)                                                                   \
    DEFINE_STEP(format, name, 16)

DEFINE_INPUT(IQ_CU8, cu8)
DEFINE_INPUT(IQ_CS8, cs8)
DEFINE_INPUT(IQ_CS16, cs16)
DEFINE_INPUT(IQ_CF32, cf32)
DEFINE_INPUT(IQ_FORMATS, vectors)

#define LIST_INPUT(name)                                                                           \
    {                                                                                              \
        {[2] = single_##name##_2,                                                                  \
         [4] = single_##name##_4,                                                                  \
         [8] = single_##name##_8,                                                                  \
         [16] = single_##name##_16},                                                               \
        {                                                                                          \
            [4] = step_##name##_4, [8] = step_##name##_8, [16] = step_##name##_16                  \
        }                                                                                          \
    }

static const struct {
    single_pass *single[17]; /* by radix */
    block_step *step[17];    /* by a */
} inputs[IQ_FORMATS + 1] = {LIST_INPUT(cu8), LIST_INPUT(cs8), LIST_INPUT(cs16), LIST_INPUT(cf32),
                            LIST_INPUT(vectors)};

static void second_step_8(const struct pass *p, size_t block)
{
    step_two(8, p, block);
}

static void second_step_16(const struct pass *p, size_t block)
{
    step_two(16, p, block);
}

void CPU_SYMBOL(columns_level)(unsigned format, const struct pass *p)
{
    const struct level *level = p->level;

    if (level->b == 1) {
        inputs[format].single[level->a](p);
        return;
    }
    block_step *one = inputs[format].step[level->a];
    block_step *two = level->b == 8 ? second_step_8 : second_step_16;
    for (size_t block = 0; block < level->blocks; block++) {
        one(p, block);
        two(p, block);
    }
}
