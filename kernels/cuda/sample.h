/*
 * sample.h - the raw formats: how a sample lies in memory, and as a point. The format's full scale
 * is in the window; only the middle of cu8's codes is taken off here.
 */
#ifndef FFTD_KERNELS_CUDA_SAMPLE_H
#define FFTD_KERNELS_CUDA_SAMPLE_H

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
    /* Half words are converted at a quarter of the rate of whole ones: so no more than one of them.
     */
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

#endif
