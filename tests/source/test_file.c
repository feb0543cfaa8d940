/* test_file.c - raw recordings: bytes are unchanged, bad input gives one clear line. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/base/clock.h"
#include "tests/support/source/source_support.h"

#include "daemon/format/recording/iq_sample.h"
#include "daemon/source/pacer.h"

enum { SAMPLES = 1000 };

/* Bytes that never repeat within the file. */
static struct bytes pattern(size_t size)
{
    struct bytes b = {0};
    put_zeros(&b, size);
    for (size_t i = 0; i < size; i++)
        b.at[i] = (uint8_t)(i * 7 + i / 256 * 13);
    return b;
}

static void a_raw_file_comes_back_byte_for_byte_in_every_format(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fft_iq_format format;
        double full_scale;
    } table[] = {{"a_433.92M_250k.cu8", FFT_IQ_CU8, 127.5},
                 {"a_433.92M_250k.cs8", FFT_IQ_CS8, 128},
                 {"a_433.92M_250k.cs16", FFT_IQ_CS16, 32768},
                 {"a_433.92M_250k.cf32", FFT_IQ_CF32, 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes in = pattern(SAMPLES * fft_iq_bytes(table[i].format));
        const struct source_config config = replay_of(file_of(table[i].name, in.at, in.size));
        struct source *s = open_source(&config);
        int err = 0;
        assert_string_equal(s->ops->name, "file");
        assert_int_equal(s->stream.format, table[i].format);
        assert_true(s->stream.full_scale == table[i].full_scale);
        assert_true(s->stream.tuning.rate_hz == 250000);
        assert_true(s->stream.tuning.center_hz == 433920000);
        assert_true(isnan(s->stream.gain_db));
        assert_int_equal(s->stream.start_ns, 0);
        assert_false(s->stream.simulated || s->mark.set);
        struct bytes out = read_samples(s, UINT64_MAX, 77, &err);
        assert_int_equal(err, -ENODATA);
        assert_false(s->mark.set);
        assert_int_equal(out.size, in.size);
        assert_memory_equal(out.at, in.at, in.size);
        source_destroy(s);
        drop(&in);
        drop(&out);
    }
}

static void the_command_line_overrides_the_name(void **state)
{
    (void)state;
    struct source_config config = replay_of(file_of_text("b_433.92M_250k.cu8", "01234567"));
    config.format = "cs16";
    config.tuning.rate_hz = 1e6;
    config.tuning.center_hz = 99e6;
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    assert_true(s->stream.tuning.rate_hz == 1e6);
    assert_true(s->stream.tuning.center_hz == 99e6);
    source_destroy(s);
}

static void a_file_without_any_hint_needs_format_and_rate_only(void **state)
{
    (void)state;
    struct source_config config = replay_of(file_of_text("hintless", "0123"));
    config.format = "cs8";
    config.tuning.rate_hz = 48000;
    struct source *s = open_source(&config);
    assert_true(s->stream.tuning.center_hz == 0);
    source_destroy(s);
}

/* The rate paces the replay, and is no rate of the recording. */
static void a_rate_that_nothing_gives_is_assumed(void **state)
{
    (void)state;
    static const char *const names[] = {"norate.cu8", "zero_0k.cu8", "center_433.92MHz.cu8"};
    for (int i = 0; i < 3; i++) {
        struct source_config config = replay_of(file_of_text(names[i], "1234"));
        struct source *s = open_source(&config);
        assert_true(s->stream.rate_assumed);
        assert_true(s->stream.tuning.rate_hz == 1e6);
        assert_true(s->stream.tuning.center_hz == (i == 2 ? 433.92e6 : 0));
        source_destroy(s);
        config.tuning.rate_hz = 48000;
        s = open_source(&config);
        assert_false(s->stream.rate_assumed);
        source_destroy(s);
    }
}

static void a_prefix_forces_the_format(void **state)
{
    (void)state;
    char replay[600];
    snprintf(replay, sizeof replay, "cs16:%s", file_of_text("c_868.950M_1M6.bin", "0123"));
    const struct source_config config = replay_of(replay);
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    assert_true(s->stream.tuning.rate_hz == 1.6e6);
    source_destroy(s);
}

/* 2024-01-01 12:00:00 UTC, as `date -u` counts its seconds. */
static void a_name_of_gqrx_gives_format_rate_centre_and_time(void **state)
{
    (void)state;
    const struct source_config config =
        replay_of(file_of_text("gqrx_20240101_120000_433920000_2400000_fc.raw", "01234567"));
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CF32);
    assert_true(s->stream.tuning.center_hz == 433.92e6);
    assert_true(s->stream.tuning.rate_hz == 2.4e6);
    assert_true(s->stream.start_ns == 1704110400000000000);
    source_destroy(s);
}

/* A recorder that was killed leaves one. */
static void an_incomplete_sample_at_the_end_is_left_out(void **state)
{
    (void)state;
    static const char *const names[] = {"odd_250k.cu8", "odd_250k.cs16", "odd_250k.cf32",
                                        "odd_250k.cs24", "odd_250k.cf64"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t size = iq_sample_find(strchr(names[i], '.') + 1)->bytes;
        for (size_t rest = 1; rest < size; rest++) {
            struct bytes in = pattern(5 * size + rest);
            const struct source_config config = replay_of(file_of(names[i], in.at, in.size));
            struct source *s = open_source(&config);
            int err = 0;
            assert_int_equal(s->replay.samples, 5);
            struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
            assert_int_equal(err, -ENODATA);
            assert_int_equal(out.size, 5 * fft_iq_bytes(s->stream.format));
            source_destroy(s);
            drop(&in);
            drop(&out);
        }
    }
}

static void bad_files_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *content; /* NULL: no such file */
        int err;
        const char *piece;
    } table[] = {
        {"gone_250k.cu8", NULL, -ENOENT, "gone_250k.cu8: No such file"},
        {"empty_250k.cu8", "", -EINVAL, "empty_250k.cu8: empty"},
        {"odd_250k.cf32", "1234", -EINVAL, "odd_250k.cf32: no samples: 4 of the 8 bytes of a cf32"},
        {"what_250k.bin", "1234", -EINVAL, "what_250k.bin: unknown sample format: 4 bytes are too"},
        {"nothing_250k.bin", "", -EINVAL, "nothing_250k.bin: empty, no samples"},
        {"what_250k.cs4", "1234", -ENOTSUP, "what_250k.cs4: cannot read cs4"},
        {"what_250k.CU64", "1234", -ENOTSUP, "cannot read cu64"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *path = table[i].content ? file_of_text(table[i].name, table[i].content)
                                            : path_of(table[i].name);
        const struct source_config config = replay_of(path);
        expect_refused(&config, table[i].err, table[i].piece);
    }
}

static void a_directory_is_refused(void **state)
{
    (void)state;
    const char *path = path_of("folder_250k.cu8");
    assert_int_equal(mkdir(path, 0700), 0);
    const struct source_config config = replay_of(path);
    expect_refused(&config, -EISDIR, "folder_250k.cu8: Is a directory");
}

static void impossible_values_are_refused(void **state)
{
    (void)state;
    static const double rates[] = {NAN, -1, INFINITY};
    const char *path = file_of_text("d_433M_250k.cu8", "1234");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct source_config config = replay_of(path);
        config.tuning.rate_hz = rates[i];
        expect_refused(&config, -EINVAL, "is not possible");
    }
    struct source_config config = replay_of(path);
    config.tuning.center_hz = INFINITY;
    expect_refused(&config, -EINVAL, "a centre of inf");
    config = replay_of(path);
    config.format = "cs4";
    expect_refused(&config, -EINVAL, "--format cs4");
    config = replay_of("");
    config.source = "file";
    expect_refused(&config, -EINVAL, "--replay");
}

static void a_file_that_shrinks_while_it_is_read_is_an_error(void **state)
{
    (void)state;
    struct bytes in = pattern((size_t)2 * SAMPLES);
    const char *path = file_of("shrink_250k.cu8", in.at, in.size);
    const struct source_config config = replay_of(path);
    struct source *s = open_source(&config);
    int err = 0;
    file_of("shrink_250k.cu8", in.at, 100);
    struct bytes out = read_samples(s, UINT64_MAX, 64, &err);
    assert_int_equal(err, -EIO);
    assert_int_equal(out.size, 100);
    assert_non_null(strstr(s->why.sentence, "ended early"));
    source_destroy(s);
    drop(&in);
    drop(&out);
}

static void a_loop_restarts_with_a_mark(void **state)
{
    (void)state;
    struct source_config config = replay_of(file_of_text("loop_433M_250k.cu8", "abcdef"));
    uint8_t raw[20];
    config.loop = true;
    struct source *s = open_source(&config);
    for (int round = 0; round < 3; round++) {
        memset(&s->mark, 0, sizeof s->mark);
        assert_int_equal(s->ops->read(s, raw, 10, 100), 3);
        assert_memory_equal(raw, "abcdef", 6);
        assert_int_equal(s->mark.set, round > 0);
        if (round > 0) {
            assert_int_equal(s->mark.cause, LOSS_CAUSES); /* nothing is lost */
            assert_int_equal(s->mark.lost, 0);
            assert_false(s->mark.tuning_changed);
            assert_false(s->mark.has_time); /* time goes on */
            assert_int_equal(s->mark.anchor.jump, REPLAY_LOOP);
            assert_int_equal(s->mark.anchor.position, 0);
        }
    }
    source_destroy(s);
}

/* 1,000 samples at 10 kS/s: the last is due 100 ms after the start, whatever the load. */
static void real_time_replay_is_never_early(void **state)
{
    (void)state;
    struct bytes in = pattern((size_t)2 * SAMPLES);
    struct source_config config = replay_of(file_of("slow_10k.cu8", in.at, in.size));
    int err = 0;
    config.realtime = true;
    const uint64_t before = clock_now_ns();
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, UINT64_MAX, 5000, &err);
    assert_int_equal(err, -ENODATA);
    assert_true(clock_now_ns() - before >= 100000000U);
    assert_int_equal(out.size, in.size);
    assert_memory_equal(out.at, in.at, in.size);
    source_destroy(s);
    drop(&in);
    drop(&out);
}

static void a_recording_cannot_be_tuned(void **state)
{
    (void)state;
    const struct source_config config = replay_of(file_of_text("tune_433M_250k.cu8", "abcdef"));
    struct source *s = open_source(&config);
    struct tuning want = config.tuning;
    assert_int_equal(s->ops->tune(s, &want), 0);
    want.center_hz = 433e6;
    assert_int_equal(s->ops->tune(s, &want), 0);
    want.center_hz = 434e6;
    assert_int_equal(s->ops->tune(s, &want), -ENOTSUP);
    assert_non_null(strstr(s->why.sentence, "cannot be tuned"));
    want = config.tuning;
    want.rate_hz = 1e6;
    assert_int_equal(s->ops->tune(s, &want), -ENOTSUP);
    want = config.tuning;
    strcpy(want.gain, "20");
    assert_int_equal(s->ops->tune(s, &want), -ENOTSUP);
    source_destroy(s);
}

static void the_source_is_found_by_name_or_by_the_options(void **state)
{
    (void)state;
    struct source_config config = replay_of("x");
    assert_string_equal(source_find(&config)->name, "file");
    config.source = NULL;
    assert_string_equal(source_find(&config)->name, "file");
    config.source = "sim";
    assert_string_equal(source_find(&config)->name, "sim");
    config.source = "nosuch";
    assert_null(source_find(&config));
}

static void causes_of_loss_have_names(void **state)
{
    (void)state;
    assert_string_equal(loss_name(LOSS_OVERFLOW), "overflow");
    assert_string_equal(loss_name(LOSS_OVERRUN), "overrun");
    assert_string_equal(loss_name(LOSS_GAP), "gap");
    assert_string_equal(loss_name(LOSS_RETUNE), "retune");
    assert_string_equal(loss_name(LOSS_TAIL), "tail");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_raw_file_comes_back_byte_for_byte_in_every_format),
        cmocka_unit_test(the_command_line_overrides_the_name),
        cmocka_unit_test(a_file_without_any_hint_needs_format_and_rate_only),
        cmocka_unit_test(a_rate_that_nothing_gives_is_assumed),
        cmocka_unit_test(a_prefix_forces_the_format),
        cmocka_unit_test(a_name_of_gqrx_gives_format_rate_centre_and_time),
        cmocka_unit_test(an_incomplete_sample_at_the_end_is_left_out),
        cmocka_unit_test(bad_files_are_refused_by_name),
        cmocka_unit_test(a_directory_is_refused),
        cmocka_unit_test(impossible_values_are_refused),
        cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_an_error),
        cmocka_unit_test(a_loop_restarts_with_a_mark),
        cmocka_unit_test(real_time_replay_is_never_early),
        cmocka_unit_test(a_recording_cannot_be_tuned),
        cmocka_unit_test(the_source_is_found_by_name_or_by_the_options),
        cmocka_unit_test(causes_of_loss_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
