/* test_snr.c - the noise floor's percentile reads the mean of noise, and SNR of a known signal. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/measure/measure_fixture.h"

static const struct fixture fixture = {4096, 2048, "blackman-harris", 100e6, 4.096e6};
static const double density_db = -86.124; /* a power of 0.01 in 4.096 MHz */

static struct fft_iq *noise(size_t count)
{
    struct fft_iq *iq = fixture_silence(count);
    fixture_add_noise(iq, count, 0.01, 21);
    return iq;
}

static double floor_of(const struct line *line, unsigned detector, const char *options)
{
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.detector = detector;
    in.power = line->detector[detector];
    fixture_measure_start(&m, "snr", options);
    fixture_update(&m, &in);
    const double density = fixture_value(&m.result, "density");
    assert_near(fixture_value(&m.result, "floor"), density + 10 * log10(line_rbw_hz(line)), 0.001);
    fixture_measure_finish(&m);
    return density;
}

/*
 * A percentile of 4096 bins of one frame has a deviation of 0.1 dB, with flat-top of 0.2 dB. A few
 * frames that overlap by 87 % have no gamma distribution: their low percentiles read up to 1 dB
 * high.
 */
static void the_noise_floor_has_no_bias_at_any_percentile_and_average(void **state)
{
    (void)state;
    static const char *const windows[] = {"rect", "hann", "flat-top"};
    static const char *const percentiles[] = {"percentile=10", "percentile=50", "percentile=90"};
    static const unsigned hops[] = {4096, 2048, 512};
    static const unsigned frames[] = {1, 3, 20};
    struct fft_iq *iq = noise(21 * 4096);
    for (int i = 0; i < 27; i++) {
        struct fixture other = fixture;
        other.window = windows[i % 3];
        other.hop = hops[i / 3 % 3];
        struct line *line = fixture_line(&other, iq, 4096 + (frames[i / 9] - 1) * other.hop);
        const bool few = frames[i / 9] == 3 && other.hop == 512;
        for (int p = 0; p < 3; p++) {
            assert_near(floor_of(line, 0, percentiles[p]), density_db, few && p == 0 ? 1.1 : 0.35);
            assert_near(floor_of(line, 3, percentiles[p]), density_db, 0.8);
        }
        line_destroy(line);
    }
    free(iq);
}

/* The sample detector over 8 lines in a power average. */
static void the_median_of_an_average_of_single_frames_is_corrected(void **state)
{
    (void)state;
    enum { LINES = 8 };
    struct fft_iq *iq = noise(LINES * 4096);
    struct trace t = {.function = TRACE_AVERAGE};
    struct line *line = NULL;
    for (int i = 0; i < LINES; i++) {
        line_destroy(line);
        line = fixture_line(&fixture, iq + i * 4096, 4096);
        assert_int_equal(trace_update(&t, line, 3), 0);
    }
    struct fixture_measure m;
    const struct measure_input in = {
        .line = line, .power = t.power, .detector = 3, .function = TRACE_AVERAGE, .lines = LINES};
    fixture_measure_start(&m, "snr", "");
    fixture_update(&m, &in);
    /* The median of 8 averages is 0.18 dB low. */
    assert_near(fixture_value(&m.result, "density"), density_db, 0.08);
    fixture_measure_finish(&m);
    trace_finish(&t);
    line_destroy(line);
    free(iq);
}

static void snr_of_a_known_signal_is_its_ratio(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };
    struct fft_iq *iq = noise(COUNT);
    fixture_add_band(iq, COUNT, 0.05, 0, 0.1,
                     4);                    /* 7 dB above the noise's 0.01 a cycle per sample */
    fixture_add_tone(iq, COUNT, 0.9, -0.3); /* another signal */
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct measure_result r = fixture_measure_line("snr", "center=100.2048M width=409.6k", line);
    assert_near(fixture_value(&r, "density"), density_db, 0.4); /* a tenth of the span is signal */
    assert_near(fixture_value(&r, "signal"), 10 * log10(0.005), 0.1);
    r = fixture_measure_line("snr", "center=100.2048M width=409.6k percentile=20", line);
    assert_near(fixture_value(&r, "snr"), 10 * log10(5), 0.15);
    r = fixture_measure_line("snr", "center=90M width=409.6k", line);
    fixture_refused(&r, "not within the span");
    line_destroy(line);
    free(iq);
}

static void noise_alone_has_no_snr_of_a_signal(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 0.5F);
    line->frames = 1 << 20;
    const struct measure_result r = fixture_measure_line("snr", "center=100M width=100k", line);
    assert_true(isnan(fixture_value(&r, "snr")) || fixture_value(&r, "snr") < -30);
    for (uint32_t k = 2000; k < 2100; k++) /* less than the noise elsewhere */
        line->detector[0][k] = 0.4F;
    const struct measure_result less = fixture_measure_line("snr", "center=100M width=50k", line);
    assert_true(isnan(fixture_value(&less, "snr")));
    assert_true(isnan(fixture_value(&less, "signal")));
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_noise_floor_has_no_bias_at_any_percentile_and_average),
        cmocka_unit_test(the_median_of_an_average_of_single_frames_is_corrected),
        cmocka_unit_test(snr_of_a_known_signal_is_its_ratio),
        cmocka_unit_test(noise_alone_has_no_snr_of_a_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
