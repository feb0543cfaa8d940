/*
 * samples.cl - the raw formats: FORMAT is one of these, and PARTS(1), PARTS(2), ... a vector of so
 * many of its numbers. The format's full scale is in the window; only the middle of cu8's codes is
 * taken off here.
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

/* Points of COLUMNS neighbouring samples, windowed. */
#define SAMPLES(at) (JOIN(SAMPLES_, COLUMNS)(at) - MIDDLE)
#define SAMPLES_1(at) convert_float2(vload2(0, (at)))
#define SAMPLES_2(at) convert_float4(vload4(0, (at)))
#define WINDOW(at) JOIN(WINDOW_, COLUMNS)(at)
#define WINDOW_1(at) ((float2)(*(at)))
#define WINDOW_2(at) (vload2(0, (at)).xxyy)
