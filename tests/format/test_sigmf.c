/* test_sigmf.c - SigMF pairs: the meta determines how samples are read. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/sigmf_support.h"

#include "daemon/base/reason.h"
#include "daemon/format/recording/sigmf_meta.h"

static struct source_config config;

static struct source *open_pair(const char *meta, const char *data)
{
    config = replay_of(pair_of("pair", meta, data));
    return open_source(&config);
}

static void expect_data(struct source *s, const char *data)
{
    int err = 0;
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, strlen(data));
    assert_memory_equal(out.at, data, out.size);
    drop(&out);
}

static void each_readable_datatype_comes_back_byte_for_byte(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fft_iq_format format;
    } table[] = {{"cu8", FFT_IQ_CU8},
                 {"ci8", FFT_IQ_CS8},
                 {"ci16_le", FFT_IQ_CS16},
                 {"cf32_le", FFT_IQ_CF32}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char meta[256];
        snprintf(meta, sizeof meta,
                 "{\"global\":{\"core:datatype\":\"%s\",\"core:sample_rate\":2.4e6},"
                 "\"captures\":[{\"core:sample_start\":0,\"core:frequency\":868950000,"
                 "\"core:datetime\":\"2021-06-18T23:17:51.163959Z\"}],\"annotations\":[]}",
                 table[i].name);
        struct source *s = open_pair(meta, "0123456789abcdef");
        assert_int_equal(s->stream.format, table[i].format);
        assert_true(s->stream.tuning.rate_hz == 2.4e6);
        assert_true(s->stream.tuning.center_hz == 868.95e6);
        assert_true(s->stream.start_ns == 1624058271163959000);
        expect_data(s, "0123456789abcdef");
        source_destroy(s);
    }
}

static void the_data_file_may_be_given_as_well(void **state)
{
    (void)state;
    pair_of("given_433M_1k", "{" GLOBAL "}", "abcdefgh");
    config = replay_of(path_of("given_433M_1k.sigmf-data"));
    struct source *s = open_source(&config);
    assert_true(s->stream.tuning.rate_hz == 1e6);     /* the meta, not the name */
    assert_true(s->stream.tuning.center_hz == 433e6); /* only the name has it */
    assert_int_equal(s->stream.start_ns, 0);
    expect_data(s, "abcdefgh");
    source_destroy(s);
}

static void the_meta_may_name_its_data_file(void **state)
{
    (void)state;
    file_of_text("other.bin", "abcdefgh");
    config = replay_of(file_of_text(
        "named.sigmf-meta", "{\"global\":{\"core:datatype\":\"cu8\",\"core:sample_rate\":1e6,"
                            "\"core:dataset\":\"other.bin\"}}"));
    struct source *s = open_source(&config);
    expect_data(s, "abcdefgh");
    source_destroy(s);
}

/* Three captures: other frequency; 90 samples missing by the recorder's count; same again. */
static void captures_become_marks(void **state)
{
    (void)state;
    struct source *s =
        open_pair("{" GLOBAL ",\"captures\":["
                  "{\"core:sample_start\":0,\"core:global_index\":100,\"core:frequency\":1e8},"
                  "{\"core:sample_start\":2,\"core:global_index\":102,\"core:frequency\":2e8,"
                  "\"core:datetime\":\"1970-01-01T00:00:01Z\"},"
                  "{\"core:sample_start\":3,\"core:global_index\":193,\"core:frequency\":2e8},"
                  "{\"core:sample_start\":4,\"core:frequency\":2e8}]}",
                  "aaaabbbbccccddddeeee");
    static const struct {
        int samples;
        const char *data;
        double center_hz;
        bool mark, tuned, timed;
        enum loss cause;
        uint64_t lost;
    } table[] = {{2, "aaaabbbb", 1e8, false, false, false, 0, 0},
                 {1, "cccc", 2e8, true, true, true, LOSS_RETUNE, 0},
                 {1, "dddd", 2e8, true, false, false, LOSS_GAP, 90},
                 {1, "eeee", 2e8, true, false, false, LOSS_GAP, 0}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char raw[40];
        assert_int_equal(s->ops->read(s, raw, 10, 100), table[i].samples);
        assert_memory_equal(raw, table[i].data, strlen(table[i].data));
        assert_true(s->stream.tuning.center_hz == table[i].center_hz);
        assert_int_equal(s->mark.set, table[i].mark);
        assert_int_equal(s->mark.tuning_changed, table[i].tuned);
        assert_int_equal(s->mark.has_time, table[i].timed);
        if (table[i].mark)
            assert_int_equal(s->mark.cause, table[i].cause);
        if (table[i].timed)
            assert_int_equal(s->mark.time_ns, 1000000000);
        assert_int_equal(s->mark.lost, table[i].lost);
        memset(&s->mark, 0, sizeof s->mark);
    }
    assert_int_equal(s->ops->read(s, (char[40]){0}, 10, 100), -ENODATA);
    source_destroy(s);
}

static void a_given_centre_holds_for_every_capture(void **state)
{
    (void)state;
    config = replay_of(pair_of("wins",
                               "{" GLOBAL
                               ",\"captures\":[{\"core:sample_start\":0,\"core:frequency\":1e8},"
                               "{\"core:sample_start\":1,\"core:frequency\":2e8}]}",
                               "aaaabbbb"));
    config.tuning.center_hz = 5e6;
    config.tuning.rate_hz = 3e6;
    struct source *s = open_source(&config);
    char raw[40];
    assert_true(s->stream.tuning.rate_hz == 3e6);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_true(s->mark.set && !s->mark.tuning_changed);
    assert_true(s->stream.tuning.center_hz == 5e6);
    source_destroy(s);
}

static void bytes_that_are_not_samples_are_skipped(void **state)
{
    (void)state;
    struct source *s = open_pair("{\"global\":{\"core:datatype\":\"cu8\",\"core:sample_rate\":1e6,"
                                 "\"core:trailing_bytes\":3},"
                                 "\"captures\":[{\"core:sample_start\":0,\"core:header_bytes\":5},"
                                 "{\"core:sample_start\":2,\"core:header_bytes\":2}]}",
                                 "HEAD1abcdH2efghEND");
    expect_data(s, "abcdefgh");
    source_destroy(s);
}

static void an_empty_capture_and_samples_before_the_first_are_read(void **state)
{
    (void)state;
    struct source *s =
        open_pair("{" GLOBAL ",\"captures\":[{\"core:sample_start\":1,\"core:frequency\":1e8},"
                  "{\"core:sample_start\":2,\"core:frequency\":2e8},"
                  "{\"core:sample_start\":2.0,\"core:frequency\":3e8}]}",
                  "aaaabbbbcccc");
    char raw[40];
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_true(s->stream.tuning.center_hz == 0);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_true(s->stream.tuning.center_hz == 1e8);
    memset(&s->mark, 0, sizeof s->mark);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_true(s->mark.set && s->mark.tuning_changed && s->stream.tuning.center_hz == 3e8);
    source_destroy(s);
}

/* SigMF 1.2: core:offset is the index of the first sample in this file. All indices count so. */
static void indices_count_from_the_offset(void **state)
{
    (void)state;
    struct source *s = open_pair(
        "{\"global\":{\"core:datatype\":\"cu8\",\"core:sample_rate\":1e6,\"core:offset\":1000},"
        "\"captures\":[{\"core:sample_start\":1000,\"core:frequency\":1e8,"
        "\"core:datetime\":\"1970-01-01T00:00:01Z\"},"
        "{\"core:sample_start\":1002,\"core:frequency\":2e8}]}",
        "aabbccddee");
    char raw[20];
    assert_true(s->stream.tuning.center_hz == 1e8 && s->stream.start_ns == 1000000000);
    assert_int_equal(s->replay.samples, 5);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 2);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 3);
    assert_memory_equal(raw, "ccddee", 6);
    assert_true(s->mark.tuning_changed && s->stream.tuning.center_hz == 2e8);
    source_destroy(s);
}

/* A part of a recording: the second capture began 500 samples before it, at 2 s. */
static void a_capture_of_the_file_before_goes_on(void **state)
{
    (void)state;
    struct source *s = open_pair(
        "{\"global\":{\"core:datatype\":\"cu8\",\"core:sample_rate\":1000,\"core:offset\":1000},"
        "\"captures\":[{\"core:sample_start\":0,\"core:frequency\":1e8,\"core:header_bytes\":3},"
        "{\"core:sample_start\":500,\"core:frequency\":2e8,\"core:global_index\":500,"
        "\"core:header_bytes\":7,\"core:datetime\":\"1970-01-01T00:00:02Z\"},"
        "{\"core:sample_start\":1001,\"core:global_index\":1011,\"core:frequency\":3e8}]}",
        "aabbcc");
    char raw[20];
    assert_true(s->stream.tuning.center_hz == 2e8 && s->stream.start_ns == 2500000000);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
    assert_memory_equal(raw, "aa", 2);
    assert_int_equal(s->ops->read(s, raw, 10, 100), 2);
    assert_true(s->stream.tuning.center_hz == 3e8);
    assert_int_equal(s->mark.lost, 10);
    source_destroy(s);
}

static void null_is_no_value(void **state)
{
    (void)state;
    struct source *s = open_pair(
        "{\"global\":{\"core:datatype\":\"cu8\",\"core:sample_rate\":1e6,\"core:offset\":null,"
        "\"core:num_channels\":null,\"core:dataset\":null,\"core:geolocation\":null,"
        "\"core:trailing_bytes\":null,\"fftd:full_scale\":null},\"captures\":["
        "{\"core:sample_start\":null,\"core:frequency\":null,\"core:datetime\":null,"
        "\"core:global_index\":null,\"core:header_bytes\":null}]}",
        "aabb");
    assert_true(s->stream.tuning.center_hz == 0 && s->stream.full_scale == 127.5);
    assert_int_equal(s->replay.samples, 2);
    source_destroy(s);
}

/* Each channel in turn, complex and real: a real sample is half of one. */
static void one_of_several_channels_is_read(void **state)
{
    (void)state;
    static const char *const expected[] = {"aagg", "bbhh", "ccii"};
    for (uint32_t channel = 0; channel < 3; channel++) {
        const char *path = pair_of("channels",
                                   "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":"
                                   "1e6,\"core:num_channels\":3}}",
                                   "aabbccgghhiixxxx");
        config = replay_of(path);
        config.rx_channel = channel;
        struct source *s = open_source(&config);
        assert_int_equal(s->replay.samples, 2);
        expect_data(s, expected[channel]);
        source_destroy(s);
        config.rx_channel = 3;
        expect_refused(&config, -EINVAL, "--rx-channel 3: it has 3 channels, from 0 to 2");
    }
}

/* A byte of 0x7f is full scale, so the channel of silence is distinguished from that of a constant.
 */
static void one_of_several_real_channels_is_read(void **state)
{
    (void)state;
    char data[2 * 600 + 1] = "";
    for (size_t i = 0; i < 600; i++)
        memcpy(data + 2 * i, i % 2 ? "\x7f\x01" : "\x81\x01", 2); /* at half the rate */
    const char *path = pair_of("reals",
                               "{\"global\":{\"core:datatype\":\"ri8\",\"core:sample_rate\":1e6,"
                               "\"core:num_channels\":2}}",
                               data);
    for (uint32_t channel = 0; channel < 2; channel++) {
        config = replay_of(path);
        config.rx_channel = channel;
        struct source *s = open_source(&config);
        int err = 0;
        struct bytes out = read_samples(s, UINT64_MAX, 64, &err);
        assert_int_equal(out.size, 300 * 8);
        const float *middle = (const float *)out.at + 300;
        assert_true(channel == 0 ? fabsf(middle[0]) > 0.9F : fabsf(middle[0]) < 0.01F);
        drop(&out);
        source_destroy(s);
    }
}

static void names_may_have_any_case(void **state)
{
    (void)state;
    static const char *const names[][3] = {
        {"u.SIGMF-META", "u.SIGMF-DATA", "u.SIGMF-DATA"},
        {"m.Sigmf-Meta", "m.Sigmf-Data", "m.Sigmf-Meta"},
        {"l.SIGMF-META", "l.sigmf-data", "l.SIGMF-META"},
        {"k.sigmf-meta", "k.SIGMF-DATA", "k.SIGMF-DATA"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        file_of_text(names[i][0], "{" GLOBAL "}");
        file_of_text(names[i][1], "abcdefgh");
        config = replay_of(path_of(names[i][2]));
        struct source *s = open_source(&config);
        expect_data(s, "abcdefgh");
        source_destroy(s);
    }
}

static void a_loop_goes_back_to_the_first_capture(void **state)
{
    (void)state;
    config = replay_of(
        pair_of("loop",
                "{" GLOBAL ",\"captures\":[{\"core:sample_start\":0,\"core:frequency\":1e8,"
                "\"core:header_bytes\":2},{\"core:sample_start\":1,\"core:frequency\":2e8}]}",
                "xxaaaabbbb"));
    config.loop = true;
    struct source *s = open_source(&config);
    for (int i = 0; i < 6; i++) {
        char raw[40];
        memset(&s->mark, 0, sizeof s->mark);
        assert_int_equal(s->ops->read(s, raw, 10, 100), 1);
        assert_memory_equal(raw, i % 2 ? "bbbb" : "aaaa", 4);
        assert_true(s->stream.tuning.center_hz == (i % 2 ? 2e8 : 1e8));
        assert_int_equal(s->mark.set && s->mark.tuning_changed, i > 0);
    }
    source_destroy(s);
}

static void an_unreadable_type_is_read_if_the_format_is_given(void **state)
{
    (void)state;
    config = replay_of(pair_of("forced", DATATYPE("nonsense"), "abcdefgh"));
    config.format = "cs8";
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CS8);
    source_destroy(s);
}

/* The same instant, as programs write it: 2021-06-18 23:17:51 UTC. */
static void dates_with_and_without_a_zone_are_read(void **state)
{
    (void)state;
    static const char *const table[] = {"2021-06-18T23:17:51Z", "2021-06-18T23:17:51",
                                        "2021-06-18T23:17:51.000000+00:00",
                                        "2021-06-18 23:17:51+00:00", "2021-06-19t01:17:51+02:00"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char meta[256];
        snprintf(meta, sizeof meta, CAPTURES("[{\"core:datetime\":\"%s\"}]"), table[i]);
        struct source *s = open_pair(meta, "abcd");
        assert_true(s->stream.start_ns == 1624058271000000000);
        source_destroy(s);
    }
}

static void an_invalid_date_counts_as_not_given_and_is_named(void **state)
{
    (void)state;
    static const char meta_text[] =
        CAPTURES("[{},{\"core:datetime\":\"yester\\nday\"},{\"core:datetime\":\"x\"}]");
    struct sigmf_meta meta;
    struct reason why = {0};
    struct source *s = open_pair(CAPTURES("[{\"core:datetime\":\"yesterday\"}]"), "abcd");
    assert_int_equal(s->stream.start_ns, 0);
    source_destroy(s);
    assert_int_equal(sigmf_meta_parse(meta_text, sizeof meta_text - 1, &meta, &why), 0);
    assert_non_null(strstr(meta.warning, "capture 1: core:datetime \"yester?day\" is not a time"));
    sigmf_meta_finish(&meta);
}

#define PLACE(numbers) "\"core:geolocation\":{\"type\":\"Point\",\"coordinates\":[" numbers "]}"

static void the_place_of_the_antenna_is_that_of_the_recording(void **state)
{
    (void)state;
    static const char *const table[] = {
        MORE("\"core:sample_rate\":1," PLACE("16.37,48.21")),
        CAPTURES("[{},{\"core:sample_start\":1," PLACE(
            "16.37,48.21") "},{\"core:sample_start\":1," PLACE("1,2") "}]"),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct source *s = open_pair(table[i], "abcdefgh");
        assert_true(s->stream.geolocation.known);
        assert_true(s->stream.geolocation.latitude == 48.21);
        assert_true(s->stream.geolocation.longitude == 16.37);
        source_destroy(s);
    }
    struct source *s = open_pair(CAPTURES("[]"), "abcd");
    assert_false(s->stream.geolocation.known);
    source_destroy(s);
    config = replay_of(pair_of("pair", table[0], "abcd"));
    config.geolocation = "-1,-2,3";
    s = open_source(&config);
    assert_true(s->stream.geolocation.latitude == -1 && s->stream.geolocation.altitude_m == 3);
    source_destroy(s);
}

static void a_place_that_is_none_counts_as_not_given_and_is_named(void **state)
{
    (void)state;
    static const char meta_text[] = CAPTURES("[{},{" PLACE("16,91") "}]");
    struct sigmf_meta meta;
    struct reason why = {0};
    assert_int_equal(sigmf_meta_parse(meta_text, sizeof meta_text - 1, &meta, &why), 0);
    assert_false(meta.geolocation.known);
    assert_non_null(strstr(meta.warning, "capture 1: core:geolocation is not a point"));
    sigmf_meta_finish(&meta);
}

#define SCALE(type, value)                                                                         \
    "{\"global\":{\"core:datatype\":\"" type                                                       \
    "\",\"core:sample_rate\":1e6,\"fftd:full_scale\":" value "},\"captures\":[]}"

static double scale_of(const char *meta, double given, const char *format)
{
    config = replay_of(pair_of("pair", meta, "abcdefgh"));
    config.full_scale = given;
    config.format = format;
    struct source *s = open_source(&config);
    const double scale = s->stream.full_scale;
    source_destroy(s);
    return scale;
}

static void the_full_scale_is_what_the_recorder_wrote(void **state)
{
    (void)state;
    assert_true(scale_of(SCALE("ci16_le", "2048"), 0, NULL) == 2048);
    assert_true(scale_of(SCALE("ci16_le", "2048.0"), 0, NULL) == 2048);
    assert_true(scale_of(SCALE("ci16_le", "32768"), 0, NULL) == 32768);
    assert_true(scale_of(SCALE("cf32_le", "32768"), 0, NULL) == 32768);
    assert_true(scale_of(SCALE("cf32_le", "0.5"), 0, NULL) == 0.5);
    assert_true(scale_of(SCALE("cu8", "127.5"), 0, NULL) == 127.5);
    assert_true(scale_of(SCALE("ci16_le", "2048"), 512, NULL) == 512); /* given: it wins */
    assert_true(scale_of(SCALE("ci16_le", "2048"), 0, "cs8") == 128);  /* of other samples */
    assert_true(scale_of(SCALE("ci16_le", "2048"), 0, "cs16") == 2048);
}

static void a_full_scale_that_is_none_counts_as_not_given(void **state)
{
    static const char *const bad[] = {
        SCALE("ci16_le", "0"),      SCALE("ci16_le", "-2048"),  SCALE("ci16_le", "32769"),
        SCALE("ci16_le", "1e300"),  SCALE("ci16_le", "0.5"),    SCALE("ci16_le", "\"2048\""),
        SCALE("ci16_le", "null"),   SCALE("ci16_le", "[2048]"), SCALE("ci16_le", "{}"),
        SCALE("ci16_le", "1e-300"), SCALE("ci16_le", "true"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(scale_of(bad[i], 0, NULL) == 32768);
    assert_true(scale_of(SCALE("cf32_le", "1e300"), 0, NULL) == 1);
    assert_true(scale_of(SCALE("ci8", "129"), 0, NULL) == 128);
    assert_true(scale_of(SCALE("cu8", "128"), 0, NULL) == 127.5);
}

/* Windows' editors begin a file of UTF-8 with these three bytes. */
static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    struct source *s = open_pair("\xef\xbb\xbf{" GLOBAL "}", "abcd");
    expect_data(s, "abcd");
    source_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_readable_datatype_comes_back_byte_for_byte),
        cmocka_unit_test(the_data_file_may_be_given_as_well),
        cmocka_unit_test(the_meta_may_name_its_data_file),
        cmocka_unit_test(captures_become_marks),
        cmocka_unit_test(a_given_centre_holds_for_every_capture),
        cmocka_unit_test(bytes_that_are_not_samples_are_skipped),
        cmocka_unit_test(an_empty_capture_and_samples_before_the_first_are_read),
        cmocka_unit_test(indices_count_from_the_offset),
        cmocka_unit_test(a_capture_of_the_file_before_goes_on),
        cmocka_unit_test(null_is_no_value),
        cmocka_unit_test(one_of_several_channels_is_read),
        cmocka_unit_test(one_of_several_real_channels_is_read),
        cmocka_unit_test(names_may_have_any_case),
        cmocka_unit_test(a_loop_goes_back_to_the_first_capture),
        cmocka_unit_test(an_unreadable_type_is_read_if_the_format_is_given),
        cmocka_unit_test(dates_with_and_without_a_zone_are_read),
        cmocka_unit_test(an_invalid_date_counts_as_not_given_and_is_named),
        cmocka_unit_test(the_place_of_the_antenna_is_that_of_the_recording),
        cmocka_unit_test(a_place_that_is_none_counts_as_not_given_and_is_named),
        cmocka_unit_test(the_full_scale_is_what_the_recorder_wrote),
        cmocka_unit_test(a_full_scale_that_is_none_counts_as_not_given),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
