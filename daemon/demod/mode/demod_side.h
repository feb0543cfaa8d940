/*
 * demod_side.h - what USB, LSB and CW share: a narrow band beside the carrier, or around it, moved
 * to its audio frequencies.
 *
 * The channel's centre is the middle of that band, so a symmetrical filter suffices, and the other
 * sideband is attenuated by its stop band:
 *
 *     receiver's frequency          USB: 300 .. 2700 Hz above it
 *     |      |<--- width --->|
 *            |   centre      |      the audio is the real part of what is turned back by its offset
 */
#ifndef FFTD_DAEMON_DEMOD_MODE_DEMOD_SIDE_H
#define FFTD_DAEMON_DEMOD_MODE_DEMOD_SIDE_H

#include "daemon/demod/demod.h"

/* A band of a mode, in Hz. */
struct demod_side {
    double width_hz, least_hz, most_hz; /* without a width in the config; its limits */
    double low_hz;   /* audio frequency of its lower edge; 0: the pitch is that of its middle */
    int side;        /* of the carrier: 1 above, -1 below, 0 around it */
    double slope_hz; /* of the filter */
};

int demod_side_plan(const struct demod_side *s, const struct demod_config *c, struct demod_plan *p,
                    struct reason *why);
int demod_side_create(const struct demod_side *s, struct demod **out, const struct demod_config *c,
                      struct reason *why);
/* The hooks of struct demod_ops. */
size_t demod_side_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio);
void demod_side_reset(struct demod *d);
void demod_side_report(const struct demod *d, struct demod_report *r);
void demod_side_destroy(struct demod *d);

#endif
