/* packed_twiddles.c - phasors and steps of a codelet, a vector of 16 at a time. */
#include "studies/gpu_fft/tests/packed_twiddles.h"

#include <math.h>

enum { LANES = PACKED_LANES };

/* Complex vectors, interleaved. Angles are parts of a circle. */
static void put_phasor(float **to, double angle, double sign)
{
    *(*to)++ = (float)cos(2 * M_PI * angle);
    *(*to)++ = (float)(sign * sin(2 * M_PI * angle));
}

/* The recurrence's constants: 2 sin^2(angle / 2) and sin(angle). */
static void put_step(float **to, double angle, double sign)
{
    const double half = sin(M_PI * angle);
    *(*to)++ = (float)(2 * half * half);
    *(*to)++ = (float)(sign * sin(2 * M_PI * angle));
}

void packed_twiddles_put(float **to, int bits, double angle, double sign, bool step)
{
    for (; bits > 4; bits--, angle *= 2)
        for (int i = 0; i < LANES << (bits - 5); i++)
            if (step)
                put_step(to, angle, sign);
            else
                put_phasor(to, ldexp(i, -bits) + angle, sign);
    for (int e = 0; e < LANES; e++) {
        const int stage = e < 2 ? 0 : e < 4 ? 1 : e < 8 ? 2 : 3;
        const double own = e ? angle * (8 >> stage) : 0;
        const double of_stage = e ? ldexp(e - (1 << stage), -stage - 1) : 0;
        if (step)
            put_step(to, own, sign);
        else
            put_phasor(to, of_stage + own, sign);
    }
}
