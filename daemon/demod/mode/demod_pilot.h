/*
 * demod_pilot.h - the pilot of a stereo multiplex, and the carrier of L - R in its phase. One
 * thread each.
 *
 *     multiplex --> turned by -19 kHz --> filter, 2 kS/s --> phase-locked loop of 2nd order
 *         |                                                        | phase, interpolated
 *         +--> delayed by that filter -----------------------------+--> x 2 sin(2 phase)
 *
 * The programme, at least 4 kHz away, is in the stop band of the filter and does not disturb the
 * loop. Blocks have 120 samples: the table of 38 kHz repeats every block, that of 19 kHz every
 * second one.
 */
#ifndef FFTD_DAEMON_DEMOD_MODE_DEMOD_PILOT_H
#define FFTD_DAEMON_DEMOD_MODE_DEMOD_PILOT_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/demod/demod_filter.h"

enum { DEMOD_PILOT_BLOCK = 120, DEMOD_PILOT_DELAY_MAX = 600 };

struct demod_pilot {
    struct demod_filter filter;
    size_t delay; /* samples, of what take gives */
    bool odd;     /* the first table repeats every second block */
    float down_re[2 * DEMOD_PILOT_BLOCK], down_im[2 * DEMOD_PILOT_BLOCK];
    float up_re[DEMOD_PILOT_BLOCK], up_im[DEMOD_PILOT_BLOCK]; /* of 38 kHz, for delayed samples */
    float held[DEMOD_PILOT_DELAY_MAX + DEMOD_PILOT_BLOCK];    /* samples */
    double phase, step; /* of the pilot against 19 kHz, in radians; from one block to the next */
    double before_re, before_im; /* of twice the phase a block ago */
    double level;                /* amplitude of what is in phase */
    unsigned seen;               /* blocks for which it was enough */
    double least;                /* level that is enough */
    bool found;
};

/* least: the amplitude that a pilot has at least. -ENOMEM; finish also after a failure. */
int demod_pilot_init(struct demod_pilot *p, double least);
void demod_pilot_finish(struct demod_pilot *p);
void demod_pilot_reset(struct demod_pilot *p);
/* Samples that out is behind x. */
size_t demod_pilot_delay(void);
/* x, sum, difference: [DEMOD_PILOT_BLOCK]: the multiplex; delayed; times the carrier of L - R. */
void demod_pilot_run(struct demod_pilot *p, const float *x, float *sum, float *difference);

#endif
