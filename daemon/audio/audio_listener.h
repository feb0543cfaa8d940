/*
 * audio_listener.h - what one listener reads: bytes of a codec, without a gap in time. The thread
 * of the listener.
 *
 * Missed blocks are replaced by silence, at most one second for each gap, and counted.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_LISTENER_H
#define FFTD_DAEMON_AUDIO_AUDIO_LISTENER_H

#include <sys/types.h>

#include "daemon/audio/audio_block.h"
#include "daemon/audio/audio_codec.h"
#include "daemon/channel/channel_output.h"

struct audio;
struct audio_encoding;
struct audio_receiver;

struct audio_listener {
    /* constant; audio.c owns them */
    struct audio *audio;
    struct audio_receiver *receiver;
    struct audio_encoding *encoding;
    struct channel_output *output; /* a reference: it outlives the receiver */
    const struct audio_codec *codec;
    const struct audio_encoding_ops *ops;
    /* the listener's */
    struct channel_cursor cursor;
    struct audio_framing framing;
    struct audio_block *block; /* a reference; NULL: none */
    bool headed, begun;
    uint64_t index;   /* of the next frame */
    uint64_t missing; /* frames of silence that come before the block */
    unsigned char *own;
    size_t capacity; /* of `own`, for what is not sent from the block itself */
    const unsigned char *from, *to;
};

/* The bytes that come next, until they are skipped. 0: there are none yet. -errno: none come. */
ssize_t audio_listener_data(struct audio_listener *l, const void **data);
void audio_listener_skip(struct audio_listener *l, size_t bytes);

#endif
