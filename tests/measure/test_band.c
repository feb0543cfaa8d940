/* test_band.c - power in a band of a made-up spectrum, against sums by hand. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/measure/band.h"
#include "tests/support/measure/measure_fixture.h"

enum { N = 64 };

/* 64 bins of 1 kHz around 1 MHz, each with the power 0.01; the window is 2 bins wide. */
static struct measure_input flat_spectrum(void)
{
    struct line *line = line_create(&(struct line_shape){.n = N, .detectors = FFT_DETECTOR_MEAN});
    assert_non_null(line);
    line->tuning = (struct tuning){.center_hz = 1e6, .rate_hz = 64e3};
    line->enbw_bins = 2;
    for (unsigned k = 0; k < N; k++)
        line->detector[0][k] = 0.01F;
    return (struct measure_input){.line = line, .power = line->detector[0], .lines = 1};
}

static double power_of(const struct measure_input *in, double low_hz, double high_hz)
{
    struct measure_result result = {0};
    struct band band = {low_hz, high_hz};
    assert_int_equal(band_clip(&band, in->line, &result), 0);
    return band_power(&band, in);
}

static void a_band_counts_the_parts_of_bins_inside_it(void **state)
{
    (void)state;
    struct measure_input in = flat_spectrum();
    /* Bin 32 is around 1 MHz: 999.5 to 1000.5 kHz. */
    const double bin = 0.01 / 2;
    assert_near(power_of(&in, 999.5e3, 1000.5e3), bin, 1e-9);
    assert_near(power_of(&in, 999.5e3, 1000e3), bin / 2, 1e-9);
    assert_near(power_of(&in, 999.75e3, 1000e3), bin / 4, 1e-9);
    assert_near(power_of(&in, 999e3, 1002e3), 3 * bin, 1e-9);
    in.line->detector[0][33] = 1; /* 1000.5 to 1001.5 kHz */
    assert_near(power_of(&in, 1001.25e3, 1001.5e3), 0.25 / 2, 1e-7);
    line_destroy((struct line *)in.line);
}

static void the_whole_span_counts_every_bin_once(void **state)
{
    (void)state;
    struct measure_input in = flat_spectrum();
    assert_near(power_of(&in, 1e6 - 32.5e3, 1e6 + 31.5e3), N * 0.01 / 2, 1e-7);
    line_destroy((struct line *)in.line);
}

static void a_band_outside_of_the_span_is_refused(void **state)
{
    (void)state;
    struct measure_input in = flat_spectrum();
    struct band bad[] = {{966.5e3, 1e6}, {1e6, 1032.5e3}, {1e6, 1e6},
                         {1e6, NAN},     {NAN, 1e6},      {1031.6e3, 1032e3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct measure_result result = {0};
        assert_int_equal(band_clip(&bad[i], in.line, &result), -ERANGE);
        assert_true(result.reason[0] != '\0');
    }
    line_destroy((struct line *)in.line);
}

/* Bins are 1 kHz wide, and cover 967.5 to 1031.5 kHz. */
static void a_band_that_exceeds_the_span_by_less_than_a_bin_is_clipped(void **state)
{
    (void)state;
    struct measure_input in = flat_spectrum();
    struct measure_result result = {0};
    struct band b = {968e3, 1032e3}; /* centre +- rate / 2 */
    assert_int_equal(band_clip(&b, in.line, &result), 0);
    assert_near(b.low_hz, 968e3, 0);
    assert_near(b.high_hz, 1031.5e3, 0);
    b = (struct band){966.6e3, 1032.4e3};
    assert_int_equal(band_clip(&b, in.line, &result), 0);
    assert_near(b.low_hz, 967.5e3, 0);
    ((struct line *)in.line)->usable_percent = 50; /* 983.5 to 1016.5 kHz */
    b = (struct band){983e3, 1017e3};
    assert_int_equal(band_clip(&b, in.line, &result), 0);
    assert_near(b.low_hz, 983.5e3, 0);
    assert_near(b.high_hz, 1016.5e3, 0);
    line_destroy((struct line *)in.line);
}

static void every_measurement_takes_the_rate_as_its_width(void **state)
{
    (void)state;
    static const char *const all[][2] = {
        {"channel-power", "center=1M width=64k"},
        {"band-power", "start=968k stop=1032k"},
        {"occupancy", "start=968k stop=1032k width=8k"},
        {"snr", "center=1M width=64k"},
        {"obw", "center=1M width=64k above-noise=0"},
        {"acpr", "center=1M width=16k offsets=24k:16k roll-off=0"},
        {"mask", "upper=968k:10,1032k:10"},
    };
    struct line *line = (struct line *)flat_spectrum().line;
    line->frames = 100;
    line->hop = N;
    memcpy(line->window, "hann", sizeof "hann");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct measure_result r = fixture_measure_line(all[i][0], all[i][1], line);
        assert_string_equal(r.reason, "");
        assert_true(r.values > 0);
    }
    line_destroy(line);
}

static void channel_power_reports_power_density_and_width(void **state)
{
    (void)state;
    struct measure_input in = flat_spectrum();
    const struct measure_ops *ops = measure_find("channel-power");
    struct measure_result result = {0};
    void *channel = calloc(1, ops->state_bytes);
    assert_non_null(channel);
    assert_int_equal(option_parse(&ops->options[0], "1M", channel), 0);
    assert_int_equal(option_parse(&ops->options[1], "20k", channel), 0);
    assert_int_equal(ops->update(channel, &in, &result), 0);
    /* 20 bins of 0.01 / 2: 0.1, -10 dBFS; in 20 kHz, 43.01 dB less a hertz */
    assert_string_equal(result.value[0].name, "power");
    assert_near(result.value[0].value, -10, 0.001);
    assert_near(result.value[1].value, -53.0103, 0.001);
    assert_near(result.value[2].value, 20e3, 1e-6);
    assert_int_equal(option_parse(&ops->options[1], "70k", channel), 0);
    result = (struct measure_result){0};
    assert_int_equal(ops->update(channel, &in, &result), -ERANGE);
    assert_string_equal(result.reason, "the band 965000 Hz to 1035000 Hz is not within the span of "
                                       "967500 Hz to 1031500 Hz");
    free(channel);
    line_destroy((struct line *)in.line);
}

static const struct fixture small = {64, 32, "hann", 1e6, 64e3};

static void a_channel_narrower_than_three_rbw_is_refused(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&small, 1); /* RBW 1.5 kHz */
    struct measure_result r = fixture_measure_line("channel-power", "center=1M width=4.4k", line);
    fixture_refused(&r, "RBW of 1500 Hz is too wide for a band of 4400 Hz");
    r = fixture_measure_line("channel-power", "center=1M width=4.6k", line);
    assert_near(fixture_value(&r, "density"), -10 * log10(1500), 0.001);
    line_destroy(line);
}

static void power_is_refused_where_noise_is_biased(void **state)
{
    (void)state;
    static const enum trace_function biased[] = {TRACE_MAX_HOLD, TRACE_MIN_HOLD, TRACE_LOG_AVERAGE,
                                                 TRACE_VOLTAGE_AVERAGE};
    struct line *line = fixture_flat_line(&small, 1);
    struct fixture_measure m;
    fixture_measure_start(&m, "channel-power", "");
    for (unsigned detector = 0; detector < FFT_DETECTORS; detector++) {
        struct measure_input in = fixture_input(line);
        in.detector = detector;
        fixture_update(&m, &in);
        assert_int_equal(m.err < 0, detector == 1 || detector == 2);
    }
    for (size_t i = 0; i < sizeof biased / sizeof biased[0]; i++) {
        struct measure_input in = fixture_input(line);
        in.function = biased[i];
        fixture_update(&m, &in);
        fixture_refused(&m.result, trace_function_name(biased[i]));
    }
    fixture_measure_finish(&m);
    line_destroy(line);
}

/* A tone and noise: the bins' sum over the ENBW is the mean of |x|^2 (Parseval). */
static void the_power_of_the_span_is_that_of_the_samples(void **state)
{
    (void)state;
    static const struct fixture fixture = {1024, 512, "blackman-harris", 0, 1e6};
    enum { COUNT = 1 << 18 };
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.5, 0.1234);
    fixture_add_noise(iq, COUNT, 0.25, 7);
    double power = 0;
    for (size_t i = 0; i < COUNT; i++)
        power += (double)(iq[i].re * iq[i].re + iq[i].im * iq[i].im) / COUNT;
    struct line *line = fixture_line(&fixture, iq, COUNT);
    const struct measure_result r = fixture_measure_line("channel-power", "", line);
    assert_near(fixture_value(&r, "power"), 10 * log10(power), 0.02);
    line_destroy(line);
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_band_counts_the_parts_of_bins_inside_it),
        cmocka_unit_test(the_whole_span_counts_every_bin_once),
        cmocka_unit_test(a_band_outside_of_the_span_is_refused),
        cmocka_unit_test(a_band_that_exceeds_the_span_by_less_than_a_bin_is_clipped),
        cmocka_unit_test(every_measurement_takes_the_rate_as_its_width),
        cmocka_unit_test(channel_power_reports_power_density_and_width),
        cmocka_unit_test(a_channel_narrower_than_three_rbw_is_refused),
        cmocka_unit_test(power_is_refused_where_noise_is_biased),
        cmocka_unit_test(the_power_of_the_span_is_that_of_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
