/*
 * demod_rds.h - the bits of RDS, the data beside the programme of an FM station. One thread each.
 *
 *     multiplex --> turned by -57 kHz --> 10 kS/s --> phase-locked loop --> matched filter
 *                                                                             | at the bits' times
 *                                      groups (demod_rds_groups.h) <-- differential bits
 *
 * 1187.5 bit/s; a bit is a pair of opposite pulses half a bit apart; each pulse has the spectrum
 * cos(pi f T / 4) up to 2 / T. The loop locks to the square of the signal, because the sign of the
 * carrier is unknown. The times of bits follow the filter's largest outputs.
 *
 * Source: IEC 62106.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_RDS_H
#define FFTD_DAEMON_DEMOD_DEMOD_RDS_H

#include "daemon/demod/demod_filter.h"
#include "daemon/demod/demod_rds_groups.h"

enum { DEMOD_RDS_TABLE = 80, DEMOD_RDS_TAPS = 27, DEMOD_RDS_KEPT = 20 };

struct demod_rds {
    struct demod_filter filter;
    float down_re[DEMOD_RDS_TABLE], down_im[DEMOD_RDS_TABLE];
    size_t at; /* in these tables */
    double phase, step, power;
    float tap[DEMOD_RDS_TAPS], held[DEMOD_RDS_TAPS];
    float out[DEMOD_RDS_KEPT]; /* the newest of the matched filter, oldest first */
    double due;                /* samples until the next bit */
    double size, between;      /* means of outputs at bits, and half a bit before */
    unsigned bits;             /* since these were compared */
    double before;             /* the output of the last bit */
    struct demod_rds_groups groups;
};

/* -ENOMEM; finish also after a failure. */
int demod_rds_init(struct demod_rds *r);
void demod_rds_finish(struct demod_rds *r);
void demod_rds_reset(struct demod_rds *r); /* what is known of the station stays */
/* x: of the multiplex at 240 kS/s, at most DDC_STAGE_BLOCK. */
void demod_rds_run(struct demod_rds *r, const float *x, size_t count);

#endif
