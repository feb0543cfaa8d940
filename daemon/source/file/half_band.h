/*
 * half_band.h - makes IQ samples of real ones: the upper half of their spectrum, at half the rate.
 *
 * A real signal at rate R has the same spectrum below 0 Hz as above, mirrored. Shifted by -R/4 and
 * filtered, 0 to R/2 becomes -R/4 to R/4, so every second sample is enough: a pair of real samples
 * becomes one of IQ. A real tone of amplitude a keeps the level of a complex one of amplitude a. Of
 * the band, 1.5 % of R at both ends is the filter's edge: there levels fall to -6 dB, and what is
 * beyond the end shows mirrored; elsewhere it is below -90 dB.
 *
 * Sample m of the result is centred on real sample 2m, so the filter looks HALF_BAND_AHEAD pairs
 * ahead: that many pairs go in before the first result. Only the source thread uses it.
 */
#ifndef FFTD_DAEMON_SOURCE_FILE_HALF_BAND_H
#define FFTD_DAEMON_SOURCE_FILE_HALF_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum { HALF_BAND_TAPS = 64, HALF_BAND_AHEAD = HALF_BAND_TAPS - 1, HALF_BAND_BLOCK = 1024 };

struct half_band {
    float taps[HALF_BAND_TAPS];
    struct fft_iq pairs[2 * HALF_BAND_TAPS + HALF_BAND_BLOCK]; /* the last ones, turned by R/4 */
    bool odd;                                                  /* the next pair is an odd one */
    unsigned primed; /* pairs that went in without a result, up to HALF_BAND_AHEAD */
};

void half_band_init(struct half_band *h);
void half_band_restart(struct half_band *h); /* silence before the next pair */
/*
 * count pairs go in, and the results replace them. NULL: pairs of zeros, results go into `out`.
 * Returns the number of results: count minus the pairs that prime the filter.
 */
size_t half_band_run(struct half_band *h, const struct fft_iq *pairs, struct fft_iq *out,
                     size_t count);

#endif
