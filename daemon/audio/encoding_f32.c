/* encoding_f32.c - 32-bit floats, little-endian, not clipped. */
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/bytes.h"

static size_t f32_bytes_max(size_t frames, unsigned channels)
{
    return frames * channels * 4;
}

static size_t f32_run(struct audio_encoder *e, unsigned channels, const float *in, size_t frames,
                      unsigned char *out, size_t *bytes, size_t *covered)
{
    (void)e;
    for (size_t i = 0; i < frames * channels; i++) {
        uint32_t bits;
        memcpy(&bits, &in[i], sizeof bits);
        bytes_put(out + 4 * i, bits, 4);
    }
    *bytes = f32_bytes_max(frames, channels);
    *covered = frames;
    return frames;
}

static size_t f32_silence(double rate_hz, unsigned channels, uint64_t frames, unsigned char *out,
                          size_t *covered)
{
    (void)rate_hz;
    return audio_zeros(4, channels, frames, out, covered);
}

const struct audio_encoding_ops audio_encoding_f32 = {
    .name = "f32", .bytes_max = f32_bytes_max, .run = f32_run, .silence = f32_silence};
