/* test_markers.c - markers, delta, noise, band power, n dB bandwidth and frequency counter. */
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "tests/support/measure/measure_fixture.h"

static const struct fixture fixture = {4096, 2048, "blackman-harris", 100e6,
                                       4.096e6}; /* 1 kHz a bin */
enum { COUNT = 1 << 18 };

/* Noise with the power 0.01, -86.12 dBFS/Hz, and tones at +1 MHz (-6 dBFS), -500 kHz (-26 dBFS). */
static struct line *scene(void)
{
    static struct fft_iq *iq;
    if (!iq) {
        iq = fixture_silence(COUNT);
        fixture_add_noise(iq, COUNT, 0.01, 5);
        fixture_add_tone(iq, COUNT, 0.5, 1 / 4.096);
        fixture_add_tone(iq, COUNT, 0.05, -0.5 / 4.096);
    }
    return fixture_line(&fixture, iq, COUNT);
}

static struct measure_result measure(const char *name, const char *options)
{
    struct line *line = scene();
    const struct measure_result r = fixture_measure_line(name, options, line);
    line_destroy(line);
    return r;
}

static void a_marker_reads_its_bin(void **state)
{
    (void)state;
    struct measure_result r = measure("marker", "frequency=99.5001M");
    assert_near(fixture_value(&r, "level"), -26.02, 0.1);
    assert_near(fixture_value(&r, "frequency"), 99.5e6, 0.1);
    r = measure("marker", "frequency=99.4996M"); /* nearer to this bin than to the one below */
    assert_near(fixture_value(&r, "frequency"), 99.5e6, 0.1);
    r = measure("marker", "");
    assert_near(fixture_value(&r, "level"), -6.02, 0.1);
    assert_near(fixture_value(&r, "frequency"), 101e6, 0.1);
    r = measure("marker", "frequency=103M");
    fixture_refused(&r, "103000000 Hz is not within the span");
}

static void a_delta_marker_reads_the_difference(void **state)
{
    (void)state;
    const struct measure_result r = measure("delta-marker", "frequency=99.5M");
    assert_near(fixture_value(&r, "delta"), -20, 0.1);
    assert_near(fixture_value(&r, "delta_frequency"), -1.5e6, 0.1);
    assert_near(fixture_value(&r, "reference_level"), -6.02, 0.1);
}

static void a_delta_marker_needs_one_frequency(void **state)
{
    (void)state;
    const struct measure_ops *ops = measure_find("delta-marker");
    const double none[2] = {NAN, NAN};
    struct reason why = {0};
    assert_int_equal(ops->state_bytes, sizeof none);
    assert_true(ops->check(none, &why) < 0);
}

/* The same density through every window, in mean and sample detector. */
static void a_noise_marker_reads_the_density_of_noise(void **state)
{
    (void)state;
    static const char *const windows[] = {"rect", "hann", "blackman-harris", "flat-top"};
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_noise(iq, COUNT, 0.01, 5);
    const double want = 10 * log10(0.01 / 4.096e6);
    for (int i = 0; i < 4; i++) {
        struct fixture other = fixture;
        other.window = windows[i];
        struct line *line = fixture_line(&other, iq, COUNT);
        struct measure_result r =
            fixture_measure_line("noise-marker", "frequency=100M bins=200", line);
        assert_near(fixture_value(&r, "density"), want, 0.15);
        struct fixture_measure m;
        struct measure_input in = fixture_input(line);
        in.detector = 3;
        in.power = line->detector[3];
        fixture_measure_start(&m, "noise-marker", "frequency=100M bins=2000");
        fixture_update(&m, &in);
        assert_near(fixture_value(&m.result, "density"), want, 0.4);
        fixture_measure_finish(&m);
        line_destroy(line);
    }
    free(iq);
}

static void a_noise_marker_needs_its_bins_and_a_detector_of_power(void **state)
{
    (void)state;
    struct measure_result r = measure("noise-marker", "frequency=102.045M");
    fixture_refused(&r, "8 bins on each side");
    struct line *line = scene();
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.detector = 1;
    fixture_measure_start(&m, "noise-marker", "frequency=100M");
    fixture_update(&m, &in);
    fixture_refused(&m.result, "max is biased");
    fixture_measure_finish(&m);
    line_destroy(line);
}

static void band_power_adds_tone_and_noise(void **state)
{
    (void)state;
    struct measure_result r = measure("band-power", "start=100.9M stop=101.1M");
    assert_near(fixture_value(&r, "power"), 10 * log10(0.25 + 0.01 * 0.2 / 4.096), 0.02);
    r = measure("band-power", "start=100.2M stop=100.7M"); /* noise alone */
    assert_near(fixture_value(&r, "power"), 10 * log10(0.01 * 0.5 / 4.096), 0.1);
    assert_near(fixture_value(&r, "density"), 10 * log10(0.01 / 4.096e6), 0.1);
    r = measure("band-power", "start=101.9M stop=102.1M");
    fixture_refused(&r, "not within the span");
}

/* A Gaussian spectrum of known width: exp(-x^2/2s^2) is n dB down at x = s sqrt(2 n ln(10) / 10).
 */
static void the_bandwidth_of_a_gaussian_spectrum_is_that_of_the_formula(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 0);
    const double sigma = 30.3, center = 1234.4;
    for (uint32_t k = 0; k < line->n; k++)
        line->detector[0][k] = (float)exp(-pow((k - center) / sigma, 2) / 2);
    static const double drops[] = {3, 6, 20, 60};
    for (int i = 0; i < 4; i++) {
        char options[40];
        snprintf(options, sizeof options, "drop=%g", drops[i]);
        const struct measure_result r = fixture_measure_line("bandwidth", options, line);
        const double want = 2 * sigma * sqrt(2 * drops[i] * log(10) / 10) * 1000;
        assert_near(fixture_value(&r, "bandwidth") / want, 1, 0.001);
        assert_near(fixture_value(&r, "center"), 100e6 + (center - 2048) * 1000, 20);
    }
    /* Its level in dB is a parabola, so even few bins give the width. */
    for (uint32_t k = 0; k < line->n; k++)
        line->detector[0][k] = (float)exp(-pow((k - center) / 1.3, 2) / 2);
    const struct measure_result r = fixture_measure_line("bandwidth", "drop=3", line);
    const double below_peak = 3 + 10 * log10(exp(1)) * pow(0.4 / 1.3, 2) / 2; /* of bin 1234 */
    const double want = 2 * 1.3 * sqrt(2 * below_peak * log(10) / 10) * 1000;
    assert_near(fixture_value(&r, "bandwidth") / want, 1, 1e-5);
    line_destroy(line);
}

/* Noise from -300 to +500 kHz: the edges of a rectangle are at half power. */
static void the_3_db_bandwidth_of_noise_in_a_band_is_the_band(void **state)
{
    (void)state;
    enum { MANY = 1 << 22 };
    struct fft_iq *iq = fixture_silence(MANY);
    fixture_add_band(iq, MANY, 1, -0.3 / 4.096, 0.5 / 4.096, 3);
    struct line *line = fixture_line(&fixture, iq, MANY);
    const struct measure_result r =
        fixture_measure_line("bandwidth", "drop=3.01 frequency=100.1M", line);
    assert_near(fixture_value(&r, "bandwidth"), 800e3, 2e3);
    assert_near(fixture_value(&r, "center"), 100.1e6, 1e3);
    line_destroy(line);
    free(iq);
}

/* A tone is as wide as the window: -3 dB at 1.899 bins, -6 dB at 2.666. */
static void the_bandwidth_of_a_tone_is_refused_with_that_of_the_window(void **state)
{
    (void)state;
    struct measure_result r = measure("bandwidth", "drop=3.0103");
    fixture_refused(&r, "a tone is 1899 Hz wide");
    r = measure("bandwidth", "drop=6.0206");
    fixture_refused(&r, "a tone is 2666 Hz wide");
    r = measure("bandwidth", "drop=100");
    fixture_refused(&r, "does not fall by 100 dB");
}

static void the_counter_finds_a_tone_between_bins(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.5, 1.0003 / 4.096);
    fixture_add_tone(iq, COUNT, 0.05, -0.50047 / 4.096);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct measure_result r = fixture_measure_line("frequency-counter", "", line);
    assert_near(fixture_value(&r, "frequency"), 101000300, 2);
    assert_near(fixture_value(&r, "level"), -6.02, 0.01);
    r = fixture_measure_line("frequency-counter", "center=99.5M width=100k", line);
    assert_near(fixture_value(&r, "frequency"), 99499530, 2);
    assert_near(fixture_value(&r, "level"), -26.02, 0.01);
    line_destroy(line);
    free(iq);
}

static void the_counter_counts_no_noise(void **state)
{
    (void)state;
    struct measure_result r = measure("frequency-counter", "center=100M width=200k");
    fixture_refused(&r, "no tone");
    r = measure("frequency-counter", "center=90M width=200k");
    fixture_refused(&r, "not within the span");
    struct line *silence = fixture_flat_line(&fixture, 0);
    r = fixture_measure_line("frequency-counter", "", silence);
    fixture_refused(&r, "no tone");
    line_destroy(silence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marker_reads_its_bin),
        cmocka_unit_test(a_delta_marker_reads_the_difference),
        cmocka_unit_test(a_delta_marker_needs_one_frequency),
        cmocka_unit_test(a_noise_marker_reads_the_density_of_noise),
        cmocka_unit_test(a_noise_marker_needs_its_bins_and_a_detector_of_power),
        cmocka_unit_test(band_power_adds_tone_and_noise),
        cmocka_unit_test(the_bandwidth_of_a_gaussian_spectrum_is_that_of_the_formula),
        cmocka_unit_test(the_3_db_bandwidth_of_noise_in_a_band_is_the_band),
        cmocka_unit_test(the_bandwidth_of_a_tone_is_refused_with_that_of_the_window),
        cmocka_unit_test(the_counter_finds_a_tone_between_bins),
        cmocka_unit_test(the_counter_counts_no_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
