/* wav_support.c - WAV files for the tests, put together byte by byte. */
#include "tests/support/source/wav_support.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct shape cs16_shape = {"RIFF", PCM, 2, 16, 192000};

void put_riff(struct bytes *b, const char *magic)
{
    put_text(b, magic);
    put_u32(b, 0xffffffff); /* the length of all is not looked at */
    put_text(b, "WAVE");
}

void put_fmt(struct bytes *b, const struct shape *s)
{
    const unsigned block = s->channels * ((s->bits + 7) / 8);
    put_text(b, "fmt ");
    put_u32(b, 16);
    put_u16(b, s->tag);
    put_u16(b, s->channels);
    put_u32(b, s->rate_hz);
    put_u32(b, (uint64_t)s->rate_hz * block);
    put_u16(b, block);
    put_u16(b, s->bits);
}

void put_data(struct bytes *b, uint64_t size)
{
    put_text(b, "data");
    put_u32(b, size);
}

struct bytes wav_of(const struct shape *s, const char *samples)
{
    struct bytes b = {0};
    put_riff(&b, s->magic);
    put_fmt(&b, s);
    put_data(&b, strlen(samples));
    put_text(&b, samples);
    return b;
}

const char *file_of_bytes(const char *name, struct bytes *b)
{
    const char *path = file_of(name, b->at, b->size);
    drop(b);
    return path;
}

/* Opens the file, compares what is read with `samples`, hands the source back. */
struct source *expect_samples(const char *path, const char *samples)
{
    static struct source_config config; /* the source keeps it */
    config = replay_of(path);
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(replay_left_out(&s->replay), 0);
    assert_int_equal(out.size, strlen(samples));
    assert_memory_equal(out.at, samples, out.size);
    drop(&out);
    return s;
}

void expect_wav(const struct bytes *b, const char *samples)
{
    source_destroy(expect_samples(file_of("there.wav", b->at, b->size), samples));
}

void expect_piped_wav(const struct bytes *b, const char *name, const char *samples)
{
    int ends[2], saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(write(ends[1], b->at, b->size), (ssize_t)b->size);
    close(ends[1]);
    source_destroy(expect_samples(name, samples));
    dup2(saved, STDIN_FILENO);
    close(saved);
}
