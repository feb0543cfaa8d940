/*
 * demod_multiplex.h - the stereo multiplex of an FM station: the frequency of its samples,
 * corrected for the mean of a sample. One thread each.
 *
 *     0 .. 15 kHz  (L + R) / 2
 *     19 kHz       pilot, 8 to 10 % of the deviation
 *     23 .. 53     (L - R) / 2 on a suppressed carrier of 38 kHz
 *     57 kHz       RDS
 *
 * Source: Recommendation ITU-R BS.450-3.
 */
#ifndef FFTD_DAEMON_DEMOD_MODE_DEMOD_MULTIPLEX_H
#define FFTD_DAEMON_DEMOD_MODE_DEMOD_MULTIPLEX_H

#include "daemon/demod/demod.h"
#include "daemon/demod/demod_filter.h"
#include "daemon/demod/demod_fm.h"
#include "daemon/demod/demod_meter.h"

#define DEMOD_MULTIPLEX_HZ 240000.0 /* a whole multiple of 48 kHz, and wide enough for 75 kHz */

enum { DEMOD_MULTIPLEX_CHUNK = 480 };

struct demod_multiplex {
    double full_hz; /* the deviation that reads 1: the rated one reads -3 dBFS */
    double rated_hz;
    struct demod_fm fm;
    struct demod_filter correction; /* flat up to 63 kHz */
    struct demod_meter meter;
    struct demod_range range;
};

/* rate, width and delay: of the multiplex as audio. */
int demod_multiplex_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why);
/* -ENOMEM; finish also after a failure. */
int demod_multiplex_init(struct demod_multiplex *m, const struct demod_config *c);
void demod_multiplex_finish(struct demod_multiplex *m);
void demod_multiplex_reset(struct demod_multiplex *m);
/* out: [count], at most DEMOD_MULTIPLEX_CHUNK. */
void demod_multiplex_run(struct demod_multiplex *m, const struct fft_iq *in, size_t count,
                         float *out);
/* Level, SNR, offset and deviation. */
void demod_multiplex_report(const struct demod_multiplex *m, struct demod_report *r);

#endif
