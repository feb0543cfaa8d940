/*
 * cut_shift.c - converts and shifts raw samples; compiled once for each instruction set.
 *
 * It is compiled without fused multiply-add: the compiler could fuse the last samples of a block,
 * which do not fill a vector, in another way than those before them.
 */
#include "daemon/record/cut_loops.h"

extern cut_shift_loop *const CUT_SYMBOL(shift)[FFT_IQ_FORMATS];

#define DEFINE_SHIFT(name, type, zero)                                                             \
    static void name(const struct cut_turn *turn, const void *raw, size_t count,                   \
                     float *restrict re, float *restrict im)                                       \
    {                                                                                              \
        const float *restrict turn_re = turn->re, *restrict turn_im = turn->im;                    \
        const float base_re = turn->base_re, base_im = turn->base_im;                              \
        const type *in = raw;                                                                      \
        for (size_t i = 0; i < count; i++) {                                                       \
            const float w_re = turn_re[i] * base_re - turn_im[i] * base_im;                        \
            const float w_im = turn_re[i] * base_im + turn_im[i] * base_re;                        \
            const float in_re = (float)in[2 * i] - (zero), in_im = (float)in[2 * i + 1] - (zero);  \
            re[i] = in_re * w_re - in_im * w_im;                                                   \
            im[i] = in_re * w_im + in_im * w_re;                                                   \
        }                                                                                          \
    }

DEFINE_SHIFT(shift_cu8, uint8_t, 127.5F)
DEFINE_SHIFT(shift_cs8, int8_t, 0.0F)
DEFINE_SHIFT(shift_cs16, int16_t, 0.0F)
DEFINE_SHIFT(shift_cf32, float, 0.0F)

cut_shift_loop *const CUT_SYMBOL(shift)[FFT_IQ_FORMATS] = {
    [FFT_IQ_CU8] = shift_cu8,
    [FFT_IQ_CS8] = shift_cs8,
    [FFT_IQ_CS16] = shift_cs16,
    [FFT_IQ_CF32] = shift_cf32,
};
