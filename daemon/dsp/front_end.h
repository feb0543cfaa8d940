/*
 * front_end.h - estimates the errors of a receiver's analogue part, and corrects them.
 *
 * A direct-conversion receiver adds an offset (DC), and its Q differs from its I by a gain g and a
 * phase error p:
 *
 *     I = i + dc_i        Q = g (q cos p + i sin p) + dc_q
 *
 * The means of I and Q are the offset. If i and q have the same power and are not correlated,
 *
 *     g = sqrt(E[Q^2] / E[I^2])        sin p = E[I Q] / sqrt(E[I^2] E[Q^2])
 *
 * with the offset subtracted (M. Valkama, M. Renfors, V. Koivunen, "Advanced methods for I/Q
 * imbalance compensation in communication receivers", 2001). Both conditions are E[z^2] = 0 for z =
 * i + j q. Noise has it, and so has any signal away from the centre: z^2 of a tone at f is a tone
 * at 2 f, whose mean is 0. Signals whose spectrum is symmetric about the centre frequency do not
 * have it, such as AM at the centre, or two tones of equal distance from it.
 *
 * An imbalance is the same at all frequencies, such a signal is not: E[z^2] / E[|z|^2] is therefore
 * estimated three times, of the samples, of the differences of successive ones, in which
 * frequencies near the centre are weak, and of the differences of every second one, in which those
 * near a quarter of the rate are strong. While they differ, the estimate is in doubt, and the last
 * one without doubt stays in force. A tone with another one at its image, 14 dB weaker or more,
 * that leave all others behind are what an imbalance makes of one tone: they are not found out.
 *
 * Samples are read in stretches weighted by a Hann window, so that a tone away from the centre does
 * not change the means. Stretches follow one another; each one reads all samples of its period if
 * the rate is at most 4 MS/s, otherwise as many of its first ones as make 4 MS/s, or a sixteenth if
 * that is more. Periods last 10, 20, 40, then 80 ms, but at least 1024 samples for the first.
 * Averages of the stretches are exponential: with a time constant of 0.6 s for the offset, and of 5
 * s for the imbalance, for which only stretches of full length count.
 *
 * All depends on positions and samples alone, never on time. Internal to the room; the dsp thread
 * only.
 */
#ifndef FFTD_DAEMON_DSP_FRONT_END_H
#define FFTD_DAEMON_DSP_FRONT_END_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/dsp/front_end_figures.h"
#include "daemon/dsp/moments.h"
#include "fft/fft.h"

struct front_end {
    enum fft_iq_format format;
    double rate_hz;
    uint64_t next; /* position after the samples read so far */

    uint64_t start;          /* position of the stretch */
    uint64_t length, period; /* of the stretch, in samples */
    uint32_t stretches;      /* completed since the last restart */
    struct fft_iq pivot;
    struct moments moments;
    struct moment_steps steps;

    double dc_weight, iq_weight;                 /* samples of the periods in the averages */
    struct moments_mean mean, step[MOMENT_LAGS]; /* averages: of samples, of their differences */
    bool has_good;
    struct moments_mean good; /* the newest without doubt that a receiver may have */
};

/* Forgets all estimates: for a new stream, tuning or gain. */
void front_end_restart(struct front_end *f, enum fft_iq_format format, double rate_hz);

/* Reads samples from `position` on; those between two calls are skipped. */
void front_end_read(struct front_end *f, const void *raw, uint64_t position, uint64_t samples);

extern const struct front_end_figures front_end_no_figures; /* nothing is estimated */
/* The estimates; stream_scale: the full scale of the stream in units of the format's. */
struct front_end_figures front_end_figures(const struct front_end *f, double stream_scale);

/* The requested correction, as far as an estimate exists. */
struct fft_correction front_end_correction(const struct front_end *f, bool dc, bool iq);

#endif
