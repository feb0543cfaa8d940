/*
 * receiver.h - one channel of the samples: shifted to zero, filtered and decimated.
 *
 *     gauss   |H(f)|^2 = 2^-(2 f / B)^2: 3.01 dB down at +- B/2, noise bandwidth 1.0645 B
 *     flat    low-pass of a Kaiser window, beta 4.5 (50 dB): 6 dB down at +- B/2, within 0.1 dB up
 *             to +- B/4, 50 dB down from +- 3/4 B on
 *
 * The output has at least four times the rate of B. With a bandwidth of 0 the samples stay as they
 * are, around the centre of the span. The filter's gain at its centre is 1. Only outputs whose
 * impulse response is within the input are made. Any thread.
 */
#ifndef FFTD_DAEMON_MEASURE_RECEIVER_H
#define FFTD_DAEMON_MEASURE_RECEIVER_H

#include "daemon/measure/measure.h"

enum receiver_filter { RECEIVER_GAUSS, RECEIVER_FLAT };
#define RECEIVER_FILTERS "gauss, flat"

struct receiver_channel {
    double center_hz, bandwidth_hz;
    unsigned filter;
};

/* Zeroed at first. */
struct receiver {
    struct receiver_channel channel; /* of the coefficients */
    double input_hz;
    float *coefficient; /* [2 * taps] each twice: for re and im */
    size_t taps;        /* a multiple of 8 */
    size_t step;        /* decimation */

    struct fft_iq *shifted; /* [room] */
    size_t room;
    struct fft_iq *out; /* [count], the result */
    size_t count;
    double center_hz; /* frequency that is 0 in out */
    double rate_hz;   /* of out */
    double delay_s;   /* from the first input sample to the time of out[0] */
};

/*
 * Runs the input's samples through the channel. -ERANGE with out's reason: there are no samples, or
 * fewer than `least` outputs, or the channel is not within the span; -ENOMEM.
 */
int receiver_run(struct receiver *r, const struct receiver_channel *channel,
                 const struct measure_input *in, size_t least, struct measure_result *out);
void receiver_finish(struct receiver *r);

#endif
