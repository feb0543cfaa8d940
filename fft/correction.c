/* correction.c - converts the correction of samples into the units in which engines load them. */
#include "fft/correction.h"

#include <math.h>

struct fft_correction fft_correction_none(void)
{
    return (struct fft_correction){.ii = 1, .qq = 1};
}

static bool is(float value, float wanted)
{
    return value - wanted == 0;
}

bool fft_correction_is_none(const struct fft_correction *c)
{
    return is(c->dc_i, 0) && is(c->dc_q, 0) && is(c->ii, 1) && is(c->qi, 0) && is(c->qq, 1);
}

bool fft_correction_is_finite(const struct fft_correction *c)
{
    return isfinite(c->dc_i) && isfinite(c->dc_q) && isfinite(c->ii) && isfinite(c->qi) &&
           isfinite(c->qq);
}

struct raw_correction fft_correction_raw(const struct fft_correction *c, enum fft_iq_format format)
{
    const double scale = fft_iq_full_scale(format);
    const double i = (double)c->dc_i * scale, q = (double)c->dc_q * scale;
    return (struct raw_correction){.ii = c->ii,
                                   .qi = c->qi,
                                   .qq = c->qq,
                                   .re = (float)(-(double)c->ii * i),
                                   .im = (float)(-(double)c->qi * i - (double)c->qq * q)};
}
