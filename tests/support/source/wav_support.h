/* wav_support.h - WAV files for the tests, put together byte by byte. */
#ifndef FFTD_TESTS_SUPPORT_SOURCE_WAV_SUPPORT_H
#define FFTD_TESTS_SUPPORT_SOURCE_WAV_SUPPORT_H

#include "tests/support/source/source_support.h"

enum { PCM = 1, FLOAT = 3, EXTENSIBLE = 0xfffe };

struct shape {
    const char *magic;
    unsigned tag, channels, bits;
    uint32_t rate_hz;
};

extern const struct shape cs16_shape;

void put_riff(struct bytes *b, const char *magic);
void put_fmt(struct bytes *b, const struct shape *s);
void put_data(struct bytes *b, uint64_t size); /* the head of the chunk */
struct bytes wav_of(const struct shape *s, const char *samples);
const char *file_of_bytes(const char *name, struct bytes *b); /* drops the bytes */

/* Opens the file and compares what it reads with `samples`. The caller destroys the source. */
struct source *expect_samples(const char *path, const char *samples);
/* The same, with the bytes in the file there.wav. */
void expect_wav(const struct bytes *b, const char *samples);
/* The same, with the bytes in a pipe that is standard input, which `name` names. */
void expect_piped_wav(const struct bytes *b, const char *name, const char *samples);

#endif
