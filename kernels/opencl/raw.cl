/*
 * raw.cl - the raw formats: FORMAT is one of these. `raw` is the type of its numbers, two for each
 * sample. The window includes the full scale of the format. Only the middle of cu8's codes is
 * subtracted here.
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
