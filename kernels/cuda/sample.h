/*
 * sample.h - the raw formats: how a sample lies in memory, and as a point. The format's full scale is
 * in the window; only the middle of cu8's codes is taken off here.
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
    DEVICE point unpack(raw x)
    {
        return {(float)(short)(x & 0xffff), (float)(short)(x >> 16)};
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
