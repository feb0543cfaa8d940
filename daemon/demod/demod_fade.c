/* demod_fade.c - silence, and a raised cosine. */
#include "daemon/demod/demod_fade.h"

#include <math.h>

#define PI 3.14159265358979323846

void demod_fade_init(struct demod_fade *f, double rate_hz, double silent_s)
{
    *f = (struct demod_fade){.silent = (size_t)ceil(rate_hz * silent_s),
                             .rise = (size_t)ceil(rate_hz * 0.005)};
}

void demod_fade_reset(struct demod_fade *f)
{
    f->at = 0;
}

static float factor_of(const struct demod_fade *f)
{
    if (f->at < f->silent)
        return 0;
    return (float)(0.5 - 0.5 * cos(PI * (double)(f->at - f->silent) / (double)f->rise));
}

void demod_fade_run(struct demod_fade *f, float *audio, size_t frames, unsigned channels)
{
    for (size_t i = 0; i < frames && f->at < f->silent + f->rise; i++, f->at++) {
        const float factor = factor_of(f);
        for (unsigned c = 0; c < channels; c++)
            audio[i * channels + c] *= factor;
    }
}
