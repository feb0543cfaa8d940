/* test_sigmf_errors.c - SigMF pairs that cannot be read are refused with the reason. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/sigmf_support.h"

#include "daemon/base/reason.h"
#include "daemon/format/recording/sigmf_meta.h"

static struct source_config config;

static void data_that_is_not_iq_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *meta, *data;
        int err;
        const char *piece;
    } table[] = {
        {DATATYPE("ci64_le"), "abcd", -ENOTSUP, "cannot read core:datatype ci64_le"},
        {DATATYPE("cf16_be"), "abcd", -ENOTSUP, "cannot read core:datatype cf16_be"},
        {DATATYPE("nonsense"), "abcd", -ENOTSUP, "cannot read core:datatype nonsense"},
        {DATATYPE("much_too_long_for_a_datatype"), "abcd", -EINVAL, "core:datatype is not a text"},
        {MORE("\"core:sample_rate\":1e6,\"core:num_channels\":65"), "abcd", -EINVAL, "65 channels"},
        {MORE("\"core:sample_rate\":1e6,\"core:num_channels\":0"), "abcd", -EINVAL, "0 channels"},
        {MORE("\"core:sample_rate\":-5"), "abcd", -EINVAL, "a sample rate of -5"},
        {MORE("\"core:sample_rate\":1e300"), "abcd", -EINVAL, "a sample rate of 1e+300"},
        {MORE("\"core:sample_rate\":\"fast\""), "abcd", -EINVAL,
         "core:sample_rate is not a number"},
        {MORE("\"core:sample_rate\":NaN"), "abcd", -EINVAL,
         "its metadata is not JSON: the syntax is wrong near 'NaN' (line 1"},
        {MORE("\"core:sample_rate\":1e999"), "abcd", -EINVAL, "not JSON"},
        {MORE("\"core:sample_rate\":1e6,\"core:dataset\":\"../x\""), "abcd", -EINVAL, "plain name"},
        {MORE("\"core:sample_rate\":1e6,\"core:dataset\":\"gone.bin\""), "abcd", -ENOENT,
         "gone.bin"},
        {MORE("\"core:sample_rate\":1e6,\"core:metadata_only\":true"), "abcd", -EINVAL,
         "metadata_only"},
        {MORE("\"core:sample_rate\":1e6,\"core:trailing_bytes\":5"), "abcd", -EINVAL,
         "core:trailing_bytes"},
        {MORE("\"core:sample_rate\":1e6"), "", -EINVAL, "empty, no samples"},
        {MORE("\"core:sample_rate\":1e6"), "a", -EINVAL, "no samples: 1 of the 2 bytes of a cu8"},
        {"{\"global\":{\"core:sample_rate\":1e6}}", "abcd", -EINVAL, "core:datatype is missing"},
        {"{}", "abcd", -EINVAL, "no object \"global\""},
        {"[]", "abcd", -EINVAL, "not a JSON object"},
        {"{", "abcd", -EINVAL, "its metadata is not JSON: it ends too early (line 1"},
        {"", "abcd", -EINVAL, "bad.sigmf-meta: empty, no metadata"},
        {"\xff\xfe{", "abcd", -EINVAL, "its metadata is UTF-16, SigMF requires UTF-8"},
        {DATATYPE("ri8\\nx"), "abcd", -ENOTSUP, "cannot read core:datatype ri8?x"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        config = replay_of(pair_of("bad", table[i].meta, table[i].data));
        expect_refused(&config, table[i].err, table[i].piece);
    }
}

/* A pair is no exception: its data may be packed, or be of another format. */
static void data_of_another_format_are_refused_by_its_name(void **state)
{
    (void)state;
    static const char wav[] = "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0";
    static const char gzip[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c\x4a\x06";
    config = replay_of(file_of_text("packed.sigmf-meta", "{" GLOBAL ",\"captures\":[]}"));
    file_of("packed.sigmf-data", gzip, sizeof gzip);
    expect_refused(&config, -ENOTSUP, "packed.sigmf-data: it is a gzip file: unpack it first: gun");
    file_of("packed.sigmf-data", wav, sizeof wav);
    expect_refused(&config, -ENOTSUP, "packed.sigmf-data: it is a WAV file: rename it");
    config = replay_of(path_of("packed.sigmf-data"));
    expect_refused(&config, -ENOTSUP, "packed.sigmf-data: it is a WAV file: rename it");
    file_of_text("packed.sigmf-meta", "{" GLOBAL ",\"captures\":[{\"core:sample_start\":0,"
                                      "\"core:header_bytes\":12}]}");
    source_destroy(open_source(&config)); /* the metadata describe its header */
}

static void captures_that_do_not_fit_are_refused_by_number(void **state)
{
    (void)state;
    static const struct {
        const char *meta, *data;
        int err;
        const char *piece;
    } table[] = {
        {CAPTURES("{}"), "abcd", -EINVAL, "\"captures\" is not an array"},
        {CAPTURES("[1]"), "abcd", -EINVAL, "capture 0: it is not an object"},
        {CAPTURES("[{\"core:sample_start\":-1}]"), "abcd", -EINVAL,
         "capture 0: core:sample_start is not a whole number"},
        {CAPTURES("[{\"core:sample_start\":0.5}]"), "abcd", -EINVAL,
         "capture 0: core:sample_start is not a whole number"},
        {CAPTURES("[{\"core:sample_start\":9223372036854775807}]"), "abcd", -EINVAL,
         "is not a whole number"},
        {CAPTURES("[{\"core:frequency\":\"1M\"}]"), "abcd", -EINVAL,
         "capture 0: core:frequency is not a number"},
        {CAPTURES("[{\"core:frequency\":1e300}]"), "abcd", -EINVAL, "a centre of 1e+300"},
        {CAPTURES("[{\"core:sample_start\":0},{\"core:sample_start\":1,\"core:frequency\":-1e13}]"),
         "abcdefgh", -EINVAL, "a centre of -1e+13"},
        {CAPTURES("[{\"core:sample_start\":1},{\"core:sample_start\":0}]"), "abcdefgh", -EINVAL,
         "capture 1: it starts before capture 0"},
        {CAPTURES("[{\"core:sample_start\":0},{\"core:sample_start\":9}]"), "abcdefgh", -EINVAL,
         "capture 1 starts at sample 9, but the data ends at sample 2"},
        {CAPTURES("[{\"core:sample_start\":5}]"), "abcdefgh", -EINVAL,
         "capture 0 starts at sample 5, but the data ends at sample 2"},
        {CAPTURES("[{\"core:sample_start\":1},{\"core:sample_start\":1,\"core:header_bytes\":4},"
                  "{\"core:sample_start\":2}]"),
         "abcdefgh", -EINVAL, "capture 2 starts at sample 2, but the data ends at sample 1"},
        {CAPTURES("[{\"core:sample_start\":0,\"core:header_bytes\":99}]"), "abcdefgh", -EINVAL,
         "capture 0: core:header_bytes is 99, only 8 bytes are left"},
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
    expect_refused(&config, -ENOENT, "onlydata.sigmf-meta, are missing");
    config = replay_of(file_of_text("onlymeta.sigmf-meta", "{" GLOBAL "}"));
    expect_refused(&config, -ENOENT, "onlymeta.sigmf-data: No such file");
    config = replay_of("sigmf-meta:/dev/null");
    expect_refused(&config, -EINVAL, "/dev/null: the name ends neither in .sigmf-meta");
}

/* Two real channels, with either suffix and with --format: never read as IQ. */
/* Half of the spectrum at half the rate. Samples are counted in pairs. */
static void the_logo_is_real(void **state)
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
        struct source *s = open_source(&config);
        assert_int_equal(s->stream.format, i < 2 ? FFT_IQ_CF32 : FFT_IQ_CS16);
        assert_true(s->stream.tuning.rate_hz == (i < 2 ? 24000 : 48000));
        assert_true(s->stream.tuning.center_hz == (i < 2 ? 12000 : 0));
        source_destroy(s);
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
            struct reason why = {0};
            char *exact = malloc(size + !size);
            memcpy(exact, text, size);
            if (change < size)
                exact[change] = (char)(exact[change] ^ (int)(1 + (size * 31 + change * 7) % 255));
            const int err = sigmf_meta_parse(exact, size, &meta, &why);
            assert_true(err == 0 || err == -EINVAL);
            sigmf_meta_finish(&meta);
            free(exact);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_that_is_not_iq_is_refused_with_the_reason),
        cmocka_unit_test(data_of_another_format_are_refused_by_its_name),
        cmocka_unit_test(captures_that_do_not_fit_are_refused_by_number),
        cmocka_unit_test(an_incomplete_pair_is_refused_by_the_missing_name),
        cmocka_unit_test(the_logo_is_real),
        cmocka_unit_test(no_meta_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
