/*
 * direction.h - the direction and the scale of a pass. The inverse swaps real and imaginary parts
 * before and after the forward transform; results are multiplied as they are stored.
 */
#ifndef FFTD_KERNELS_CUDA_DIRECTION_H
#define FFTD_KERNELS_CUDA_DIRECTION_H

#include "kernels/cuda/device.h"

DEVICE point swapped(point v, uint32_t swap)
{
    return swap ? point{v.im, v.re} : v;
}

/* What a pass stores for point v of the forward transform. */
DEVICE point result_of(const pass_args &a, point v)
{
    return swapped({v.re * a.scale, v.im * a.scale}, a.inverse);
}

#endif
