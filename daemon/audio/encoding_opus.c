/*
 * encoding_opus.c - Opus (RFC 6716) by libopus: packets of 20 ms.
 *
 * 24 kbit/s at up to 24 kHz, which is speech; 48 kbit/s a channel above. No DTX: the squelch does
 * it. No error correction: nothing is lost on TCP.
 */
#include <errno.h>
#include <math.h>
#include <opus.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/reason.h"

enum {
    PACKETS_PER_S = 50,
    PACKET_MAX = 1275,
    COMPLEXITY = 5,
    SPEECH_RATE_HZ = 24000,
    SPEECH_BITS = 24000,
    CHANNEL_BITS = 48000,
    SILENCE = 31 << 3, /* the head of a packet of 20 ms without contents: it is concealed */
    STEREO = 1 << 2,
};

struct audio_encoder {
    OpusEncoder *opus;
    unsigned channels;
    size_t frames, have; /* of a packet; those that wait */
    float *pcm;          /* [frames][channels] */
};

static size_t opus_bytes_max(size_t frames, unsigned channels)
{
    (void)frames;
    (void)channels;
    return PACKET_MAX;
}

static void opus_destroy(struct audio_encoder *e)
{
    if (e->opus)
        opus_encoder_destroy(e->opus);
    free(e->pcm);
    free(e);
}

static void set_up(struct audio_encoder *e, double rate_hz)
{
    const int bits = rate_hz <= SPEECH_RATE_HZ ? SPEECH_BITS : CHANNEL_BITS;
    opus_encoder_ctl(e->opus, OPUS_SET_BITRATE(bits * (opus_int32)e->channels));
    opus_encoder_ctl(e->opus, OPUS_SET_COMPLEXITY(COMPLEXITY));
}

static int opus_create(struct audio_encoder **out, double rate_hz, unsigned channels,
                       struct reason *why)
{
    struct audio_encoder *e = calloc(1, sizeof *e);
    int failed = OPUS_OK;
    *out = NULL;
    if (!e)
        return reason_set(why, -ENOMEM, "audio: no memory");
    e->channels = channels;
    e->frames = (size_t)lrint(rate_hz) / PACKETS_PER_S;
    e->pcm = calloc(e->frames, channels * sizeof *e->pcm);
    e->opus = opus_encoder_create((opus_int32)lrint(rate_hz), (int)channels, OPUS_APPLICATION_AUDIO,
                                  &failed);
    if (!e->pcm || !e->opus) {
        opus_destroy(e);
        return failed == OPUS_OK || failed == OPUS_ALLOC_FAIL
                   ? reason_set(why, -ENOMEM, "audio: no memory")
                   : reason_set(why, -EIO, "opus: %s", opus_strerror(failed));
    }
    set_up(e, rate_hz);
    *out = e;
    return 0;
}

static size_t opus_run(struct audio_encoder *e, unsigned channels, const float *in, size_t frames,
                       unsigned char *out, size_t *bytes, size_t *covered)
{
    const size_t room = e->frames - e->have, used = frames < room ? frames : room;
    float *into = e->pcm + e->have * channels;
    for (size_t i = 0; i < used * channels; i++)
        into[i] = fminf(fmaxf(in[i], -1), 1);
    e->have += used;
    *bytes = *covered = 0;
    if (e->have < e->frames)
        return used;
    const opus_int32 made = opus_encode_float(e->opus, e->pcm, (int)e->frames, out, PACKET_MAX);
    e->have = 0;
    out[0] = made > 0 ? out[0] : (unsigned char)(SILENCE | (channels > 1 ? STEREO : 0));
    *bytes = made > 0 ? (size_t)made : 1;
    *covered = e->frames;
    return used;
}

static size_t opus_silence(double rate_hz, unsigned channels, uint64_t frames, unsigned char *out,
                           size_t *covered)
{
    (void)frames;
    *covered = (size_t)lrint(rate_hz) / PACKETS_PER_S;
    out[0] = (unsigned char)(SILENCE | (channels > 1 ? STEREO : 0));
    return 1;
}

const struct audio_encoding_ops audio_encoding_opus = {.name = "opus",
                                                       .bytes_max = opus_bytes_max,
                                                       .create = opus_create,
                                                       .run = opus_run,
                                                       .destroy = opus_destroy,
                                                       .silence = opus_silence};
