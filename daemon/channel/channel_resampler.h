/*
 * channel_resampler.h - converts the rate of a channel, or of its audio, by any factor.
 *
 * Output q of a segment is interpolated at the input position q * from_hz / to_hz with a windowed
 * sinc (Kaiser's window): flat to 0.001 dB up to 0.4 of a rate, and 90 dB down from 0.6 on. This is
 * the input rate, because the input is already limited to the band of the output; for audio it is
 * the lower of the two rates. An output depends only on its position, not on where in the segment
 * the conversion started. One thread.
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
/*
 * Sets the number of the next input in its segment. Earlier inputs count as unknown; before input 0
 * they are zeros.
 */
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
