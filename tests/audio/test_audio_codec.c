/* test_audio_codec.c - bytes of codecs: numbers, heads, pages, silence. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/bytes.h"
#include "daemon/base/reason.h"

/* ---- numbers ---------------------------------------------------------------------------- */

static void integers_are_rounded_and_clipped_and_floats_are_neither(void **state)
{
    (void)state;
    static const float in[] = {0, 1, -1, 1.5F, -1.5F, 0.25F, 1.4F / 32768, -0.6F / 32768};
    static const int16_t wanted[] = {0, 32767, -32768, 32767, -32768, 8192, 1, -1};
    unsigned char out[AUDIO_SILENCE_MAX];
    size_t bytes, covered;
    const struct audio_encoding_ops *s16 = audio_codec_find("s16")->encoding;
    assert_int_equal(s16->run(NULL, 2, in, 4, out, &bytes, &covered), 4);
    assert_int_equal(bytes, 16);
    assert_int_equal(covered, 4);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal((int16_t)bytes_get_u16(out + 2 * i), wanted[i]);
    const struct audio_encoding_ops *f32 = audio_codec_find("f32")->encoding;
    assert_int_equal(f32->run(NULL, 1, in, 8, out, &bytes, &covered), 8);
    assert_int_equal(bytes, 32);
    assert_int_equal(bytes_get_u32(out + 12), 0x3fc00000); /* 1.5 of IEEE 754 */
    bytes = s16->silence(12e3, 2, 100000, out, &covered);
    assert_int_equal(bytes, 4 * covered);
    assert_int_equal(bytes_get_u64(out), 0);
}

static void names_and_rates_are_refused_with_what_works(void **state)
{
    (void)state;
    char names[64];
    struct reason why = {0};
    assert_null(audio_codec_find("mp3"));
    assert_string_equal(audio_codec_names(names, sizeof names), "s16, f32, wav or ogg");
    assert_int_equal(audio_codec_check_rate(audio_codec_find("wav"), 22050, &why), 0);
    assert_int_equal(audio_codec_check_rate(audio_codec_find("wav"), 100, &why), -EINVAL);
    assert_string_equal(why.sentence, "audio_rate_hz: 100Hz is not within 4kHz to 768kHz");
    const struct audio_codec *ogg = audio_codec_find("ogg");
    assert_int_equal(audio_codec_check_rate(ogg, 22050, &why), -EINVAL);
    assert_string_equal(why.key, "audio_rate_hz");
    assert_int_equal(audio_codec_check_rate(ogg, 24000, &why), 0);
    static const double natural[][2] = {{12e3, 12e3}, {11e3, 12e3}, {32e3, 48e3}, {240e3, 48e3}};
    for (size_t i = 0; i < sizeof natural / sizeof *natural; i++)
        assert_true(fabs(ogg->natural_rate(natural[i][0]) - natural[i][1]) < 1);
}

/* ---- pages ------------------------------------------------------------------------------ */

/* RFC 3533 by a table of bytes, another way than the one of the codec. */
static uint32_t crc_of(const unsigned char *page, size_t bytes)
{
    uint32_t table[256], crc = 0;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i << 24;
        for (int bit = 0; bit < 8; bit++)
            table[i] = (table[i] << 1) ^ (table[i] & 0x80000000U ? 0x04c11db7U : 0);
    }
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char byte = i >= 22 && i < 26 ? 0 : page[i];
        crc = (crc << 8) ^ table[(crc >> 24) ^ byte];
    }
    return crc;
}

/* Checks a page of one packet; returns its bytes. */
static size_t check_page(const unsigned char *page, unsigned flags, uint64_t position,
                         uint32_t number, size_t packet)
{
    const size_t segments = packet / 255 + 1, bytes = 27 + segments + packet;
    assert_memory_equal(page, "OggS", 4);
    assert_int_equal(page[4], 0);
    assert_int_equal(page[5], flags);
    assert_int_equal(bytes_get_u64(page + 6), position);
    assert_int_equal(bytes_get_u32(page + 18), number);
    assert_int_equal(page[26], segments);
    for (size_t i = 0; i + 1 < segments; i++)
        assert_int_equal(page[27 + i], 255);
    assert_int_equal(page[27 + segments - 1], packet % 255);
    assert_int_equal(bytes_get_u32(page + 22), crc_of(page, bytes));
    return bytes;
}

static void pages_have_one_packet_each_with_its_number_time_and_sum(void **state)
{
    (void)state;
    const struct audio_codec *ogg = audio_codec_find("ogg");
    struct audio_framing f = {.rate_hz = 24e3, .channels = 2};
    unsigned char head[AUDIO_HEAD_MAX], out[2048], packet[600];
    memset(packet, 0x5a, sizeof packet);
    const size_t bytes = ogg->head(&f, head);
    const size_t first = check_page(head, 2, 0, 0, 19);
    assert_memory_equal(head + 28, "OpusHead\1\2", 10);
    assert_int_equal(bytes_get_u16(head + 38), 3840); /* RFC 7845: 80 ms at 48 kHz */
    assert_int_equal(bytes_get_u32(head + 40), 24000);
    assert_int_equal(first + check_page(head + first, 0, 0, 1, 20), bytes);
    assert_memory_equal(head + first + 28, "OpusTags\4\0\0\0fftd\0\0\0\0", 20);
    static const size_t sizes[] = {60, 254, 255, 256, 510, 600};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        f.frames += 480; /* 20 ms: 960 of the clock */
        const size_t made = ogg->frame(&f, packet, sizes[i], out);
        assert_int_equal(made, check_page(out, 0, 960 * (i + 1), (uint32_t)i + 2, sizes[i]));
        assert_true(made <= sizes[i] + ogg->frame_max);
    }
}

/* ---- Opus --------------------------------------------------------------------------------- */

/* The last two bits of a packet are 0: it has one frame (RFC 6716, 3.1). */
static void packets_cover_20_ms_whatever_comes_at_a_time(void **state)
{
    (void)state;
    const struct audio_encoding_ops *opus = audio_codec_find("ogg")->encoding;
    if (opus->missing)
        skip();
    struct audio_encoder *e;
    struct reason why = {0};
    float in[2 * 144];
    unsigned char out[1275];
    size_t frames = 0, packets = 0;
    assert_true(opus->bytes_max(144, 2) <= sizeof out);
    assert_int_equal(opus->create(&e, 48e3, 2, &why), 0);
    for (size_t block = 0; block < 200; block++) {
        for (size_t i = 0; i < 288; i++)
            in[i] = (float)sin(0.13 * (double)(block * 288 + i));
        for (size_t at = 0; at < 144;) {
            size_t bytes, covered;
            at += opus->run(e, 2, in + 2 * at, 144 - at, out, &bytes, &covered);
            if (bytes == 0)
                continue;
            assert_int_equal(covered, 960);
            assert_int_equal(out[0] & 3, 0);
            packets++;
            frames += covered;
        }
    }
    assert_int_equal(packets, 200 * 144 / 960);
    assert_int_equal(frames, packets * 960);
    size_t covered;
    assert_int_equal(opus->silence(48e3, 2, 5000, out, &covered), 1);
    assert_int_equal(covered, 960);
    assert_int_equal(out[0], 31 << 3 | 1 << 2);
    opus->destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_rounded_and_clipped_and_floats_are_neither),
        cmocka_unit_test(names_and_rates_are_refused_with_what_works),
        cmocka_unit_test(pages_have_one_packet_each_with_its_number_time_and_sum),
        cmocka_unit_test(packets_cover_20_ms_whatever_comes_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
