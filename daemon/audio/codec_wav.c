/*
 * codec_wav.c - WAV without an end: a head, and the bytes of s16.
 *
 * Its sizes are the largest ones, which players take for "until the stream ends". Source:
 * "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991.
 */
#include <math.h>
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/bytes.h"

extern const struct audio_encoding_ops audio_encoding_s16;

static size_t wav_head(struct audio_framing *f, unsigned char *out)
{
    enum { HEAD = 44, PCM = 1, BITS = 16 };
    const uint32_t rate = (uint32_t)lrint(f->rate_hz), frame = BITS / 8 * f->channels;
    memcpy(out, "RIFF....WAVEfmt ", 16);
    bytes_put(out + 4, UINT32_MAX, 4);
    bytes_put(out + 16, 16, 4); /* bytes of "fmt " */
    bytes_put(out + 20, PCM, 2);
    bytes_put(out + 22, f->channels, 2);
    bytes_put(out + 24, rate, 4);
    bytes_put(out + 28, (uint64_t)rate * frame, 4);
    bytes_put(out + 32, frame, 2);
    bytes_put(out + 34, BITS, 2);
    memcpy(out + 36, "data", 4);
    bytes_put(out + 40, UINT32_MAX, 4);
    return HEAD;
}

const struct audio_codec audio_codec_wav = {.name = "wav",
                                            .type = "audio/wav",
                                            .extension = "wav",
                                            .encoding = &audio_encoding_s16,
                                            .head = wav_head};
