/*
 * signal.h - test signals in any raw format, made in double precision and rounded once.
 *
 * An ideal converter: full scale as in fft/iq.h, round to nearest, clip at the rails.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_SIGNAL_H
#define FFTD_TESTS_SUPPORT_ENGINE_SIGNAL_H

#include <stdint.h>

#include "reference/reference.h"

/* Writes sample i of raw. */
void signal_put(enum fft_iq_format format, void *raw, uint64_t i, struct complex64 value);

/* amplitude * exp(2 pi i cycles t), t = 0 .. samples-1; `cycles` a sample. malloc'ed. */
void *signal_tone(enum fft_iq_format format, uint64_t samples, double amplitude, double cycles);

/* Complex Gaussian noise of this mean power (both components together). malloc'ed. */
void *signal_noise(enum fft_iq_format format, uint64_t samples, double power, uint64_t seed);

/* The mean of |x|^2, after rounding. */
double signal_power(enum fft_iq_format format, const void *raw, uint64_t samples);

double to_db(double power);

#endif
