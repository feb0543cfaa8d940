/*
 * channel_resampler.h - converts the rate of a channel, or of its audio, by any factor.
 *
 * Output q of a segment is the value between the inputs at its time, q * from_hz / to_hz, by a
 * windowed sinc (Kaiser's window): flat to 0.001 dB up to 0.4 of a rate, and 90 dB down from 0.6
 * on. That rate is the input's, whose samples contain nothing that the outputs have no room for; of
 * audio it is the lower one of the two. Positions alone decide: an output does not depend on where
 * in the segment the conversion began. One thread.
 *
 * Source: J. O. Smith, P. Gossett, "A Flexible Sampling-Rate Conversion Method", ICASSP 1984.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_RESAMPLER_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_RESAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum { CHANNEL_TAPS = 32 }; /* of a channel; of audio that loses rate, more in proportion */

struct channel_resampler;

/* most: inputs in one push. 1 <= from_hz / to_hz < 1000. -ENOMEM. */
int channel_resampler_create(struct channel_resampler **out, double from_hz, double to_hz,
                             size_t most);
/* Of audio: re and im are two channels of it. 1/1000 < from_hz / to_hz < 1000. */
int channel_resampler_create_audio(struct channel_resampler **out, double from_hz, double to_hz,
                                   size_t most);
void channel_resampler_destroy(struct channel_resampler *r); /* NULL is fine */
/* The next input has this number in its segment; those before it are not known, or are 0 at 0. */
void channel_resampler_begin(struct channel_resampler *r, uint64_t first);
/*
 * Takes inputs; in NULL: zeros, which complete a segment. *first: number of the first output in the
 * segment. Returns how many there are; they are valid until the next call.
 */
size_t channel_resampler_push(struct channel_resampler *r, const struct fft_iq *in, size_t count,
                              uint64_t *first, const struct fft_iq **out);
/* Outputs whose time is before that of input `at`. */
uint64_t channel_resampler_before(const struct channel_resampler *r, uint64_t at);

#endif
