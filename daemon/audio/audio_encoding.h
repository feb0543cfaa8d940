/*
 * audio_encoding.h - the audio of a receiver at one rate in one encoding, computed once for all who
 * listen to it. The thread of audio.c, except where a comment names another.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_ENCODING_H
#define FFTD_DAEMON_AUDIO_AUDIO_ENCODING_H

#include <stdatomic.h>

#include "daemon/audio/audio_block.h"
#include "daemon/audio/audio_codec.h"
#include "daemon/channel/channel_output.h"
#include "daemon/channel/channel_resampler.h"

struct audio_form {
    double from_hz, rate_hz; /* of the demodulator, of the bytes */
    unsigned channels;       /* 1 or 2 */
};

struct audio_encoding {
    /* constant */
    const struct audio_encoding_ops *ops;
    struct audio_form form;
    struct channel_output *output; /* of audio_blocks */
    /* under the lock of audio.c */
    struct audio_encoding *next; /* of the same receiver */
    atomic_uint listeners;       /* read without it, too */
    /* the thread's */
    struct audio_encoding *active;       /* the next one that it serves */
    struct channel_resampler *resampler; /* NULL: the rates are equal */
    struct audio_encoder *encoder;       /* NULL: it has none */
    struct fft_iq *pairs;                /* [most] frames to the resampler */
    float *resampled;                    /* [resampled_most][channels] */
    size_t most, resampled_most;
    uint64_t taken, index; /* frames into the resampler, frames in blocks */
};

/*
 * most: frames in one call. waits: audio_encoding_run waits for all listeners. ready: called when
 * there is a new block. -ENOMEM, or what the encoder says. Any thread.
 */
int audio_encoding_create(struct audio_encoding **out, const struct audio_encoding_ops *ops,
                          const struct audio_form *form, size_t most, bool waits,
                          void (*ready)(void *user), void *user, struct reason *why);
void audio_encoding_destroy(struct audio_encoding *e); /* closes its output; NULL is fine */
/* `stop` ends the wait for listeners. */
void audio_encoding_run(struct audio_encoding *e, const float *audio, size_t frames,
                        const struct audio_stamp *stamp, const atomic_bool *stop);

#endif
