/*
 * ddc_shift.c - converts and shifts raw samples; compiled once for each instruction set.
 *
 * A sample of two integers is loaded as one word, so that vectors of them need no reordering. The
 * compiler must not fuse multiplications and additions by itself: it could fuse the last samples of
 * a block, which do not fill a vector, in another way than those before them.
 */
#include <math.h>

#include "daemon/ddc/ddc_loops.h"

extern ddc_shift_loop *const DDC_SYMBOL(shift)[FFT_IQ_FORMATS];

#ifdef FP_FAST_FMAF
#define MULTIPLY_ADD(a, b, c) __builtin_fmaf(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

/* Words of any address. */
typedef uint16_t word16 __attribute__((aligned(1), may_alias));
typedef uint32_t word32 __attribute__((aligned(1), may_alias));

#define DEFINE_SHIFT(name, type, first, second)                                                    \
    static void name(const struct ddc_turn *turn, const void *raw, size_t count,                   \
                     float *restrict re, float *restrict im)                                       \
    {                                                                                              \
        const float *restrict turn_re = turn->re, *restrict turn_im = turn->im;                    \
        const float base_re = turn->base_re, base_im = turn->base_im;                              \
        const type *in = raw;                                                                      \
        for (size_t i = 0; i < count; i++) {                                                       \
            const float w_re = MULTIPLY_ADD(turn_re[i], base_re, -(turn_im[i] * base_im));         \
            const float w_im = MULTIPLY_ADD(turn_re[i], base_im, turn_im[i] * base_re);            \
            const float in_re = (first), in_im = (second);                                         \
            re[i] = MULTIPLY_ADD(in_re, w_re, -(in_im * w_im));                                    \
            im[i] = MULTIPLY_ADD(in_re, w_im, in_im * w_re);                                       \
        }                                                                                          \
    }

/* Bits from .. from + size - 1 of a word, as a signed number. */
#define SIGNED(word, from, size)                                                                   \
    ((int32_t)((uint32_t)(word) << (32 - (from) - (size))) >> (32 - (size)))

DEFINE_SHIFT(shift_cu8, word16, (float)(in[i] & 0xff) - 127.5F, (float)(in[i] >> 8) - 127.5F)
DEFINE_SHIFT(shift_cs8, word16, (float)SIGNED(in[i], 0, 8), (float)SIGNED(in[i], 8, 8))
DEFINE_SHIFT(shift_cs16, word32, (float)SIGNED(in[i], 0, 16), (float)SIGNED(in[i], 16, 16))
DEFINE_SHIFT(shift_cf32, float, in[2 * i], in[2 * i + 1])

ddc_shift_loop *const DDC_SYMBOL(shift)[FFT_IQ_FORMATS] = {
    [FFT_IQ_CU8] = shift_cu8,
    [FFT_IQ_CS8] = shift_cs8,
    [FFT_IQ_CS16] = shift_cs16,
    [FFT_IQ_CF32] = shift_cf32,
};
