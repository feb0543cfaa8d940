/*
 * signal.h - test signals in any raw format, computed in double precision and rounded once.
 *
 * The converter is ideal: full scale as in fft/iq.h, rounding to nearest, clipping at the rails.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_SIGNAL_H
#define FFTD_TESTS_SUPPORT_ENGINE_SIGNAL_H

#include <stdint.h>

#include "reference/reference.h"

/* Writes sample i of raw. */
void signal_put(enum fft_iq_format format, void *raw, uint64_t i, struct complex64 value);

/* amplitude * exp(2 pi i cycles t), t = 0 .. samples-1: `cycles` per sample. malloc'ed. */
void *signal_tone(enum fft_iq_format format, uint64_t samples, double amplitude, double cycles);

/* Complex Gaussian noise; `power` is the mean of |x|^2. malloc'ed. */
void *signal_noise(enum fft_iq_format format, uint64_t samples, double power, uint64_t seed);

/* The mean of |x|^2 of the rounded samples. */
double signal_power(enum fft_iq_format format, const void *raw, uint64_t samples);

double to_db(double power);

#endif
