/*
 * demod_tone.h - which CTCSS tone is below the speech of narrow FM. One thread each.
 *
 * The discriminator's output is filtered to 50 .. 280 Hz, decimated to 1 kS/s, and correlated with
 * each of the 51 tones in parts of 50 ms. After each part, the newest ones decide:
 *
 *     share     the power at a tone, of all: 1 for a tone alone. Of noise, it is above x with the
 *               probability (1 - x)^(B T - 1): 1e-27 for 0.8
 *     phase     from part to part it turns by the difference of frequency alone
 *     ripple    the amplitude is the same in each part
 *
 * A tone is there if its share is large, its phase straight and its amplitude even: within the
 * first 600 ms after a reset (before speech starts) for 200 ms; later for 400 ms, because a voice
 * rarely holds its pitch that long. It has ended when its share falls below 0.2, or at once when
 * its phase jumps by more than 90 degrees (the "reverse burst" at the end of a transmission).
 *
 * Sources: TIA-603 (tones, deviation, reverse burst); R. A. Fisher, "Tests of significance in
 * harmonic analysis", 1929.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_TONE_H
#define FFTD_DAEMON_DEMOD_DEMOD_TONE_H

#include <stdbool.h>

#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_filter.h"

enum { DEMOD_TONES = 51, DEMOD_TONE_PART = 50, DEMOD_TONE_PARTS = 8 };

extern const double demod_tones_hz[DEMOD_TONES];

struct demod_tone {
    struct demod_filter filter;
    struct demod_biquad highpass[2];
    float re[DEMOD_TONES][DEMOD_TONE_PART], im[DEMOD_TONES][DEMOD_TONE_PART];
    double turn_re[DEMOD_TONES], turn_im[DEMOD_TONES]; /* of a tone at the next part's beginning */
    double step_re[DEMOD_TONES], step_im[DEMOD_TONES]; /* from part to part */
    float held[DEMOD_TONE_PART];
    size_t have;
    struct fft_iq sum[DEMOD_TONES][DEMOD_TONE_PARTS]; /* the newest parts, oldest first */
    double power[DEMOD_TONE_PARTS];
    int parts; /* since the last reset, saturating */
    int tone;  /* that is there; -1: none */
};

/* rate_hz: a whole number of kHz. -ENOMEM; finish also after a failure. */
int demod_tone_init(struct demod_tone *t, double rate_hz);
void demod_tone_finish(struct demod_tone *t);
void demod_tone_reset(struct demod_tone *t);
/* x: of the discriminator, at most DDC_STAGE_BLOCK. */
void demod_tone_run(struct demod_tone *t, const float *x, size_t count);
double demod_tone_hz(const struct demod_tone *t); /* NAN: none */

#endif
