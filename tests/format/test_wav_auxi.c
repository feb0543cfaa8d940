/* test_wav_auxi.c - centre and start in the chunk that SDR recorders write into WAV files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/wav_support.h"

#include "daemon/format/recording/wav_auxi.h"

/* Attributes as SDR Console 3.0.18 writes them. 1579485024 is 2020-01-20 01:50:24 UTC. */
#define CONSOLE                                                                                    \
    "<?xml version=\"1.0\"?>\r\n<SDR-XML-Root xml:lang=\"EN\" Created=\"20-Jan-2020 01:50\">"      \
    "<Definition CurrentTimeUTC=\"20-01-2020 01:50:24\" "                                          \
    "Filename=\"19-Jan-2020 175024.012 162.550MHz.wav\" ADFrequency=\"0\" BitsPerSample=\"16\" "   \
    "BytesPerSecond=\"10000000\" RadioCenterFreq=\"162550000\" SampleRate=\"2500000\" "            \
    "UTCSeconds=\"1579485024\"></Definition></SDR-XML-Root>\r\n"

/* UTF-8 and UTF-16 in both byte orders, with and without the mark. */
enum encoding { UTF_8, UTF_8_MARK, UTF_16LE, UTF_16LE_MARK, UTF_16BE, UTF_16BE_MARK, ENCODINGS };

static struct bytes encode(const char *text, enum encoding encoding)
{
    struct bytes b = {0};
    if (encoding == UTF_8_MARK)
        put_text(&b, "\xef\xbb\xbf");
    if (encoding == UTF_16LE_MARK)
        put_text(&b, "\xff\xfe");
    if (encoding == UTF_16BE_MARK)
        put_text(&b, "\xfe\xff");
    for (; *text; text++) {
        if (encoding >= UTF_16BE)
            put_zeros(&b, 1);
        put(&b, text, 1);
        if (encoding == UTF_16LE || encoding == UTF_16LE_MARK)
            put_zeros(&b, 1);
    }
    return b;
}

static struct source *open_auxi(const struct bytes *content, uint32_t rate_hz)
{
    static struct source_config config;
    struct shape shape = cs16_shape;
    struct bytes b = {0};
    shape.rate_hz = rate_hz;
    put_riff(&b, "RIFF");
    put_fmt(&b, &shape);
    put_text(&b, "auxi");
    put_u32(&b, content->size);
    put(&b, content->at, content->size);
    put_zeros(&b, content->size % 2);
    put_data(&b, 4);
    put_text(&b, "abcd");
    config = replay_of(file_of_bytes("auxi.wav", &b));
    return open_source(&config);
}

/* 2014-09-20 12:34:56.789 UTC at 14.175 MHz. */
static void the_binary_chunk_gives_centre_and_time(void **state)
{
    (void)state;
    static const unsigned date[8] = {2014, 9, 6, 20, 12, 34, 56, 789};
    struct bytes b = {0};
    for (int i = 0; i < 16; i++)
        put_u16(&b, date[i % 8]);
    put_u32(&b, 14175000);
    put_zeros(&b, 32);
    struct source *s = open_auxi(&b, 192000);
    assert_true(s->stream.tuning.center_hz == 14175000);
    assert_true(s->stream.start_ns == 1411216496789000000);
    source_destroy(s);
    drop(&b);
}

static void the_xml_of_sdr_console_is_read_in_every_encoding(void **state)
{
    (void)state;
    for (enum encoding e = UTF_8; e < ENCODINGS; e++) {
        struct bytes b = encode(CONSOLE, e);
        struct source *s = open_auxi(&b, 0);
        assert_true(s->stream.tuning.center_hz == 162550000);
        assert_true(s->stream.tuning.rate_hz == 2500000); /* fmt has none */
        assert_true(s->stream.start_ns == 1579485024000000000);
        source_destroy(s);
        s = open_auxi(&b, 192000);
        assert_true(s->stream.tuning.rate_hz == 192000);
        source_destroy(s);
        drop(&b);
    }
}

static void what_is_missing_or_not_plausible_counts_as_not_given(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double center_hz;
        int64_t seconds; /* 0: none */
    } table[] = {
        {"<a CurrentTimeUTC=\"20-01-2020 01:50:24\" RadioCenterFreq='7100000'/>", 7100000,
         1579485024},
        {"<a><RadioCenterFreq>7100000</RadioCenterFreq><UTCSeconds >1579485024</UTCSeconds></a>",
         7100000, 1579485024},
        {"<a\tRadioCenterFreq = \"10368100000.5\">", 10368100000.5, 0},
        {"<a XRadioCenterFreq=\"7100000\">", NAN, 0},
        {"<a RadioCenterFreq=\"0\" UTCSeconds=\"0\">", NAN, 0},
        {"<a RadioCenterFreq=\"301000000000\" UTCSeconds=\"99999999999\">", NAN, 0},
        {"<a RadioCenterFreq=\"-5\" UTCSeconds=\"1e9\">", NAN, 0},
        {"<a RadioCenterFreq=\"nan\" CurrentTimeUTC=\"20-13-2020 01:50:24\">", NAN, 0},
        {"<a RadioCenterFreq=\"", NAN, 0},
        {"<a RadioCenterFreq=\"71", NAN, 0},
        {"<a RadioCenterFreq=", NAN, 0},
        {"<a RadioCenterFreq", NAN, 0},
        {"no XML RadioCenterFreq=\"7100000\" but longer than 36 bytes", NAN, 0},
        {"<", NAN, 0},
        {"", NAN, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct wav_auxi auxi;
        char *exact = malloc(strlen(table[i].text) + 1);
        memcpy(exact, table[i].text, strlen(table[i].text));
        wav_auxi_parse((const uint8_t *)exact, strlen(table[i].text), &auxi);
        free(exact);
        if (auxi.has_time != (table[i].seconds > 0) ||
            (auxi.has_time && auxi.start_ns != table[i].seconds * 1000000000) ||
            !(auxi.center_hz == table[i].center_hz ||
              (isnan(auxi.center_hz) && isnan(table[i].center_hz))))
            fail_msg("%s: %.1f Hz, %lld ns", table[i].text, auxi.center_hz,
                     (long long)auxi.start_ns);
    }
}

/* Exactly sized blocks: every prefix in every encoding, every byte changed. */
static void no_chunk_is_read_beyond_its_end(void **state)
{
    (void)state;
    for (enum encoding e = UTF_8; e < ENCODINGS; e++) {
        struct bytes b = encode(CONSOLE, e);
        for (size_t size = 0; size <= b.size; size++) {
            struct wav_auxi auxi;
            uint8_t *exact = malloc(size + !size);
            memcpy(exact, b.at, size);
            wav_auxi_parse(exact, size, &auxi);
            if (size > 0)
                exact[(size / 2 + size % 7) % size] ^= (uint8_t)(1 + size % 255);
            wav_auxi_parse(exact, size, &auxi);
            assert_true(isnan(auxi.center_hz) || auxi.center_hz > 0);
            free(exact);
        }
        drop(&b);
    }
}

/* 34 bytes: centre, index of the rate, Unix time, settings. */
static void the_chunk_of_perseus_gives_centre_and_time(void **state)
{
    (void)state;
    for (uint32_t time_s = 0; time_s <= 1579485024; time_s += 1579485024) {
        struct bytes b = {0};
        put_riff(&b, "RIFF");
        put_fmt(&b, &cs16_shape);
        put_text(&b, "rcvr");
        put_u32(&b, 34);
        put_u32(&b, 7100000);
        put_u32(&b, 2);
        put_u32(&b, time_s);
        put_zeros(&b, 22);
        put_data(&b, 8);
        put_text(&b, "abcdefgh");
        struct source *s = expect_samples(file_of("perseus.wav", b.at, b.size), "abcdefgh");
        assert_true(s->stream.tuning.center_hz == 7.1e6);
        assert_int_equal(s->anchor.has_time, time_s > 0);
        assert_int_equal(s->anchor.time_ns, (int64_t)time_s * 1000000000);
        source_destroy(s);
        drop(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_binary_chunk_gives_centre_and_time),
        cmocka_unit_test(the_xml_of_sdr_console_is_read_in_every_encoding),
        cmocka_unit_test(what_is_missing_or_not_plausible_counts_as_not_given),
        cmocka_unit_test(the_chunk_of_perseus_gives_centre_and_time),
        cmocka_unit_test(no_chunk_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
