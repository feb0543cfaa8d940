/*
 * demod_biquad.h - recursive filters of audio: high-pass, notch, de-emphasis. Pure; one thread
 * each.
 *
 * Sources: S. Butterworth, "On the Theory of Filter Amplifiers", 1930; the bilinear transform with
 * the edge in its place, as in A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal Processing".
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_BIQUAD_H
#define FFTD_DAEMON_DEMOD_DEMOD_BIQUAD_H

#include <stddef.h>

/* y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2] */
struct demod_biquad {
    double b0, b1, b2, a1, a2;
    double s1, s2; /* its memory: transposed direct form II */
};

enum { DEMOD_HIGHPASS_SECTIONS = 3 };

/* Section i of a Butterworth high-pass of 2 * sections: 3 dB down at hz. */
void demod_biquad_highpass(struct demod_biquad *q, double rate_hz, double hz, int section,
                           int sections);
/* Nothing passes at hz; half of the power at hz +- width_hz / 2. */
void demod_biquad_notch(struct demod_biquad *q, double rate_hz, double hz, double width_hz);
/*
 * 1 / (1 + j 2 pi f tau): its pole, and a zero for which the amplitude is also exact at fit_hz;
 * 0 dB at 0 Hz.
 */
void demod_biquad_deemphasis(struct demod_biquad *q, double rate_hz, double tau_us, double fit_hz);

void demod_biquad_reset(struct demod_biquad *q);
/* In place; x has one value every `stride`. */
void demod_biquad_run(struct demod_biquad *q, float *x, size_t count, size_t stride);

#endif
