/* test_sdriq.c - recordings of SDRangel. The headers' checksums are those of Python's zlib.crc32.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/source/source_support.h"

#include "daemon/format/recording/sdriq.h"

/* 2.4 MS/s at 433.92 MHz from 2024-01-01 12:00:00 UTC, 16 bits; the time in ms (.123) and in s. */
static const uint8_t in_ms[SDRIQ_BYTES] = {
    0x00, 0x9f, 0x24, 0x00, 0x00, 0x18, 0xdd, 0x19, 0x00, 0x00, 0x00, 0x00, 0x7b, 0x22, 0xe5, 0xc4,
    0x8c, 0x01, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xfe, 0x95, 0xe8, 0xf0};
static const uint8_t in_seconds[SDRIQ_BYTES] = {
    0x00, 0x9f, 0x24, 0x00, 0x00, 0x18, 0xdd, 0x19, 0x00, 0x00, 0x00, 0x00, 0x40, 0xa9, 0x92, 0x65,
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa6, 0xfe, 0x3b, 0x2e};
/* 48 kS/s at 7.1 MHz, no time, 24 bits. */
static const uint8_t of_24_bits[SDRIQ_BYTES] = {
    0x80, 0xbb, 0x00, 0x00, 0x60, 0x56, 0x6c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe7, 0x68, 0x26, 0x6e};

static const uint8_t of_20_bits[SDRIQ_BYTES] = {
    0x80, 0xbb, 0x00, 0x00, 0x60, 0x56, 0x6c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa8, 0x7d, 0x89, 0x39};

static struct bytes sdriq_of(const uint8_t header[SDRIQ_BYTES], const char *samples)
{
    struct bytes b = {0};
    put(&b, header, SDRIQ_BYTES);
    put_text(&b, samples);
    return b;
}

static const char *file_of_header(const uint8_t header[SDRIQ_BYTES], const char *samples)
{
    struct bytes b = sdriq_of(header, samples);
    const char *path = file_of("a.sdriq", b.at, b.size);
    drop(&b);
    return path;
}

static void expect_eight_bytes(const char *replay, int64_t start_ns)
{
    const struct source_config config = replay_of(replay);
    struct source *s = open_source(&config);
    int err = 0;
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    assert_true(s->stream.tuning.rate_hz == 2.4e6);
    assert_true(s->stream.tuning.center_hz == 433.92e6);
    assert_true(s->stream.start_ns == start_ns);
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 8);
    assert_memory_equal(out.at, "abcdefgh", 8);
    drop(&out);
    source_destroy(s);
}

static void the_header_gives_rate_centre_and_time(void **state)
{
    (void)state;
    expect_eight_bytes(file_of_header(in_ms, "abcdefgh"), 1704110400123000000);
    expect_eight_bytes(file_of_header(in_seconds, "abcdefgh"), 1704110400000000000);
}

static void an_incomplete_sample_is_left_out_from_file_and_pipe(void **state)
{
    (void)state;
    struct bytes b = sdriq_of(in_ms, "abcdefghijk");
    int ends[2], saved = dup(STDIN_FILENO);
    expect_eight_bytes(file_of("b.sdriq", b.at, b.size), 1704110400123000000);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(write(ends[1], b.at, b.size), (ssize_t)b.size);
    close(ends[1]);
    expect_eight_bytes("sdriq:-", 1704110400123000000);
    dup2(saved, STDIN_FILENO);
    close(saved);
    drop(&b);
}

/* 24 bits of 32, little-endian: 1 and -2 steps of 2^-23. */
static void samples_of_24_bits_become_floats(void **state)
{
    (void)state;
    struct bytes b = {0};
    put(&b, of_24_bits, sizeof of_24_bits);
    put(&b, "\1\0\0\0\xfe\xff\xff\xff", 8);
    const struct source_config config = replay_of(file_of("c.sdriq", b.at, b.size));
    struct source *s = open_source(&config);
    int err = 0;
    assert_int_equal(s->stream.format, FFT_IQ_CF32);
    assert_true(s->stream.full_scale == 1);
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    const float expected[2] = {0x1p-23F, -0x1p-22F};
    assert_int_equal(out.size, sizeof expected);
    assert_memory_equal(out.at, expected, sizeof expected);
    drop(&out);
    drop(&b);
    source_destroy(s);
}

static void what_cannot_be_read_is_refused_with_the_reason(void **state)
{
    (void)state;
    uint8_t damaged[SDRIQ_BYTES];
    struct source_config config = replay_of(file_of_header(of_20_bits, "abcdefgh"));
    expect_refused(&config, -ENOTSUP, "a.sdriq: cannot read samples of 20 bits");
    memcpy(damaged, in_ms, sizeof damaged);
    damaged[5] ^= 1;
    config = replay_of(file_of_header(damaged, "abcdefgh"));
    expect_refused(&config, -EINVAL, "a.sdriq: the checksum of its header is wrong");
    config = replay_of(file_of_header(in_ms, ""));
    expect_refused(&config, -EINVAL, "a.sdriq: empty, no samples");
    config = replay_of(file_of("a.sdriq", in_ms, SDRIQ_BYTES - 1));
    expect_refused(&config, -EINVAL, "a.sdriq: ends inside its header");
}

/* Every changed bit changes the checksum. */
static void a_changed_bit_is_detected(void **state)
{
    (void)state;
    for (int bit = 0; bit < 8 * SDRIQ_BYTES; bit++) {
        struct sdriq header;
        uint8_t bytes[SDRIQ_BYTES];
        memcpy(bytes, in_ms, sizeof bytes);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(sdriq_parse(bytes, &header), -EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_gives_rate_centre_and_time),
        cmocka_unit_test(an_incomplete_sample_is_left_out_from_file_and_pipe),
        cmocka_unit_test(samples_of_24_bits_become_floats),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_the_reason),
        cmocka_unit_test(a_changed_bit_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
