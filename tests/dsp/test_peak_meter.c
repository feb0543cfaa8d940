/* test_peak_meter.c - the headroom of a converter, from samples whose largest component is known.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/dsp/peak_meter.h"

enum { RATE = 1000000, SECOND = RATE, FAST = 40 * RATE };

static void reads(struct peak_meter *m, double expected_db)
{
    const double got = peak_meter_headroom_db(m, 1);
    if (!(fabs(got - expected_db) < 0.001))
        fail_msg("%g dB, not %g", got, expected_db);
}

static void codes_of_each_format_read_their_distance_to_full_scale(void **state)
{
    (void)state;
    const uint8_t cu8[] = {127, 128, 96, 128};       /* 31.5 of 127.5 */
    const int8_t cs8[] = {3, -64, 1, 63};            /* 64 of 128 */
    const int16_t cs16[] = {100, -100, 3277, -3276}; /* 3277 of 32768: 20 dB */
    const float cf32[] = {0.5F, -2, 1, 0};           /* 6 dB beyond */
    const struct {
        enum fft_iq_format format;
        const void *raw;
        double db;
    } cases[] = {{FFT_IQ_CU8, cu8, -20 * log10(31.5 / 127.5)},
                 {FFT_IQ_CS8, cs8, 20 * log10(2)},
                 {FFT_IQ_CS16, cs16, 20 * log10(32768 / 3277.0)},
                 {FFT_IQ_CF32, cf32, -20 * log10(2)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct peak_meter m;
        peak_meter_restart(&m, cases[i].format, RATE);
        peak_meter_read(&m, cases[i].raw, 0, 2);
        reads(&m, cases[i].db);
    }
}

static void the_scale_of_a_narrow_stream_counts(void **state)
{
    (void)state;
    const int16_t twelve_bits[] = {1024, 0};
    struct peak_meter m;
    peak_meter_restart(&m, FFT_IQ_CS16, RATE);
    peak_meter_read(&m, twelve_bits, 0, 1);
    assert_true(fabs(peak_meter_headroom_db(&m, 2048 / 32768.0) - 20 * log10(2)) < 0.001);
}

static void nothing_read_is_no_headroom_and_silence_an_infinite_one(void **state)
{
    (void)state;
    const int16_t silence[] = {0, 0};
    struct peak_meter m;
    peak_meter_restart(&m, FFT_IQ_CS16, RATE);
    assert_true(isnan(peak_meter_headroom_db(&m, 1)));
    peak_meter_read(&m, silence, 0, 1);
    assert_true(isinf(peak_meter_headroom_db(&m, 1)));
}

/* Reads silence with one sample of half the full scale at `pulse`. */
static void read_pulse(struct peak_meter *m, uint64_t from, uint64_t end, uint64_t pulse)
{
    enum { BLOCK = 1000 };
    for (uint64_t at = from; at < end; at += BLOCK) {
        int16_t raw[BLOCK][2] = {{0}};
        if (pulse >= at && pulse < at + BLOCK)
            raw[pulse - at][1] = -16384;
        peak_meter_read(m, raw, at, BLOCK);
    }
}

static void any_single_sample_counts_for_half_a_second_to_a_second(void **state)
{
    (void)state;
    for (uint64_t pulse = 0; pulse < SECOND / 2; pulse += 49999) {
        struct peak_meter m;
        peak_meter_restart(&m, FFT_IQ_CS16, RATE);
        read_pulse(&m, 0, pulse / 1000 * 1000 + SECOND / 2, pulse);
        reads(&m, 20 * log10(2));
        read_pulse(&m, pulse / 1000 * 1000 + SECOND / 2, pulse / 1000 * 1000 + SECOND, UINT64_MAX);
        read_pulse(&m, pulse / 1000 * 1000 + SECOND, pulse / 1000 * 1000 + SECOND + 1000,
                   UINT64_MAX);
        assert_true(isinf(peak_meter_headroom_db(&m, 1)));
    }
}

static void of_a_fast_stream_the_first_tenth_of_each_10_ms_is_read(void **state)
{
    (void)state;
    struct peak_meter m;
    peak_meter_restart(&m, FFT_IQ_CS16, FAST);
    read_pulse(&m, 0, 400000, 40000);
    assert_true(isinf(peak_meter_headroom_db(&m, 1)));
    read_pulse(&m, 400000, 800000, 439999);
    reads(&m, 20 * log10(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_each_format_read_their_distance_to_full_scale),
        cmocka_unit_test(the_scale_of_a_narrow_stream_counts),
        cmocka_unit_test(nothing_read_is_no_headroom_and_silence_an_infinite_one),
        cmocka_unit_test(any_single_sample_counts_for_half_a_second_to_a_second),
        cmocka_unit_test(of_a_fast_stream_the_first_tenth_of_each_10_ms_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
