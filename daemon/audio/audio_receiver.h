/*
 * audio_receiver.h - a channel with its demodulator: blocks of samples become frames of audio, and
 * go to all encodings. For the thread of audio.c, which shares its receivers with it.
 *
 * The audio keeps the time: missing samples become silence, at most one second of it. The audio is
 * also silent while the squelch is closed or the radio is tuned elsewhere. The demodulator is
 * paused then, and is reset before it continues.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_RECEIVER_H
#define FFTD_DAEMON_AUDIO_AUDIO_RECEIVER_H

#include "daemon/audio/audio_encoding.h"
#include "daemon/audio/audio_request.h"
#include "daemon/channel/channels.h"

enum { AUDIO_PIECE = 2048 }; /* samples that are demodulated at a time */

/* What has become of it. Plain values. */
struct audio_figures {
    double level_dbfs;        /* a sine of full scale has 0; -INFINITY: silence */
    uint64_t frames, missing; /* at the rate of the demodulator: all, silent for missing ones */
    struct demod_report report;
};

struct audio_receiver {
    /* constant */
    struct audio_request request; /* its codec and rate are those of the first listener */
    struct demod_plan plan;
    struct channel *channel;

    /* under the lock of audio.c */
    struct audio_receiver *next;
    struct audio_encoding *encodings;
    struct audio_figures figures;
    bool ended;           /* the channel gives no more */
    atomic_bool deserted; /* the named channel that it follows is gone: it ends; any thread */

    /* the thread's */
    struct audio_receiver *active;
    struct audio_encoding *active_encodings;
    struct demod *demod;
    struct channel_cursor cursor;
    float *audio; /* [audio_most] */
    size_t audio_most;
    bool begun, heard;
    uint64_t index;           /* of the next sample */
    uint64_t samples, frames; /* taken and made */
    uint64_t missing;         /* of the frames */
    double power;             /* a mean over some 0.1 s */
};

/* Any thread. -EINVAL with the key that is wrong, -ENOMEM, or what channel_open says. */
int audio_receiver_create(struct audio_receiver **out, const struct audio_request *q,
                          struct channels *channels, struct reason *why);
void audio_receiver_destroy(struct audio_receiver *r); /* without encodings; NULL is fine */
/* Frames in one call of audio_encoding_run at most. */
size_t audio_receiver_most(const struct audio_receiver *r);
/* Demodulates a block for all active encodings. `stop`: as for audio_encoding_run. */
void audio_receiver_run(struct audio_receiver *r, const struct channel_block *b,
                        const atomic_bool *stop);
void audio_receiver_figures(const struct audio_receiver *r, struct audio_figures *out);

#endif
