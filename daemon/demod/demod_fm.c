/* demod_fm.c - an FM discriminator whose loop the compiler vectorises. */
#include "daemon/demod/demod_fm.h"

#include "daemon/base/fast_math.h"

void demod_fm_init(struct demod_fm *d, double rate_hz, double full_hz)
{
    *d = (struct demod_fm){.unit = (float)(rate_hz / (2 * M_PI * full_hz))};
}

void demod_fm_reset(struct demod_fm *d)
{
    d->re = d->im = 0;
}

static inline float turn(float re, float im, float before_re, float before_im)
{
    return fast_atan2(im * before_re - re * before_im, re * before_re + im * before_im);
}

void demod_fm_run(struct demod_fm *d, const float *restrict re, const float *restrict im,
                  size_t count, float *restrict out)
{
    if (count == 0)
        return;
    const float unit = d->unit;
    out[0] = turn(re[0], im[0], d->re, d->im) * unit;
    for (size_t i = 1; i < count; i++)
        out[i] = turn(re[i], im[i], re[i - 1], im[i - 1]) * unit;
    d->re = re[count - 1];
    d->im = im[count - 1];
}
