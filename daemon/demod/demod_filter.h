/*
 * demod_filter.h - decimating FIR filters of two signals at once: I and Q, or two of audio. One
 * thread each.
 *
 * Before the first sample there are zeros, so that output i belongs to input i * factor less half
 * of the filter's length. Taps are those of an ideal band, windowed (ddc_kaiser.h). The edges of a
 * band are its -6 dB points, in the middle of slopes `slope_hz` wide.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_FILTER_H
#define FFTD_DAEMON_DEMOD_DEMOD_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/ddc/ddc_stage.h"
#include "fft/iq.h"

struct demod_band {
    double low_hz, high_hz; /* 0 and more; a low edge of 0: from 0 Hz on */
    double slope_hz;
    double attenuation_db; /* from 50 on */
    double mean_hz; /* not 0: corrects sinc(f / mean_hz), the response of an averaged input */
};

struct demod_filter {
    struct ddc_stage stage;
};

/* The length of its filter at this rate: odd. */
size_t demod_band_length(const struct demod_band *b, double rate_hz);

/* -ENOMEM; finish also after a failure. */
int demod_filter_init(struct demod_filter *f, const struct demod_band *b, double rate_hz,
                      uint32_t factor);
void demod_filter_finish(struct demod_filter *f);
void demod_filter_reset(struct demod_filter *f);
/* count: at most DDC_STAGE_BLOCK. Returns the number of outputs. a, b: what is read there stays. */
size_t demod_filter_run(struct demod_filter *f, const float *a, const float *b, size_t count,
                        float *out_a, float *out_b);
size_t demod_filter_iq(struct demod_filter *f, const struct fft_iq *in, size_t count, float *re,
                       float *im);

#endif
