/*
 * fast_math.h - elementary functions of floats, made so that compilers vectorise loops of them.
 *
 * The files with such loops are compiled with -O3 -fno-trapping-math (daemon/CMakeLists.txt). The
 * polynomials go through Chebyshev's points. Pure, any thread.
 */
#ifndef FFTD_DAEMON_BASE_FAST_MATH_H
#define FFTD_DAEMON_BASE_FAST_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* log2 x to 1e-6, and to 3e-7 of its value above 1; x is normal and positive. */
static inline float fast_log2(float x)
{
    const int32_t sqrt_half = 0x3f3504f3;
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t exponent = (bits - sqrt_half) >> 23;
    const int32_t mantissa_bits = (int32_t)((uint32_t)bits - ((uint32_t)exponent << 23));
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float t = m - 1.0F; /* sqrt(1/2) - 1 .. sqrt(2) - 1 */
    float p = 0.168186591F;
    p = p * t - 0.267963871F;
    p = p * t + 0.296119557F;
    p = p * t - 0.359524455F;
    p = p * t + 0.480613125F;
    p = p * t - 0.721360179F;
    p = p * t + 1.44269652F;
    return (float)exponent + p * t;
}

/* 2^x to 3e-7 of its value; x is -125 .. 127. */
static inline float fast_exp2(float x)
{
    const int32_t whole = (int32_t)(x + 256.5F) - 256;
    const float t = (x - (float)whole) * 0.693147181F; /* -ln 2 / 2 .. ln 2 / 2 */
    const int32_t scale_bits = (int32_t)((uint32_t)(whole + 127) << 23);
    float scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    float p = 1.0F / 720; /* of Taylor's series */
    p = p * t + 1.0F / 120;
    p = p * t + 1.0F / 24;
    p = p * t + 1.0F / 6;
    p = p * t + 0.5F;
    p = p * t + 1.0F;
    p = p * t + 1.0F;
    return p * scale;
}

/* The angle of (x, y) in radians, to 5e-7; 0 for (0, 0). x and y are finite. */
static inline float fast_atan2(float y, float x)
{
    const float quarter = (float)M_PI_2, half = (float)M_PI;
    const float across = fabsf(x), up = fabsf(y);
    const float large = across > up ? across : up, small = across > up ? up : across;
    const float ratio = small / (large > 0 ? large : 1.0F), s = ratio * ratio;
    float p = -0.00466877331F;
    p = p * s + 0.0241661895F;
    p = p * s - 0.0593671008F;
    p = p * s + 0.099060969F;
    p = p * s - 0.14016585F;
    p = p * s + 0.199692354F;
    p = p * s - 0.333319597F;
    p = p * s + 0.999999898F;
    float angle = p * ratio;
    angle = up > across ? quarter - angle : angle;
    angle = x < 0 ? half - angle : angle;
    return copysignf(angle, y);
}

#endif
