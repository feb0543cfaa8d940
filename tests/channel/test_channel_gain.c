/* test_channel_gain.c - samples in the formats of programs, and the automatic gain. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "daemon/channel/channel_gain.h"

#define RATE 10e3

/* ---- formats ------------------------------------------------------------------------------ */

/* What the library reads back is within half a step of what was packed. */
static void samples_are_rounded_to_the_nearest_value_of_the_format(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static const double steps[] = {[FFT_IQ_CU8] = 1 / 127.5,
                                   [FFT_IQ_CS8] = 1 / 128.0,
                                   [FFT_IQ_CS16] = 1 / 32768.0,
                                   [FFT_IQ_CF32] = 1e-7};
    struct fft_iq in[COUNT], again[COUNT];
    float raw[2 * COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = (struct fft_iq){0.98F * (float)sin(i), 0.98F * (float)cos(3.3 * i)};
    for (int f = 0; f < FFT_IQ_FORMATS; f++) {
        struct channel_gain g;
        channel_gain_init(&g, false, 0);
        channel_gain_pack(&g, (enum fft_iq_format)f, RATE, in, COUNT, raw);
        fft_iq_unpack((enum fft_iq_format)f, raw, again, COUNT);
        for (int i = 0; i < COUNT; i++) {
            assert_true(fabs((double)again[i].re - (double)in[i].re) <= steps[f] * 0.5001);
            assert_true(fabs((double)again[i].im - (double)in[i].im) <= steps[f] * 0.5001);
        }
        assert_int_equal(g.clipped, 0);
    }
}

static void what_is_beyond_full_scale_is_clipped_and_counted(void **state)
{
    (void)state;
    static const struct fft_iq in[] = {{0.6F, 0}, {0, -0.6F}, {0.1F, 0.1F}};
    int8_t out[8];
    struct channel_gain g;
    channel_gain_init(&g, false, 6.0206);
    channel_gain_pack(&g, FFT_IQ_CS8, RATE, in, 3, out);
    static const int8_t wanted[] = {127, 0, 0, -128, 26, 26};
    assert_memory_equal(out, wanted, sizeof wanted);
    assert_int_equal(g.clipped, 2);
}

/* ---- the automatic gain --------------------------------------------------------------------- */

/* `seconds` of a carrier of this amplitude; returns the gain in dB at its end. */
static double carrier(struct channel_gain *g, double amplitude, double seconds)
{
    enum { BLOCK = 60 };
    struct fft_iq in[BLOCK];
    int16_t out[2 * BLOCK];
    for (double at = 0; at < seconds; at += BLOCK / RATE) {
        for (int i = 0; i < BLOCK; i++)
            in[i] = (struct fft_iq){(float)(amplitude * cos(i)), (float)(amplitude * sin(i))};
        channel_gain_pack(g, FFT_IQ_CS16, RATE, in, BLOCK, out);
    }
    return channel_gain_db(g);
}

static void the_gain_has_whole_steps_below_minus_24_dbfs(void **state)
{
    (void)state;
    static const double levels_db[] = {-100, -61, -40, -24.1, -10};
    static const double gains_db[] = {72.25, 36.12, 12.04, 0, 0};
    for (int i = 0; i < 5; i++) {
        struct channel_gain g;
        channel_gain_init(&g, true, 0);
        const double db = carrier(&g, pow(10, levels_db[i] / 20), 0.1);
        if (fabs(db - gains_db[i]) > 0.01)
            fail_msg("%g dBFS: %g dB", levels_db[i], db);
    }
}

static void a_burst_lowers_it_at_once_and_quiet_raises_it_after_ten_seconds(void **state)
{
    (void)state;
    struct channel_gain g;
    channel_gain_init(&g, true, 0);
    const double quiet = carrier(&g, 1e-4, 1);
    assert_true(fabs(quiet - 54.19) < 0.01);
    const double loud = carrier(&g, 0.5, 0.006); /* the first block of a burst */
    assert_true(fabs(loud) < 0.01);
    assert_int_equal(g.clipped, 0);
    assert_true(fabs(carrier(&g, 1e-4, 5)) < 0.01);
    assert_true(carrier(&g, 1e-4, 30) > quiet - 0.01);
}

static void silence_does_not_raise_it(void **state)
{
    (void)state;
    struct channel_gain g;
    channel_gain_init(&g, true, 0);
    assert_true(fabs(carrier(&g, 0, 25)) < 0.01);
    assert_true(carrier(&g, 0.5, 0.006) < 0.01);
    assert_int_equal(g.clipped, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_rounded_to_the_nearest_value_of_the_format),
        cmocka_unit_test(what_is_beyond_full_scale_is_clipped_and_counted),
        cmocka_unit_test(the_gain_has_whole_steps_below_minus_24_dbfs),
        cmocka_unit_test(a_burst_lowers_it_at_once_and_quiet_raises_it_after_ten_seconds),
        cmocka_unit_test(silence_does_not_raise_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
