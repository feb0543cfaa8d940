/*
 * rule.h - index rules of the document for rows of 2^bits points, for kernels and the host. In
 * stage p = 1 .. bits, with stride S = 2^bits >> p, input in natural order, output permuted:
 *
 *     v[i] = i & S ? v[i - S] - v[i] : v[i] + v[i + S]          all read before they are written
 *     v[i] = v[i] W^Q  where i & S/2, except in the last stage   W = exp(-2 pi i / 2^bits)
 *     Q    = the top p bits of i, reversed, as the top of bits - 1 bits
 *
 * v[i] ends as the bin whose number is i with its bits reversed. Decimation in frequency has the
 * same strides; its twiddle, (i mod S) << (p - 1), belongs to the lower half of the same butterfly.
 */
#ifndef FFTD_STUDIES_CUDA_3D_KERNELS_RULE_H
#define FFTD_STUDIES_CUDA_3D_KERNELS_RULE_H

#include <stdint.h>

#ifdef __cplusplus
#include "kernels/cuda/device.h"
#define RULE      DEVICE
#define STEP_RULE CONSTANT
#else
#define RULE      static inline
#define STEP_RULE static inline
#endif

STEP_RULE int stride_of(int bits, int stage)
{
    return 1 << bits >> stage;
}

RULE uint32_t bits_reversed(uint32_t v)
{
#ifdef __CUDACC__
    return __brev(v);
#else
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; bit++)
        reversed |= (v >> bit & 1) << (31 - bit);
    return reversed;
#endif
}

/* Bin of element i of the result. */
RULE int bin_of_element(int bits, int i)
{
    return (int)(bits_reversed((uint32_t)i) >> (32 - bits));
}

/*
 * Exponent of an element after a stage of decimation in time. The top bits of the element,
 * reversed, are the low bits of its bin: kernels reverse bits once, and have constant masks per
 * stage.
 */
RULE int exponent_in_time(int bits, int bin, int stage)
{
    return (bin & ((1 << stage) - 1)) << (bits - 1 - stage);
}

RULE int exponent_in_frequency(int bits, int i, int stage)
{
    return i % stride_of(bits, stage) << (stage - 1);
}

#endif
