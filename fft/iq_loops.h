/*
 * iq_loops.h - loops over raw samples, compiled once for each instruction set. Internal to iq.c.
 *
 * A sample is beyond a threshold if one of its two components is. Any thread.
 */
#ifndef FFTD_FFT_IQ_LOOPS_H
#define FFTD_FFT_IQ_LOOPS_H

#include "fft/iq.h"

/* v is beyond a threshold if (v - zero) modulo 2^bits >= most. */
struct fft_iq_codes {
    uint16_t zero, most;
};

enum { FFT_IQ_THRESHOLDS = 3 };

struct fft_iq_loops {
    /* Components of samples to floats, as fft_iq_unpack; cf32 has none. */
    void (*unpack[FFT_IQ_FORMATS])(const void *raw, float *out, size_t components);
    /* The number of samples beyond the threshold; components of 8 and of 16 bits. */
    uint64_t (*codes8)(const void *raw, size_t samples, struct fft_iq_codes codes);
    uint64_t (*codes16)(const void *raw, size_t samples, struct fft_iq_codes codes);
    /* Floats: adds the number of samples whose magnitude, as the bits of a float, is > limit[i].
     * limit[0] is the smallest. */
    void (*floats)(const void *raw, size_t samples, const int32_t limit[FFT_IQ_THRESHOLDS],
                   uint64_t count[FFT_IQ_THRESHOLDS]);
};

#endif
