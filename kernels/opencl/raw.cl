/*
 * raw.cl - the raw formats: FORMAT is one of these, `raw` its numbers, two a sample. The format's full
 * scale is in the window; only the middle of cu8's codes is taken off here.
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
