/*
 * channel_loops.h - the loops of a bank over bins and over outputs, compiled once for each
 * instruction set.
 *
 * What a loop computes of a bin or of an output depends on its arguments alone, not on its place
 * among the others, and is the same in every instruction set. Any thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_LOOPS_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_LOOPS_H

#include "fft/iq.h"

enum { CHANNEL_TURNED = 8 }; /* outputs that are turned at once */

/* Factors of the first outputs, and from each one's to that of the output CHANNEL_TURNED later. */
struct channel_turn {
    struct fft_iq first[CHANNEL_TURNED], step;
};

struct channel_loops {
    /* out[i] = x[i] * response[i] */
    void (*weight)(const struct fft_iq *x, const float *response, size_t count, struct fft_iq *out);
    /* Rounding adds up along the outputs. count: a multiple of CHANNEL_TURNED. */
    void (*turn)(const struct channel_turn *t, struct fft_iq *x, size_t count);
    /* power[i] = |x[i] - (x[i - 1] + x[i + 1]) / 2|^2. x: [-1 .. count] */
    void (*powers)(const struct fft_iq *x, float *power, size_t count);
    /* sum[i] += power[i] */
    void (*add)(const float *power, float *sum, size_t count);
    /* The sum of response[i]^2 * power[i]. */
    double (*sum)(const float *power, const float *response, size_t count);
};

/* The loops that this machine can run, best first; NULL after the last one. */
const struct channel_loops *channel_loops_at(size_t i);

#endif
