/* test_guess.c - recordings whose names say nothing: guessed, and read without losing a byte. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/source/iq_signals.h"
#include "tests/support/source/source_support.h"

/* Noise of -20 dB in one of the first encodings: those of the four formats. */
static struct block noise_in(enum fft_iq_format format)
{
    static struct fft_iq samples[SCENE_SAMPLES];
    const struct iq_encoding *e = iq_encodings;
    while (e->truth != format)
        e++;
    render_scene(&iq_scenes[0], 1, samples);
    return encode_samples(e, samples, -20);
}

static void expect_guess(const char *path, enum fft_iq_format format, const struct block *b)
{
    const struct source_config config = replay_of(path);
    struct source *s = open_source(&config);
    int err = 0;
    assert_int_equal(s->stream.format, format);
    struct bytes out = read_samples(s, UINT64_MAX, 777, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, b->size);
    assert_memory_equal(out.at, b->at, b->size);
    drop(&out);
    source_destroy(s);
}

static void a_file_is_guessed_and_read_from_its_start(void **state)
{
    (void)state;
    static const char *const names[] = {"capture_250k.iq", "capture_250k.raw", "capture_250k.bin",
                                        "capture_250k"};
    for (int format = 0; format < FFT_IQ_FORMATS; format++) {
        struct block b = noise_in((enum fft_iq_format)format);
        expect_guess(file_of(names[format], b.at, b.size), (enum fft_iq_format)format, &b);
        free(b.at);
    }
}

/* Half of the file: before the radio delivered anything. */
static void a_file_with_a_silent_start_is_guessed_from_its_middle(void **state)
{
    (void)state;
    struct block b = noise_in(FFT_IQ_CU8);
    struct bytes file = {0};
    put_zeros(&file, 600000);
    memset(file.at, 0x80, file.size);
    for (int i = 0; i < 40; i++)
        put(&file, b.at, b.size);
    const struct block all = {file.at, file.size};
    expect_guess(file_of("late_250k.iq", file.at, file.size), FFT_IQ_CU8, &all);
    drop(&file);
    free(b.at);
}

struct writer {
    const char *path;
    const struct block *block;
};

/* In pieces of odd sizes. */
static void *write_fifo(void *arg)
{
    const struct writer *w = arg;
    FILE *f = fopen(w->path, "wb");
    for (size_t at = 0; f && at < w->block->size; at += 12345) {
        const size_t left = w->block->size - at;
        fwrite(w->block->at + at, 1, left < 12345 ? left : 12345, f);
        fflush(f);
    }
    if (f)
        fclose(f);
    return NULL;
}

static void a_pipe_is_guessed_from_what_arrives_first(void **state)
{
    (void)state;
    struct block b = noise_in(FFT_IQ_CS16);
    struct bytes stream = {0}; /* longer than the part that is guessed from */
    for (int i = 0; i < 6; i++)
        put(&stream, b.at, b.size);
    const struct block all[] = {b, {stream.at, stream.size}};
    for (int i = 0; i < 2; i++) {
        struct writer w = {path_of(i ? "long_250k" : "short_250k"), &all[i]};
        pthread_t thread;
        assert_int_equal(mkfifo(w.path, 0600), 0);
        assert_int_equal(pthread_create(&thread, NULL, write_fifo, &w), 0);
        expect_guess(w.path, FFT_IQ_CS16, w.block);
        pthread_join(thread, NULL);
    }
    drop(&stream);
    free(b.at);
}

static void an_empty_pipe_has_no_samples(void **state)
{
    (void)state;
    const struct block none = {NULL, 0};
    struct writer w = {path_of("empty_250k"), &none};
    pthread_t thread;
    assert_int_equal(mkfifo(w.path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_fifo, &w), 0);
    const struct source_config config = replay_of(w.path);
    expect_refused(&config, -EINVAL, "empty_250k: empty, no samples");
    pthread_join(thread, NULL);
}

static void without_a_guess_the_line_names_the_candidates(void **state)
{
    (void)state;
    struct bytes zeros = {0};
    put_zeros(&zeros, 40000);
    struct source_config config = replay_of(file_of("zeros_250k.iq", zeros.at, zeros.size));
    expect_refused(&config, -EINVAL,
                   "zeros_250k.iq: unknown sample format, perhaps cu8 or cs8 or cs16 or cf32: try "
                   "fftd --replay ");
    put_zeros(&zeros, 1);
    config = replay_of(file_of("zeros_250k.iq", zeros.at, zeros.size));
    expect_refused(&config, -EINVAL, "40001 bytes are no whole number of samples in any format");
    put_zeros(&zeros, 3); /* no whole number of cf32 samples */
    config = replay_of(file_of("zeros_250k.iq", zeros.at, zeros.size));
    expect_refused(&config, -EINVAL,
                   "zeros_250k.iq: unknown sample format, perhaps cu8 or cs8 or cs16: try ");
    expect_refused(&config, -EINVAL, "zeros_250k.iq --format cu8 or --format cs8 or --format cs16");
    drop(&zeros);
}

/* The option, a prefix, and the suffix have no need of a guess. */
static void a_given_format_is_not_questioned(void **state)
{
    (void)state;
    struct block b = noise_in(FFT_IQ_CF32);
    struct source_config config = replay_of(file_of("given_250k.iq", b.at, b.size));
    config.format = "cu8";
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CU8);
    source_destroy(s);
    config = replay_of(file_of("given_250k.cs16", b.at, b.size));
    s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    source_destroy(s);
    free(b.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_guessed_and_read_from_its_start),
        cmocka_unit_test(a_file_with_a_silent_start_is_guessed_from_its_middle),
        cmocka_unit_test(a_pipe_is_guessed_from_what_arrives_first),
        cmocka_unit_test(an_empty_pipe_has_no_samples),
        cmocka_unit_test(without_a_guess_the_line_names_the_candidates),
        cmocka_unit_test(a_given_format_is_not_questioned),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
