/*
 * demod_carrier.h - what AM and synchronous AM share behind their detectors: the audio filter, the
 * high-pass that takes the carrier out, and the gain by the carrier. One thread each.
 *
 * The gain brings the carrier to -6 dBFS: full modulation then has peaks of -6 dBFS. It follows the
 * mean amplitude over 100 ms, so that modulation does not change it. It also follows the audio
 * peaks where they would exceed -1.6 dBFS, so that a suddenly rising carrier is not too loud.
 */
#ifndef FFTD_DAEMON_DEMOD_MODE_DEMOD_CARRIER_H
#define FFTD_DAEMON_DEMOD_MODE_DEMOD_CARRIER_H

#include "daemon/demod/demod.h"
#include "daemon/demod/demod_agc.h"
#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/demod_filter.h"

enum { DEMOD_CARRIER_CHUNK = 480, DEMOD_CARRIER_DECIMATION = 2 };

struct demod_carrier {
    bool manual, notches;
    float manual_gain;
    struct demod_filter audio; /* of the audio and of the amplitude alike */
    struct demod_biquad highpass, notch;
    double mean;         /* of the amplitude */
    double seen, memory; /* frames in that mean, and the most that count */
    struct demod_agc agc;
    struct demod_fade fade;
};

int demod_carrier_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why);
struct demod_band demod_carrier_band(const struct demod_config *c); /* of the mode filter */
/* -ENOMEM; finish also after a failure. */
int demod_carrier_init(struct demod_carrier *d, const struct demod_config *c,
                       const struct demod_plan *p);
void demod_carrier_finish(struct demod_carrier *d);
void demod_carrier_reset(struct demod_carrier *d);
/* detected, amplitude: [count], at most DEMOD_CARRIER_CHUNK. Returns frames of audio. */
size_t demod_carrier_run(struct demod_carrier *d, const float *detected, const float *amplitude,
                         size_t count, float *audio);
double demod_carrier_gain_db(const struct demod_carrier *d);

#endif
