/*
 * band.h - power in a range of frequencies of one spectrum. Pure, any thread.
 *
 * Bin k covers (k - n/2 +- 0.5) * rate / n Hz from the centre. A bin that an edge cuts counts with
 * the part of it that is inside.
 */
#ifndef FFTD_DAEMON_MEASURE_BAND_H
#define FFTD_DAEMON_MEASURE_BAND_H

#include "daemon/measure/measure.h"

struct band {
    double low_hz, high_hz;
};

/* The range of all bins in the usable band. */
struct band band_span(const struct line *line);
/* "span", or "usable band" if that is narrower: for reasons. */
const char *band_span_name(const struct line *line);
/* A band around a centre; with a width of 0 all of the usable band. */
struct band band_around(const struct line *line, double center_hz, double width_hz);
/*
 * Clips a band that exceeds the usable band by less than a bin. -ERANGE with out's reason: low_hz
 * is not below high_hz, or the band exceeds the usable band by more.
 */
int band_clip(struct band *b, const struct line *line, struct measure_result *out);
/* As band_clip, for a measurement of power: the band must be 3 RBW wide, to contain a whole signal.
 */
int band_clip_channel(struct band *b, const struct line *line, struct measure_result *out);
/* First and last bin whose centres are in the band; at least one bin. */
void band_bins(const struct band *b, const struct line *line, uint32_t *first, uint32_t *last);
/* Sum of the bins' powers, without regard to the window. The band must have passed band_clip. */
double band_sum(const struct band *b, const struct measure_input *in);
/*
 * Power of all signals in the band: band_sum / ENBW (G. Heinzel, A. Ruediger, R. Schilling,
 * "Spectrum and spectral density estimation by the DFT", 2002). Right for mean detectors.
 */
double band_power(const struct band *b, const struct measure_input *in);
/* The same without the bins of spurs; *width_hz: the remaining width; may be 0. */
double band_signal_power(const struct band *b, const struct measure_input *in, double *width_hz);

#endif
