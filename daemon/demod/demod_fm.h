/*
 * demod_fm.h - instantaneous frequency, from the phase difference of successive samples.
 *
 * The result is the mean over one sample period: a modulation at f is attenuated by sinc(f / rate)
 * and delayed by half a sample. One thread.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_FM_H
#define FFTD_DAEMON_DEMOD_DEMOD_FM_H

#include <stddef.h>

struct demod_fm {
    float re, im; /* of the sample before; 0, 0: there is none, and the first frequency is 0 */
    float unit;   /* of the output, a radian a sample */
};

/* full_hz: the frequency that reads 1. */
void demod_fm_init(struct demod_fm *d, double rate_hz, double full_hz);
void demod_fm_reset(struct demod_fm *d);
void demod_fm_run(struct demod_fm *d, const float *re, const float *im, size_t count, float *out);

#endif
