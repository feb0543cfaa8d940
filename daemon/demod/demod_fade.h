/*
 * demod_fade.h - audio that begins in silence, until the filters before it are full, and then comes
 * up in 5 ms. One thread each.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_FADE_H
#define FFTD_DAEMON_DEMOD_DEMOD_FADE_H

#include <stddef.h>

struct demod_fade {
    size_t silent, rise; /* frames */
    size_t at;
};

void demod_fade_init(struct demod_fade *f, double rate_hz, double silent_s);
void demod_fade_reset(struct demod_fade *f);
void demod_fade_run(struct demod_fade *f, float *audio, size_t frames, unsigned channels);

#endif
