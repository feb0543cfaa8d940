/*
 * audio_codec.h - audio formats: encodes frames of floats once for all listeners, and frames the
 * bytes for each. A codec is one file and one row of the list.
 *
 *     frames ==> encoding ==> blocks, for all ==> head, frame: a listener's own bytes
 *     audio thread                               the thread that reads
 *
 * A frame has one sample for each audio channel, full scale 1.0.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_CODEC_H
#define FFTD_DAEMON_AUDIO_AUDIO_CODEC_H

#include <stddef.h>
#include <stdint.h>

struct reason;

#define AUDIO_RATE_MIN_HZ 4e3
#define AUDIO_RATE_MAX_HZ 768e3

struct audio_encoder; /* an encoding's own */

/* What is computed once for all listeners of the same rate. */
struct audio_encoding_ops {
    const char *name;
    const char *missing; /* library that this build lacks (the rest is unset); NULL: none */
    /* Bytes of a block that this many frames in one call give at most. */
    size_t (*bytes_max)(size_t frames, unsigned channels);
    /* (optional) -ENOMEM. */
    int (*create)(struct audio_encoder **out, double rate_hz, unsigned channels,
                  struct reason *why);
    /*
     * Consumes frames up to the end of a block and returns their number. *bytes: size of the block,
     * 0 while it is incomplete; *covered: frames in it. e is NULL if there is no create.
     */
    size_t (*run)(struct audio_encoder *e, unsigned channels, const float *in, size_t frames,
                  unsigned char *out, size_t *bytes, size_t *covered);
    void (*destroy)(struct audio_encoder *e); /* (optional) */
    /* A block of silence of up to this many frames: its bytes, and how many frames it covers. */
    size_t (*silence)(double rate_hz, unsigned channels, uint64_t frames, unsigned char *out,
                      size_t *covered);
};

enum { AUDIO_SILENCE_MAX = 16384, AUDIO_HEAD_MAX = 512 }; /* bytes of silence, and of a head */

/* What a listener was sent. Zeroed but for the first two. */
struct audio_framing {
    double rate_hz;
    unsigned channels;
    uint64_t frames; /* covered by its blocks */
    uint32_t pages;
};

struct audio_codec {
    const char *name, *type; /* of its content */
    const char *extension;   /* of files */
    const struct audio_encoding_ops *encoding;
    /* (optional) The default rate for a demodulator whose audio has this rate. */
    double (*natural_rate)(double rate_hz);
    /* (optional) -EINVAL, with what works. */
    int (*check_rate)(double rate_hz, struct reason *why);
    /* (optional) Bytes before the first block: [AUDIO_HEAD_MAX]. Returns how many. */
    size_t (*head)(struct audio_framing *f, unsigned char *out);
    /* (optional) A block in its frame: at most frame_max more bytes. The frames are counted. */
    size_t (*frame)(struct audio_framing *f, const unsigned char *block, size_t bytes,
                    unsigned char *out);
    size_t frame_max;
};

extern const struct audio_codec *const audio_codecs[]; /* the last one is NULL */

/* For `silence` of an encoding whose silence is zeros. */
size_t audio_zeros(size_t sample_bytes, unsigned channels, uint64_t frames, unsigned char *out,
                   size_t *covered);

const struct audio_codec *audio_codec_find(const char *name); /* NULL: there is none */
/* Of the list, separated by ", ". Returns `into`. */
const char *audio_codec_names(char *into, size_t size);
/* -EINVAL with the key "audio_rate_hz", and what works. */
int audio_codec_check_rate(const struct audio_codec *c, double rate_hz, struct reason *why);

#endif
