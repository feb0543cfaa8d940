/*
 * demod_fm_noise.h - how much a carrier quiets the noise of an FM discriminator. One thread each.
 *
 * Without a carrier, the discriminator gives noise whose power between 4 and 6 kHz, above speech,
 * does not depend on the level; any carrier lowers it. The result is the ratio of that power to its
 * value without a carrier, which init measures with synthetic noise through the same filters. It
 * needs no estimate of the radio's noise and does not depend on the audio.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_FM_NOISE_H
#define FFTD_DAEMON_DEMOD_DEMOD_FM_NOISE_H

#include "daemon/demod/demod_filter.h"

struct demod_fm_noise {
    struct demod_filter filter;
    size_t window, have; /* outputs of the filter, 20 ms of them */
    double sum;
    double reference; /* power without a carrier */
    double newest;    /* of the newest whole window; < 0: there is none */
};

/* mode: the filter before the discriminator. -ENOMEM; finish also after a failure. */
int demod_fm_noise_init(struct demod_fm_noise *n, const struct demod_band *mode, double rate_hz,
                        double full_hz);
void demod_fm_noise_finish(struct demod_fm_noise *n);
void demod_fm_noise_reset(struct demod_fm_noise *n);
/* x: of the discriminator, at most DDC_STAGE_BLOCK. */
void demod_fm_noise_run(struct demod_fm_noise *n, const float *x, size_t count);
double demod_fm_noise_db(const struct demod_fm_noise *n); /* NAN: not known */

#endif
