/*
 * sample.h - raw sample formats: layout in memory and conversion to points. The window includes the
 * full scale of the format; only the centre of the codes of cu8 is subtracted here.
 */
#ifndef FFTD_KERNELS_CUDA_SAMPLE_H
#define FFTD_KERNELS_CUDA_SAMPLE_H

#include "kernels/cuda/args.h"
#include "kernels/cuda/device.h"

struct cu8 {
    typedef unsigned short raw;
    DEVICE point unpack(raw x)
    {
        return {(float)(x & 0xff) - 127.5F, (float)(x >> 8) - 127.5F};
    }
};

struct cs8 {
    typedef unsigned short raw;
    DEVICE point unpack(raw x)
    {
        return {(float)(signed char)(x & 0xff), (float)(signed char)(x >> 8)};
    }
};

struct cs16 {
    typedef unsigned int raw;
    /* Half words convert at a quarter of the rate of words, so only one is converted. */
    DEVICE point unpack(raw x)
    {
        return {(float)(int16_t)(x & 0xffff), (float)((int)x >> 16)};
    }
};

struct cf32 {
    typedef point raw;
    DEVICE point unpack(raw x)
    {
        return x;
    }
};

DEVICE point correct(point x, const sample_correction &c)
{
    return {fmaf(c.ii, x.re, c.re), fmaf(c.qi, x.re, fmaf(c.qq, x.im, c.im))};
}

#endif
