/*
 * modulation.h - figures of a demodulated signal: an envelope or a frequency against time. Pure.
 */
#ifndef FFTD_DAEMON_MEASURE_TYPES_MODULATION_H
#define FFTD_DAEMON_MEASURE_TYPES_MODULATION_H

#include <stddef.h>

struct modulation {
    double mean, least, most;
    double rms;          /* of the deviation from the mean */
    double frequency_hz; /* of its periods; NAN: fewer than one, or it does not repeat */
};

/*
 * Figures of x[count], count > 0. A period counts from one rise through the middle of least and
 * most to the next; between two rises it must fall by a tenth of the distance of least and most.
 * The signal repeats if it is like itself a period later, with a correlation of at least a half:
 * noise does not, and neither do data. Where least and most are within `rounding` of each other,
 * there is nothing but rounding errors.
 */
struct modulation modulation_of(const float *x, size_t count, double rate_hz, double rounding);

#endif
