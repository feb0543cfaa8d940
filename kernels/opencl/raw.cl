/*
 * raw.cl - the raw formats: FORMAT is one of these. `raw` is the type of its numbers, two for each
 * sample. The window includes the full scale of the format. Only the middle of cu8's codes is
 * subtracted here.
 *
 * CORRECTED: samples are corrected on load (fft/correction.h), by the last parameters of the kernel,
 * CORRECTION. CORRECT_1 and CORRECT_2 correct one sample and two.
 */
#define cu8 1
#define cs8 2
#define cs16 3
#define cf32 4

#if FORMAT == cu8
typedef uchar raw;
#define MIDDLE 127.5f
#elif FORMAT == cs8
typedef char raw;
#elif FORMAT == cs16
typedef short raw;
#else
typedef float raw;
#endif
#ifndef MIDDLE
#define MIDDLE 0.0f
#endif

#if CORRECTED
#define CORRECTION , float ii, float qi, float qq, float re, float im
#define CORRECTION_VALUES , ii, qi, qq, re, im
#define CORRECT_1(x) corrected_1((x)CORRECTION_VALUES)
#define CORRECT_2(x) corrected_2((x)CORRECTION_VALUES)
float2 corrected_1(float2 x CORRECTION)
{
    return (float2)(ii * x.x + re, qi * x.x + (qq * x.y + im));
}
float4 corrected_2(float4 x CORRECTION)
{
    return (float4)(corrected_1(x.lo CORRECTION_VALUES), corrected_1(x.hi CORRECTION_VALUES));
}
#else
#define CORRECTION
#define CORRECTION_VALUES
#define CORRECT_1(x) (x)
#define CORRECT_2(x) (x)
#endif
