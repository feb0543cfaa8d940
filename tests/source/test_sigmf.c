/* test_sigmf.c - SigMF pairs: the meta determines how samples are read. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/format/sigmf_meta.h"

#define GLOBAL "\"global\":{\"core:datatype\":\"ci16_le\",\"core:sample_rate\":1000000}"

/* Writes NAME.sigmf-meta and -data; returns the path of the meta. */
static const char *pair_of(const char *name, const char *meta, const char *data)
{
    char file[64];
    snprintf(file, sizeof file, "%s.sigmf-data", name);
    file_of_text(file, data);
    snprintf(file, sizeof file, "%s.sigmf-meta", name);
    return file_of_text(file, meta);
}

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

#define DATATYPE(type) "{\"global\":{\"core:datatype\":\"" type "\",\"core:sample_rate\":1e6}}"
#define CAPTURES(list) "{" GLOBAL ",\"captures\":" list "}"
#define MORE(text)     "{\"global\":{\"core:datatype\":\"cu8\"," text "}}"

static void data_that_is_not_iq_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *meta, *data;
        int err;
        const char *piece;
    } table[] = {
        {DATATYPE("ri16_le"), "abcd", -EINVAL, "real-valued samples (core:datatype ri16_le)"},
        {DATATYPE("rf32_le"), "abcd", -EINVAL, "real-valued"},
        {DATATYPE("ci16_be"), "abcd", -ENOTSUP, "cannot read core:datatype ci16_be"},
        {DATATYPE("ci32_le"), "abcd", -ENOTSUP, "cannot read core:datatype ci32_le"},
        {DATATYPE("cf64_le"), "abcd", -ENOTSUP, "cannot read core:datatype cf64_le"},
        {DATATYPE("cu16_le"), "abcd", -ENOTSUP, "cannot read core:datatype cu16_le"},
        {DATATYPE("nonsense"), "abcd", -ENOTSUP, "cannot read core:datatype nonsense"},
        {DATATYPE("much_too_long_for_a_datatype"), "abcd", -EINVAL, "core:datatype is no text"},
        {MORE("\"core:sample_rate\":1e6,\"core:num_channels\":2"), "abcd", -EINVAL, "2 channels"},
        {MORE("\"core:sample_rate\":1e6,\"core:num_channels\":0"), "abcd", -EINVAL, "0 channels"},
        {MORE("\"core:sample_rate\":-5"), "abcd", -EINVAL, "a sample rate of -5"},
        {MORE("\"core:sample_rate\":\"fast\""), "abcd", -EINVAL, "core:sample_rate is no number"},
        {MORE("\"core:sample_rate\":NaN"), "abcd", -EINVAL, "no JSON in its meta: line 1"},
        {MORE("\"core:sample_rate\":1e999"), "abcd", -EINVAL, "no JSON"},
        {MORE("\"core:sample_rate\":1e6,\"core:dataset\":\"../x\""), "abcd", -EINVAL, "plain name"},
        {MORE("\"core:sample_rate\":1e6,\"core:dataset\":\"gone.bin\""), "abcd", -ENOENT,
         "gone.bin"},
        {MORE("\"core:sample_rate\":1e6,\"core:metadata_only\":true"), "abcd", -EINVAL,
         "metadata_only"},
        {MORE("\"core:sample_rate\":1e6,\"core:trailing_bytes\":5"), "abcd", -EINVAL,
         "core:trailing_bytes"},
        {MORE("\"core:sample_rate\":1e6"), "", -EINVAL, "empty, no samples"},
        {MORE("\"core:sample_rate\":1e6"), "abc", -EINVAL, "truncated: 3 bytes"},
        {"{\"global\":{\"core:sample_rate\":1e6}}", "abcd", -EINVAL, "core:datatype is missing"},
        {"{}", "abcd", -EINVAL, "no \"global\" object"},
        {"[]", "abcd", -EINVAL, "no JSON object"},
        {"{", "abcd", -EINVAL, "no JSON in its meta: line 1"},
        {"", "abcd", -EINVAL, "no file of 1 byte to 64 MiB"},
        {CAPTURES("{}"), "abcd", -EINVAL, "\"captures\" is no array"},
        {CAPTURES("[1]"), "abcd", -EINVAL, "a capture is no object"},
        {CAPTURES("[{\"core:sample_start\":-1}]"), "abcd", -EINVAL,
         "core:sample_start is no count"},
        {CAPTURES("[{\"core:sample_start\":0.5}]"), "abcd", -EINVAL,
         "core:sample_start is no count"},
        {CAPTURES("[{\"core:sample_start\":9223372036854775807}]"), "abcd", -EINVAL, "is no count"},
        {CAPTURES("[{\"core:frequency\":\"1M\"}]"), "abcd", -EINVAL, "core:frequency is no number"},
        {CAPTURES("[{\"core:sample_start\":1},{\"core:sample_start\":0}]"), "abcdefgh", -EINVAL,
         "capture 1 begins before"},
        {CAPTURES("[{\"core:sample_start\":0},{\"core:sample_start\":9}]"), "abcdefgh", -EINVAL,
         "capture 0 lies beyond the end"},
        {CAPTURES("[{\"core:sample_start\":0,\"core:header_bytes\":99}]"), "abcdefgh", -EINVAL,
         "capture 0 lies beyond the end"},
        {CAPTURES("[{\"core:sample_start\":0,\"core:header_bytes\":8}]"), "abcdefgh", -EINVAL,
         "empty, no samples"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        config = replay_of(pair_of("bad", table[i].meta, table[i].data));
        expect_refused(&config, table[i].err, table[i].piece);
    }
}

static void an_incomplete_pair_is_refused_by_the_missing_name(void **state)
{
    (void)state;
    config = replay_of(file_of_text("onlydata.sigmf-data", "abcd"));
    expect_refused(&config, -ENOENT, "onlydata.sigmf-meta: No such file");
    config = replay_of(file_of_text("onlymeta.sigmf-meta", "{" GLOBAL "}"));
    expect_refused(&config, -ENOENT, "onlymeta.sigmf-data: No such file");
    config = replay_of("sigmf-meta:/dev/null");
    expect_refused(&config, -EINVAL, "/dev/null: the name ends neither in .sigmf-meta");
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

static void an_invalid_date_counts_as_not_given(void **state)
{
    (void)state;
    struct source *s = open_pair(CAPTURES("[{\"core:datetime\":\"yesterday\"}]"), "abcd");
    assert_int_equal(s->stream.start_ns, 0);
    source_destroy(s);
}

/* Two real channels, with either suffix and with --format: never read as IQ. */
static void the_logo_is_real_and_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"sigmf_logo.sigmf-meta", "sigmf_logo.sigmf-data"};
    const char *folder = getenv("FFTD_IQ_DIR");
    if (!folder)
        skip();
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i % 2]);
        config = replay_of(path);
        config.format = i < 2 ? NULL : "cs16";
        expect_refused(&config, -EINVAL, "real-valued samples (core:datatype ri16_le), no IQ");
    }
}

/* The parser alone on exactly sized blocks: every prefix, every byte changed. */
static void no_meta_is_read_beyond_its_end(void **state)
{
    (void)state;
    static const char text[] = CAPTURES("[{\"core:sample_start\":0,\"core:frequency\":1e8,"
                                        "\"core:datetime\":\"2021-06-18T23:17:51.163959Z\"}]");
    for (size_t size = 0; size < sizeof text; size++) {
        for (size_t change = 0; change <= size; change += 3) {
            struct sigmf_meta meta;
            char error[200];
            char *exact = malloc(size + !size);
            memcpy(exact, text, size);
            if (change < size)
                exact[change] = (char)(exact[change] ^ (int)(1 + (size * 31 + change * 7) % 255));
            const int err = sigmf_meta_parse(exact, size, &meta, error, sizeof error);
            assert_true(err == 0 || err == -EINVAL);
            sigmf_meta_finish(&meta);
            free(exact);
        }
    }
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
        cmocka_unit_test(a_loop_goes_back_to_the_first_capture),
        cmocka_unit_test(data_that_is_not_iq_is_refused_with_the_reason),
        cmocka_unit_test(an_incomplete_pair_is_refused_by_the_missing_name),
        cmocka_unit_test(an_unreadable_type_is_read_if_the_format_is_given),
        cmocka_unit_test(an_invalid_date_counts_as_not_given),
        cmocka_unit_test(the_logo_is_real_and_refused),
        cmocka_unit_test(no_meta_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
