/* audio_codec.c - the codecs. A new one is its file and one row. */
#include "daemon/audio/audio_codec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"

extern const struct audio_encoding_ops audio_encoding_s16, audio_encoding_f32;
extern const struct audio_codec audio_codec_ogg, audio_codec_wav;

/* The bytes of an encoding as they are. */
static const struct audio_codec s16 = {.name = "s16",
                                       .type = "application/octet-stream",
                                       .extension = "s16",
                                       .encoding = &audio_encoding_s16};
static const struct audio_codec f32 = {.name = "f32",
                                       .type = "application/octet-stream",
                                       .extension = "f32",
                                       .encoding = &audio_encoding_f32};

const struct audio_codec *const audio_codecs[] = {&s16, &f32, &audio_codec_wav, &audio_codec_ogg,
                                                  NULL};

const struct audio_codec *audio_codec_find(const char *name)
{
    for (size_t i = 0; audio_codecs[i]; i++)
        if (strcmp(audio_codecs[i]->name, name) == 0)
            return audio_codecs[i];
    return NULL;
}

size_t audio_zeros(size_t sample_bytes, unsigned channels, uint64_t frames, unsigned char *out,
                   size_t *covered)
{
    const size_t frame = sample_bytes * channels, most = AUDIO_SILENCE_MAX / frame;
    *covered = frames < most ? (size_t)frames : most;
    memset(out, 0, *covered * frame);
    return *covered * frame;
}

const char *audio_codec_names(char *into, size_t size)
{
    size_t used = 0;
    into[0] = '\0';
    for (size_t i = 0; audio_codecs[i] && used < size; i++) {
        const char *before = i == 0 ? "" : audio_codecs[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(into + used, size - used, "%s%s", before, audio_codecs[i]->name);
    }
    return into;
}

int audio_codec_check_rate(const struct audio_codec *c, double rate_hz, struct reason *why)
{
    char rate[40];
    if (!(rate_hz >= AUDIO_RATE_MIN_HZ && rate_hz <= AUDIO_RATE_MAX_HZ))
        return reason_key(why, -EINVAL, "audio_rate_hz",
                          "audio_rate_hz: %sHz is not within 4kHz to 768kHz",
                          si_format(rate_hz, 9, rate, sizeof rate));
    return c->check_rate ? c->check_rate(rate_hz, why) : 0;
}
