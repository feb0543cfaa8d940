/*
 * demod_agc.h - automatic gain control with look-ahead. One thread each.
 *
 * Audio is taken in blocks of 5 ms, each with a level, and leaves a block later. At the border of
 * two blocks, the gain is at most the one that brings the louder block to the target; within a
 * block it changes exponentially. No sample exceeds the target, however steep the rise, and a
 * constant tone gets a constant gain.
 *
 *     level     ________|^^^^^^^^|________ ...            one loud block
 *     gain      ------\__________/........ hang, then it rises by `rise_db_s`
 *                  ^ the ramp is over when the loud block begins
 *
 * During the hang, a block less than 1 dB below the target holds the gain as well. Silence has the
 * highest gain.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_AGC_H
#define FFTD_DAEMON_DEMOD_DEMOD_AGC_H

#include <stddef.h>

enum { DEMOD_AGC_BLOCK_MAX = 240 }; /* frames; 48 kHz */

struct demod_agc_config {
    double rate_hz;
    double target;    /* of a block's level */
    double hang_s;    /* from the last block that needed the gain to its rise */
    double rise_db_s; /* afterwards */
};

struct demod_agc {
    size_t block, have;
    double target, rise; /* a factor for a block */
    size_t hang, waited; /* blocks */
    double level;        /* of the block that is being filled, so far */
    double before;       /* level of the block before it; < 0: there is none */
    double gain;         /* at the beginning of the block before */
    float held[2][DEMOD_AGC_BLOCK_MAX];
};

void demod_agc_init(struct demod_agc *a, const struct demod_agc_config *c);
void demod_agc_reset(struct demod_agc *a);
/*
 * in, level: [frames]; level controls the gain, such as the magnitude of the signal. out: [frames +
 * block], must not overlap `in`. Returns the number of frames in out, which are one to two blocks
 * late.
 */
size_t demod_agc_run(struct demod_agc *a, const float *in, const float *level, size_t frames,
                     float *out);
double demod_agc_gain_db(const struct demod_agc *a); /* NAN: not known */

#endif
