/*
 * demod_meter.h - level and signal-to-noise ratio behind a mode filter. One thread each.
 *
 * The power of the samples has the mean M2 and the mean square M4. Of a carrier of constant
 * amplitude with the power S in complex Gaussian noise with the power N,
 *
 *     M2 = S + N,  M4 = S^2 + 4 S N + 2 N^2    so that  S = sqrt(2 M2^2 - M4),  N = M2 - S
 *
 * Source: D. R. Pauluzzi, N. C. Beaulieu, "A Comparison of SNR Estimation Techniques for the AWGN
 * Channel", IEEE Trans. Communications, 2000.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_METER_H
#define FFTD_DAEMON_DEMOD_DEMOD_METER_H

#include <stddef.h>

struct demod_meter {
    size_t window, have; /* samples of a figure; those of the next one */
    double rate_hz;
    double sum, squares; /* of power */
    double re, im;       /* the sample before */
    double turn_re,
        turn_im; /* sum of the products of samples with the conjugate of the one before */
    double m2, m4, offset_hz; /* of the newest whole window; m2 < 0: there is none */
};

void demod_meter_init(struct demod_meter *m, double rate_hz);
void demod_meter_reset(struct demod_meter *m);
void demod_meter_run(struct demod_meter *m, const float *re, const float *im, size_t count);
double demod_meter_level_dbfs(const struct demod_meter *m); /* NAN: not known */
double demod_meter_snr_db(const struct demod_meter *m);     /* NAN: no carrier */

/*
 * Power-weighted centre of the spectrum, relative to 0 Hz: the carrier's offset if the carrier
 * dominates.
 */
double demod_meter_offset_hz(const struct demod_meter *m);

/* Mean, least and most of values, in windows. */
struct demod_range {
    size_t window, have;
    double sum;
    float least, most;
    double newest_mean, newest_half; /* of the newest whole window; half of most less least */
};

void demod_range_init(struct demod_range *r, double rate_hz);
void demod_range_reset(struct demod_range *r);
void demod_range_run(struct demod_range *r, const float *x, size_t count);

#endif
