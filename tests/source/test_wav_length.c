/* test_wav_length.c - WAV recordings whose header and length disagree, from a file and a pipe. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/source/wav_support.h"

#include "daemon/source/file/recording_source.h"

static void an_unfinished_length_means_to_the_end(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0, 0xffffffff};
    for (int i = 0; i < 2; i++) {
        struct bytes b = {0};
        put_riff(&b, "RIFF");
        put_fmt(&b, &cs16_shape);
        put_data(&b, lengths[i]);
        put_text(&b, "abcdefgh");
        source_destroy(expect_samples(file_of_bytes("d.wav", &b), "abcdefgh"));
    }
}

/* A killed recorder leaves the sizes that it began with, or ends within a sample. */
static void what_is_there_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        uint32_t stated;
        const char *samples;
    } table[] = {
        {"abcdef", 6, "abcd"},               /* half a sample */
        {"abcdefghi", 8, "abcdefgh"},        /* one stray byte */
        {"abcdefghi", 9, "abcdefgh"},        /* the same, counted */
        {"abcd", 8, "abcd"},                 /* cut */
        {"abcdefg", 80, "abcd"},             /* cut within a sample */
        {"abcdefghijkl", 4, "abcdefghijkl"}, /* an early size: more samples, no chunks */
        {"abcdefghijklmnop", 8, "abcdefghijklmnop"},
        {"abcdefgh", 0, "abcdefgh"},
        {"abcdefghi", 0xffffffff, "abcdefgh"},
        {"abcdLIST\4\0\0\0tail", 4, "abcd"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int pipe = 0; pipe < 2; pipe++) {
            struct bytes b = {0};
            put_riff(&b, "RIFF");
            put_fmt(&b, &cs16_shape);
            put_data(&b, table[i].stated);
            if (i == 9)
                put(&b, table[i].written, 16);
            else
                put_text(&b, table[i].written);
            if (pipe)
                expect_piped_wav(&b, "wav:-", table[i].samples);
            else
                expect_wav(&b, table[i].samples);
            drop(&b);
        }
    }
}

/* GNU Radio's size of 4 GiB + 49,380 bytes, as in RIFF: 49,380. A hole in the file takes no space.
 */
/* As kiwirecorder writes it: "kiwi" with 10 bytes, then the samples, again and again. */
static void put_kiwi(struct bytes *b, const char *samples)
{
    put_text(b, "kiwi");
    put_u32(b, 10);
    put_zeros(b, 10);
    put_data(b, strlen(samples));
    put_text(b, samples);
}

static void all_data_chunks_of_a_kiwi_are_one_stream(void **state)
{
    (void)state;
    static const char *const last[] = {"mnopqrst", "mnopqr", "m", ""};
    static const char *const expected[] = {"abcdefghijklmnopqrst", "abcdefghijklmnop",
                                           "abcdefghijkl", "abcdefghijkl"};
    for (int i = 0; i < 4; i++) {
        struct bytes b = {0};
        put_riff(&b, "RIFF");
        put_fmt(&b, &cs16_shape);
        put_kiwi(&b, "abcd");
        put_kiwi(&b, "efghijkl");
        put_kiwi(&b, "mnopqrst");
        b.size -= 8 - strlen(last[i]); /* cut, as a killed recorder leaves it */
        struct source *s = expect_samples(file_of("kiwi.wav", b.at, b.size), expected[i]);
        assert_false(s->mark.set);
        source_destroy(s);
        expect_piped_wav(&b, "wav:-",
                         "abcd"); /* with a warning: a pipe is not searched for chunks */
        drop(&b);
    }
}

static void a_wrapped_size_is_completed(void **state)
{
    (void)state;
    static const uint64_t wrap = (uint64_t)1 << 32;
    static const struct {
        uint64_t bytes; /* of the samples */
        const char *after;
        size_t after_bytes;
    } table[] = {{wrap + 49380, "", 0},
                 {wrap + 49380, "LIST\4\0\0\0tail", 12},
                 {2 * wrap + 49380, "auxi\3\0\0\0xyz\0", 12},
                 {wrap - 4, "LIST\4\0\0\0tail", 12}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes b = {0};
        struct recording r;
        put_riff(&b, "RIFF");
        put_fmt(&b, &cs16_shape);
        put_data(&b, table[i].bytes % wrap);
        const size_t at = b.size;
        const char *path = file_of_bytes("big.wav", &b);
        FILE *f = fopen(path, "r+b");
        assert_non_null(f);
        assert_int_equal(ftruncate(fileno(f), (off_t)(at + table[i].bytes)), 0);
        assert_int_equal(fseek(f, 0, SEEK_END), 0);
        assert_int_equal(fwrite(table[i].after, 1, table[i].after_bytes, f), table[i].after_bytes);
        assert_int_equal(fclose(f), 0);
        const struct source_config config = replay_of(path);
        assert_int_equal(recording_open(&r, &config), 0);
        assert_true(r.segments[0].samples == table[i].bytes / 4);
        recording_close(&r);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_wav_is_read_from_a_pipe(void **state)
{
    (void)state;
    struct bytes b = wav_of(&cs16_shape, "abcdefgh");
    expect_piped_wav(&b, "wav:-", "abcdefgh");
    drop(&b);
}

static void a_wav_needs_no_name_that_says_so(void **state)
{
    static const char *const magics[] = {"RIFF", "BW64"};
    (void)state;
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        struct shape shape = cs16_shape;
        struct recording r;
        shape.magic = magics[i];
        struct bytes b = wav_of(&shape, "abcdefgh");
        expect_piped_wav(&b, "-", "abcdefgh");
        source_destroy(expect_samples(file_of("nameless", b.at, b.size), "abcdefgh"));
        const struct source_config config = replay_of(file_of("nameless", b.at, b.size));
        assert_int_equal(recording_open(&r, &config), 0);
        assert_ptr_equal(r.sample, iq_sample_find("cs16"));
        assert_false(r.format_guessed || r.rate_assumed);
        assert_true(r.rate_hz == shape.rate_hz);
        recording_close(&r);
        drop(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unfinished_length_means_to_the_end),
        cmocka_unit_test(what_is_there_is_read),
        cmocka_unit_test(all_data_chunks_of_a_kiwi_are_one_stream),
        cmocka_unit_test(a_wrapped_size_is_completed),
        cmocka_unit_test(a_wav_is_read_from_a_pipe),
        cmocka_unit_test(a_wav_needs_no_name_that_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
