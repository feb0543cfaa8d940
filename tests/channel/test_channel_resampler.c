/* test_channel_resampler.c - rates of audio: tones against sines, and what has no room is gone. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/channel/channel_resampler.h"

#define PI 3.14159265358979323846
enum { BLOCK = 144, BLOCKS = 200 };

static double sine(double hz, double rate_hz, uint64_t at)
{
    return sin(2 * PI * fmod(hz / rate_hz * (double)at, 1));
}

/*
 * The largest error of outputs 1000 and more against a sine of this frequency (re), and one of a
 * tenth of it (im), times `wanted`.
 */
static double worst_error(double from_hz, double to_hz, double tone_hz, double wanted)
{
    struct channel_resampler *r;
    double worst = 0;
    uint64_t next = 0;
    assert_int_equal(channel_resampler_create_audio(&r, from_hz, to_hz, BLOCK), 0);
    channel_resampler_begin(r, 0);
    for (uint64_t block = 0; block < BLOCKS; block++) {
        struct fft_iq in[BLOCK];
        const struct fft_iq *out;
        uint64_t first;
        for (uint64_t i = 0; i < BLOCK; i++)
            in[i] = (struct fft_iq){(float)sine(tone_hz, from_hz, block * BLOCK + i),
                                    (float)sine(tone_hz / 10, from_hz, block * BLOCK + i)};
        const size_t made = channel_resampler_push(r, in, BLOCK, &first, &out);
        assert_int_equal(first, next);
        for (size_t i = 0; i < made && next > 1000; i++) {
            const double re = wanted * sine(tone_hz, to_hz, first + i);
            const double im = sine(tone_hz / 10, to_hz, first + i);
            worst = fmax(worst, hypot((double)out[i].re - re, (double)out[i].im - im));
        }
        next += made;
    }
    const double expected = BLOCK * BLOCKS * to_hz / from_hz;
    assert_true(fabs((double)next - expected) < 16 * fmax(1, to_hz / from_hz) + 2);
    channel_resampler_destroy(r);
    return worst;
}

static void a_tone_keeps_frequency_level_and_time_at_any_rate(void **state)
{
    (void)state;
    static const double rates_hz[][2] = {{24e3, 22050}, {24e3, 48e3},   {24e3, 8e3},
                                         {48e3, 8e3},   {48e3, 44.1e3}, {12e3, 192e3},
                                         {24e3, 11025}, {48e3, 7999.9}};
    for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++)
        assert_true(worst_error(rates_hz[i][0], rates_hz[i][1], 1000, 1) < 2e-4);
    assert_true(worst_error(24e3, 48e3, 9500, 1) < 2e-4); /* up to 0.4 of the lower rate */
    assert_true(worst_error(48e3, 8e3, 3150, 1) < 2e-4);
}

/* 90 dB are 3.2e-5; the tenth of the frequency passes. */
static void what_the_outputs_have_no_room_for_is_gone(void **state)
{
    (void)state;
    assert_true(worst_error(48e3, 8e3, 4850, 0) < 1e-4);
    assert_true(worst_error(48e3, 8e3, 7000, 0) < 1e-4);
    assert_true(worst_error(48e3, 8e3, 15100, 0) < 1e-4);
    assert_true(worst_error(24e3, 11025, 6650, 0) < 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_keeps_frequency_level_and_time_at_any_rate),
        cmocka_unit_test(what_the_outputs_have_no_room_for_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
