/*
 * ddc_filter.c - a decimating FIR filter with real taps; compiled once for each instruction set.
 *
 * Several outputs are computed at once, so that a tap is loaded once for all of them. Each has a
 * sum of its own, in an order that does not depend on the others.
 */
#include <string.h>

#include "daemon/ddc/ddc_loops.h"

enum { AT_ONCE = 4, QUADS = DDC_LANES / 4 };

/* Floats of any address: the compiler has instructions for them, or replaces them. */
typedef float lanes __attribute__((vector_size(4 * DDC_LANES), aligned(4), may_alias));
typedef float quad __attribute__((vector_size(16), may_alias));

void DDC_SYMBOL(filter)(const struct ddc_filter *f, const float *re, const float *im,
                        size_t outputs, float *to_re, float *to_im);

static inline float sum_of(lanes v)
{
    quad part[QUADS];
    memcpy(part, &v, sizeof v);
    quad sum = part[0];
    for (int i = 1; i < QUADS; i++)
        sum += part[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* `outputs` is a constant wherever this is inlined: the sums stay in registers. */
static inline __attribute__((always_inline)) void filter_some(const struct ddc_filter *f,
                                                              const float *re, const float *im,
                                                              size_t outputs, float *to_re,
                                                              float *to_im)
{
    lanes sum_re[AT_ONCE] = {{0}}, sum_im[AT_ONCE] = {{0}};
    for (size_t k = 0; k < f->taps; k += DDC_LANES) {
        const lanes tap = *(const lanes *)(f->tap + k);
        _Pragma("GCC unroll 4") for (size_t i = 0; i < outputs; i++)
        {
            sum_re[i] += tap * *(const lanes *)(re + i * f->factor + k);
            sum_im[i] += tap * *(const lanes *)(im + i * f->factor + k);
        }
    }
    _Pragma("GCC unroll 4") for (size_t i = 0; i < outputs; i++)
    {
        to_re[i] = sum_of(sum_re[i]);
        to_im[i] = sum_of(sum_im[i]);
    }
}

void DDC_SYMBOL(filter)(const struct ddc_filter *f, const float *re, const float *im,
                        size_t outputs, float *to_re, float *to_im)
{
    size_t i = 0;
    for (; i + AT_ONCE <= outputs; i += AT_ONCE)
        filter_some(f, re + i * f->factor, im + i * f->factor, AT_ONCE, to_re + i, to_im + i);
    for (; i < outputs; i++)
        filter_some(f, re + i * f->factor, im + i * f->factor, 1, to_re + i, to_im + i);
}
