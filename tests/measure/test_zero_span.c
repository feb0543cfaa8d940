/* test_zero_span.c - power against time through the filters, whose shapes are those of formulas. */
#include <stdlib.h>

#include "tests/support/measure/measure_fixture.h"

enum { COUNT = 100000 };
static const struct fixture fixture = {64, 32, "hann", 100e6, 1e6};

static struct measure_result measure(const char *options, const struct fft_iq *iq, size_t count)
{
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    fixture_measure_start(&m, "zero-span", options);
    in.iq = iq;
    in.iq_count = m.ops->iq_samples(m.state, line);
    in.iq_count = in.iq_count < count ? in.iq_count : count;
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    line_destroy(line);
    return m.result;
}

/* The level of a tone of -6.02 dBFS at `offset_hz` from the filter's centre. */
static double tone_db(const char *options, double offset_hz)
{
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.5, (123e3 + offset_hz) / 1e6);
    const struct measure_result r = measure(options, iq, COUNT);
    free(iq);
    return fixture_value(&r, "mean");
}

static void a_gaussian_filter_falls_by_3_db_at_half_its_width(void **state)
{
    (void)state;
    const char *options = "center=100.123M rbw=10k time=20ms";
    assert_near(tone_db(options, 0), -6.02, 0.01);
    assert_near(tone_db(options, 5e3), -6.02 - 3.01, 0.03);
    assert_near(tone_db(options, -5e3), -6.02 - 3.01, 0.03);
    assert_near(tone_db(options, 10e3), -6.02 - 12.04, 0.1);
    assert_true(tone_db(options, 40e3) < -70);
    assert_near(tone_db("time=20ms", 300e3), -6.02, 0.01); /* no filter */
}

static void a_flat_filter_passes_half_of_its_width(void **state)
{
    (void)state;
    const char *options = "center=100.123M rbw=20k time=20ms filter=flat";
    for (int offset_hz = -5000; offset_hz <= 5000; offset_hz += 2500)
        assert_near(tone_db(options, offset_hz), -6.02, 0.1);
    assert_near(tone_db(options, 10e3), -6.02 - 6.02, 0.1);
    assert_true(tone_db(options, 15e3) < -54);
    assert_true(tone_db(options, -33e3) < -54);
}

/* Noise of 0.1 in 1 MHz: the noise bandwidth of a Gaussian filter is 1.0645 times its width. */
static void noise_reads_the_noise_bandwidth_of_the_filter(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    struct fft_iq *iq = fixture_silence(MANY);
    fixture_add_noise(iq, MANY, 0.1, 3);
    struct measure_result r = measure("center=99.9M rbw=20k time=1000ms", iq, MANY);
    assert_near(fixture_value(&r, "mean"), 10 * log10(0.1 * 0.02 * 1.0645), 0.1);
    r = measure("center=99.9M time=1000ms", iq, MANY);
    assert_near(fixture_value(&r, "mean"), -10, 0.02);
    free(iq);
}

/* 10 ms on from 20 ms on, 100 points of 1 ms. */
static void a_burst_is_seen_when_it_was(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq + 20000, 10000, 0.5, 0.1);
    const struct measure_result r = measure("center=100.1M rbw=20k time=100ms", iq, COUNT);
    assert_int_equal(r.table.rows, 100);
    for (unsigned i = 0; i < 100; i++) {
        const double time_s = fixture_cell(&r, i, "time"), level = fixture_cell(&r, i, "mean");
        assert_near(time_s, (i + 0.5) * 1e-3, 0.2e-3);
        if (time_s > 21.1e-3 && time_s < 28.9e-3)
            assert_near(level, -6.02, 0.01);
        if (time_s < 18.9e-3 || time_s > 31.1e-3)
            assert_true(level < -90);
        assert_near(fixture_cell(&r, i, "frequency"), 100.1e6, 0);
    }
    /* What the filter lacks is missing on both sides alike. */
    assert_near((fixture_cell(&r, 0, "time") + fixture_cell(&r, 99, "time")) / 2, 50e-3, 20e-6);
    assert_near(fixture_value(&r, "peak"), -6.02, 0.05);
    assert_near(fixture_value(&r, "mean"), -16.02, 0.05); /* a tenth of the time */
    free(iq);
}

static void the_peak_of_a_point_is_its_largest_sample(void **state)
{
    (void)state;
    struct fft_iq iq[1000] = {{0, 0}};
    iq[432].re = 1;
    const struct measure_result r = measure("time=1ms points=10", iq, 1000);
    assert_int_equal(r.table.rows, 10);
    assert_near(fixture_cell(&r, 4, "peak"), 0, 1e-4);
    assert_near(fixture_cell(&r, 4, "mean"), -20, 1e-4);
    assert_near(fixture_cell(&r, 4, "time"), 449.5e-6, 1e-9);
    assert_near(fixture_value(&r, "step"), 1e-6, 1e-12);
}

static void what_is_longer_than_the_samples_is_refused(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    struct measure_result r = measure("time=2", iq, COUNT);
    fixture_refused(&r, "2 s are 2000000 samples, more than 1048576");
    r = measure("time=200ms", iq, COUNT);
    fixture_refused(&r, "only 100000 of 200000 samples are there");
    r = measure("time=1ms", iq, 0);
    fixture_refused(&r, "no longer there");
    r = measure("time=1ms rbw=100 center=100M", iq, COUNT);
    fixture_refused(&r, "too few for a bandwidth of 100 Hz");
    r = measure("time=1ms rbw=1k center=101M", iq, COUNT);
    fixture_refused(&r, "not within the span");
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gaussian_filter_falls_by_3_db_at_half_its_width),
        cmocka_unit_test(a_flat_filter_passes_half_of_its_width),
        cmocka_unit_test(noise_reads_the_noise_bandwidth_of_the_filter),
        cmocka_unit_test(a_burst_is_seen_when_it_was),
        cmocka_unit_test(the_peak_of_a_point_is_its_largest_sample),
        cmocka_unit_test(what_is_longer_than_the_samples_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
