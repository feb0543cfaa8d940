/*
 * correction.h - the correction of samples on load (struct fft_correction) as engines apply it.
 *
 * Pure functions, any thread.
 */
#ifndef FFTD_FFT_CORRECTION_H
#define FFTD_FFT_CORRECTION_H

#include <stdbool.h>

#include "fft/fft.h"

/*
 * The same in raw units, for samples from which the format's zero is subtracted:
 *
 *     I' = ii I + re
 *     Q' = qi I + qq Q + im
 */
struct raw_correction {
    float ii, qi, qq, re, im;
};

struct fft_correction fft_correction_none(void);
bool fft_correction_is_none(const struct fft_correction *c);
bool fft_correction_is_finite(const struct fft_correction *c);
struct raw_correction fft_correction_raw(const struct fft_correction *c, enum fft_iq_format format);

#endif
