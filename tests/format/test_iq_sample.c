/*
 * test_iq_sample.c - each sample format against codes worked out by hand: zero, one step below it,
 * both limits, and the order of bytes, of I and of Q.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/format/recording/iq_sample.h"

struct code {
    const char *format, *bytes; /* of one sample */
    double i, q;                /* of full scale */
};

static void expect_code(const struct code *c)
{
    const struct iq_sample *f = iq_sample_find(c->format);
    union {
        int8_t of_8[2];
        int16_t of_16[2];
        float floats[2];
    } out;
    assert_non_null(f);
    assert_non_null(f->convert);
    f->convert((const uint8_t *)c->bytes, &out, 1);
    double i = out.floats[0], q = out.floats[1];
    if (f->ring == FFT_IQ_CS8)
        i = out.of_8[0], q = out.of_8[1];
    if (f->ring == FFT_IQ_CS16)
        i = out.of_16[0], q = out.of_16[1];
    if (i / f->ring_scale != c->i || q / f->ring_scale != c->q)
        fail_msg("%s: %.12g and %.12g instead of %.12g and %.12g", c->format, i / f->ring_scale,
                 q / f->ring_scale, c->i, c->q);
}

static void codes_have_the_value_of_their_format(void **state)
{
    (void)state;
    static const struct code table[] = {
        {"wav8", "\x80\x7f", 0, -1. / 128},
        {"wav8", "\x00\xff", -1, 127. / 128},
        {"cu16", "\x00\x80\xff\x7f", 0, -1. / 32768},
        {"cu16", "\x00\x00\xff\xff", -1, 32767. / 32768},
        {"cu16_be", "\x80\x01\x40\x00", 1. / 32768, -.5},
        {"cs16_be", "\xff\xff\x00\x02", -1. / 32768, 2. / 32768},
        {"cs16_be", "\x80\x00\x7f\xff", -1, 32767. / 32768},
        {"cs12", "\xff\x1f\x00", -1. / 2048, 1. / 2048},
        {"cs12", "\x00\xf8\x7f", -1, 2047. / 2048},
        {"cs12", "\xcb\x0a\x00", (0xacb - 4096) / 2048., 0},
        {"cs24", "\xff\xff\xff\x00\x00\x40", -1. / 8388608, .5},
        {"cs24", "\x00\x00\x80\xff\xff\x7f", -1, 1},
        {"cs24", "\xfe\xff\x7f\x03\x02\x01", 8388606. / 8388608, 0x010203 / 8388608.},
        {"cs24_be", "\xff\xff\xff\x01\x02\x03", -1. / 8388608, 0x010203 / 8388608.},
        {"cs24_be", "\x80\x00\x00\x7f\xff\xff", -1, 1},
        {"sdriq24", "\xff\xff\xff\xff\x00\x00\x40\x00", -1. / 8388608, .5},
        {"sdriq24", "\x00\x00\x80\xff\xff\xff\x7f\x00", -1, 1},
        {"cs32", "\xff\xff\xff\xff\x00\x00\x00\xc0", -1. / 2147483648, -.5},
        {"cs32", "\x00\x00\x00\x80\xff\xff\xff\x7f", -1, 1},
        {"cs32_be", "\xff\xff\xff\xff\x00\x00\x12\x34", -1. / 2147483648, 0x1234 / 2147483648.},
        {"cu32", "\xff\xff\xff\x7f\x00\x00\x00\xc0", -1. / 2147483648, .5},
        {"cu32_be", "\x7f\xff\xff\xff\x00\x00\x00\x00", -1. / 2147483648, -1},
        {"cf32_be", "\x3f\x40\x00\x00\xbf\x80\x00\x00", .75, -1},
        {"cf64", "\0\0\0\0\0\0\xe8\x3f\0\0\0\0\0\0\xf0\xbf", .75, -1},
        {"cf64_be", "\x3f\xe8\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0", .75, -1},
        {"ru8", "\x00\xff", -1, 1},
        {"ri8", "\xff\x7f", -1. / 128, 1},
        {"ru16", "\xff\x7f\x00\x00", -1. / 32768, -1},
        {"ru16_be", "\x7f\xff\xff\xff", -1. / 32768, 1},
        {"ri16", "\xff\xff\x00\x40", -1. / 32768, .5},
        {"ri16_be", "\xff\xff\x40\x00", -1. / 32768, .5},
        {"ri24", "\xff\xff\xff\x00\x00\x40", -1. / 8388608, .5},
        {"ri24_be", "\xff\xff\xff\x40\x00\x00", -1. / 8388608, .5},
        {"ru32", "\xff\xff\xff\x7f\x00\x00\x00\xc0", -1. / 2147483648, .5},
        {"ru32_be", "\x7f\xff\xff\xff\xc0\x00\x00\x00", -1. / 2147483648, .5},
        {"ri32", "\xff\xff\xff\xff\x00\x00\x00\xc0", -1. / 2147483648, -.5},
        {"ri32_be", "\xff\xff\xff\xff\xc0\x00\x00\x00", -1. / 2147483648, -.5},
        {"rf32", "\x00\x00\x40\x3f\x00\x00\x80\xbf", .75, -1},
        {"rf32_be", "\x3f\x40\x00\x00\xbf\x80\x00\x00", .75, -1},
        {"rf64", "\0\0\0\0\0\0\xe8\x3f\0\0\0\0\0\0\xf0\xbf", .75, -1},
        {"rf64_be", "\x3f\xe8\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0", .75, -1},
    };
    size_t formats = 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        expect_code(&table[i]);
        formats += i == 0 || strcmp(table[i].format, table[i - 1].format) != 0;
    }
    size_t converted = 0;
    for (size_t i = 0; iq_sample_at(i); i++)
        converted += iq_sample_at(i)->convert != NULL;
    assert_int_equal(formats, converted); /* none is left out */
}

/* A row's bytes are what its loop reads: of two samples, the second begins there. */
static void samples_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; iq_sample_at(i); i++) {
        const struct iq_sample *f = iq_sample_at(i);
        uint8_t from[3 * IQ_SAMPLE_BYTES_MAX];
        float all[6], one[2];
        if (!f->convert)
            continue;
        for (size_t at = 0; at < sizeof from; at++)
            from[at] = (uint8_t)(17 * at + at / 7);
        assert_in_range(f->bytes, 2, IQ_SAMPLE_BYTES_MAX);
        f->convert(from, all, 3);
        f->convert(from + 2 * f->bytes, one, 1);
        const size_t size = fft_iq_bytes(f->ring);
        assert_memory_equal((char *)all + 2 * size, one, size);
    }
}

static void names_are_found_as_fftd_and_sigmf_spell_them(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"ci16_le", "cs16"},    {"CI16_LE", "cs16"}, {"ci8", "cs8"},      {"cf32_le", "cf32"},
        {"ci32_be", "cs32_be"}, {"rs16", "ri16"},    {"rf32_le", "rf32"}, {"cu16_le", "cu16"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_string_equal(iq_sample_find(pairs[i][0])->name, pairs[i][1]);
    static const char *const unknown[] = {
        "",    "c",       "_le",           "cs16_",
        "cs4", "cf16_le", "cs16_be_le_le", "a_name_that_is_too_long_for_any"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_null(iq_sample_find(unknown[i]));
    for (int f = 0; f < FFT_IQ_FORMATS; f++) {
        const struct iq_sample *own = iq_sample_of((enum fft_iq_format)f);
        assert_true(own->ring == (enum fft_iq_format)f && !own->convert);
        assert_int_equal(own->bytes, fft_iq_bytes(own->ring));
        assert_true(own->full_scale == fft_iq_full_scale(own->ring));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_the_value_of_their_format),
        cmocka_unit_test(samples_follow_each_other),
        cmocka_unit_test(names_are_found_as_fftd_and_sigmf_spell_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
