/* test_locate.c - samples that the caller copies itself are those that read returns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/source/sigmf_support.h"
#include "tests/support/source/wav_support.h"

enum { BLOCK = 3 };

/* All samples, in text: "[cause lost centre]" where a mark is, before its sample. */
static char *text_of(const char *path, bool located)
{
    const struct source_config config = replay_of(path);
    struct source *s = open_source(&config);
    char *text = calloc(1, 1000), raw[BLOCK * 8 + 1];
    const size_t bytes = fft_iq_bytes(s->stream.format);
    for (int64_t got = 0; got != -ENODATA;) {
        int fd = -1;
        uint64_t at = 0;
        memset(raw, 0, sizeof raw);
        got =
            located ? s->ops->locate(s, BLOCK, 1000, &fd, &at) : s->ops->read(s, raw, BLOCK, 1000);
        assert_true(got >= 0 || got == -ENODATA);
        const size_t size = got > 0 ? (size_t)got * bytes : 0;
        if (located && size > 0)
            assert_int_equal(pread(fd, raw, size, (off_t)at), size);
        if (s->mark.set)
            snprintf(text + strlen(text), 50, "[%d %d %g]", (int)s->mark.cause, (int)s->mark.lost,
                     s->stream.tuning.center_hz);
        s->mark.set = false;
        strncat(text, raw, size);
    }
    assert_int_equal(s->replay.position, s->replay.samples);
    source_destroy(s);
    return text;
}

static void assert_same(const char *path, const char *part)
{
    char *want = text_of(path, false), *got = text_of(path, true);
    assert_string_equal(got, want);
    assert_non_null(strstr(got, part));
    free(want);
    free(got);
}

static void located_samples_and_marks_are_those_of_read(void **state)
{
    (void)state;
    assert_same(file_of_text("raw_433M_250k.cs16", "0123456789abcdefghijklmnopqr"), "0123456789a");
    assert_same(pair_of("gap",
                        "{" GLOBAL ",\"captures\":["
                        "{\"core:sample_start\":0,\"core:frequency\":1e8,\"core:header_bytes\":2},"
                        "{\"core:sample_start\":2,\"core:frequency\":2e8,\"core:header_bytes\":3},"
                        "{\"core:sample_start\":4,\"core:frequency\":2e8,"
                        "\"core:global_index\":99}]}",
                        "..aaaabbbb...ccccddddeeeeffff"),
                "[");
    struct bytes wav = wav_of(&cs16_shape, "0123456789abcdef");
    assert_same(file_of_bytes("a_7100kHz_1k.wav", &wav), "0123456789abcdef");
}

/* Its samples are not those of the stream. */
static void a_wav_of_8_bits_has_to_be_read(void **state)
{
    (void)state;
    struct bytes b = wav_of(&(struct shape){"RIFF", PCM, 2, 8, 48000}, "abcdefgh");
    const struct source_config config = replay_of(file_of_bytes("eight_7M.wav", &b));
    struct source *s = open_source(&config);
    int fd;
    uint64_t at;
    assert_int_equal(s->ops->locate(s, 1, 1000, &fd, &at), -ENOTSUP);
    assert_int_equal(s->replay.position, 0);
    source_destroy(s);
}

static void a_pipe_has_to_be_read(void **state)
{
    (void)state;
    int ends[2], fd;
    uint64_t at;
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDIN_FILENO);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    struct source_config config = replay_of("-");
    config.format = "cs16";
    config.tuning.rate_hz = 1e6;
    struct source *s = open_source(&config);
    assert_int_equal(s->ops->locate(s, 1, 0, &fd, &at), -ENOTSUP);
    source_destroy(s);
    dup2(before, STDIN_FILENO);
    close(before);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(located_samples_and_marks_are_those_of_read),
        cmocka_unit_test(a_wav_of_8_bits_has_to_be_read),
        cmocka_unit_test(a_pipe_has_to_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
