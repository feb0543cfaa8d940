/*
 * modulation.h - figures of a demodulated signal: an envelope or a frequency against time. Pure.
 */
#ifndef FFTD_DAEMON_MEASURE_TYPES_MODULATION_H
#define FFTD_DAEMON_MEASURE_TYPES_MODULATION_H

#include <stddef.h>

struct modulation {
    double mean, least, most;
    double rms;          /* of the deviation from the mean */
    double frequency_hz; /* of its periods; NAN: fewer than one */
};

/*
 * Figures of x[count], count > 0. A period counts from one rise through the middle of least and
 * most to the next; between two rises it must fall by a tenth of the distance of least and most.
 */
struct modulation modulation_of(const float *x, size_t count, double rate_hz);

#endif
