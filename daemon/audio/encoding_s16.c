/* encoding_s16.c - 16-bit integers, little-endian. */
#include <math.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/bytes.h"

static size_t s16_bytes_max(size_t frames, unsigned channels)
{
    return frames * channels * 2;
}

static size_t s16_run(struct audio_encoder *e, unsigned channels, const float *in, size_t frames,
                      unsigned char *out, size_t *bytes, size_t *covered)
{
    (void)e;
    for (size_t i = 0; i < frames * channels; i++) {
        const long value = lrintf(fminf(fmaxf(32768 * in[i], -32768), 32767));
        bytes_put(out + 2 * i, (uint64_t)value, 2);
    }
    *bytes = s16_bytes_max(frames, channels);
    *covered = frames;
    return frames;
}

static size_t s16_silence(double rate_hz, unsigned channels, uint64_t frames, unsigned char *out,
                          size_t *covered)
{
    (void)rate_hz;
    return audio_zeros(2, channels, frames, out, covered);
}

const struct audio_encoding_ops audio_encoding_s16 = {
    .name = "s16", .bytes_max = s16_bytes_max, .run = s16_run, .silence = s16_silence};
