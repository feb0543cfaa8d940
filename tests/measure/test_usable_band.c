/*
 * test_usable_band.c - measurements work within the usable band: what is at the edges of the span,
 * such as an alias, is in none of them.
 */
#include <stdlib.h>

#include "daemon/measure/band.h"
#include "daemon/measure/bins.h"
#include "tests/support/measure/measure_fixture.h"

/* 1024 bins of 1 kHz around 100 MHz; with 80 %, 99.591 to 100.409 MHz are usable. */
static const struct fixture fixture = {1024, 512, "hann", 100e6, 1.024e6};
enum { COUNT = 1 << 17 };

/* A signal of -30 dBFS at 100.1 MHz, one of -10 dBFS 32 kHz from the edge of the span, and noise.
 */
static struct line *with_alias(double percent)
{
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_noise(iq, COUNT, 1e-7, 1);
    fixture_add_tone(iq, COUNT, pow(10, -30 / 20.0), 100e3 / fixture.rate_hz);
    fixture_add_tone(iq, COUNT, pow(10, -10 / 20.0), 480e3 / fixture.rate_hz);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    line->usable_percent = percent;
    free(iq);
    return line;
}

static void an_alias_at_the_edge_is_no_peak_and_no_carrier(void **state)
{
    (void)state;
    struct line *line = with_alias(80);
    static const char *const searches[] = {"marker", "frequency-counter"};
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        const struct measure_result r = fixture_measure_line(searches[i], "", line);
        assert_near(fixture_value(&r, "frequency"), 100.1e6, 10);
        assert_near(fixture_value(&r, "level"), -30, 0.1);
    }
    struct measure_result peaks = fixture_measure_line("peaks", "threshold=-60", line);
    assert_near(fixture_value(&peaks, "count"), 1, 0);
    assert_near(fixture_cell(&peaks, 0, "frequency"), 100.1e6, 10);
    line->usable_percent = 100;
    peaks = fixture_measure_line("peaks", "threshold=-60", line);
    assert_near(fixture_value(&peaks, "count"), 2, 0);
    assert_near(fixture_cell(&peaks, 0, "level"), -10, 0.1);
    line_destroy(line);
}

static void a_width_of_zero_measures_the_usable_band(void **state)
{
    (void)state;
    struct line *line = with_alias(80);
    struct measure_result r = fixture_measure_line("channel-power", "", line);
    /* 819 bins of 1 kHz: 512 +- 409 */
    assert_near(fixture_value(&r, "width"), 819e3, 1);
    assert_near(fixture_value(&r, "power"), -30, 0.02);
    line_destroy(line);
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_band(iq, COUNT, 1e-3, 0.1, 0.15, 2);
    fixture_add_band(iq, COUNT, 1e-1, 0.45, 0.49, 3);
    line = fixture_line(&fixture, iq, COUNT);
    line->usable_percent = 80;
    r = fixture_measure_line("obw", "", line);
    assert_near(fixture_value(&r, "center"), 100e6 + 0.125 * fixture.rate_hz, 1e3);
    assert_near(fixture_value(&r, "bandwidth"), 0.99 * 0.05 * fixture.rate_hz, 2e3);
    free(iq);
    line_destroy(line);
}

/* Beyond 60 % of the span a filter takes 40 dB off the noise. */
static void the_slopes_of_a_filter_do_not_lower_the_noise_floor(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1e-10F);
    for (uint32_t k = 205; k <= 819; k++) /* 512 +- 307: 60 % */
        line->detector[0][k] = 1e-6F;
    line->frames = 1000000; /* no fluctuation: the percentile is the mean */
    line->usable_percent = 60;
    const struct measure_result r = fixture_measure_line("snr", "percentile=20", line);
    assert_near(fixture_value(&r, "floor"), -60, 0.05);
    line->usable_percent = 100;
    const struct measure_result all = fixture_measure_line("snr", "percentile=20", line);
    assert_near(fixture_value(&all, "floor"), -100, 0.05);
    line_destroy(line);
}

static void a_band_beyond_the_usable_band_is_refused(void **state)
{
    (void)state;
    struct line *line = with_alias(80);
    /* Each is within the span; half the usable band is 409.5 kHz. */
    static const struct {
        const char *name, *options;
    } cases[] = {
        {"channel-power", "center=100.4M width=40k"},
        {"band-power", "start=99.5M stop=99.7M"},
        {"acpr", "center=100.3M width=100k offsets=100k"},
        {"obw", "center=100.4M width=40k"},
        {"occupancy", "start=100.3M stop=100.45M"},
        {"snr", "center=100.4M width=40k"},
        {"frequency-counter", "center=100.4M width=40k"},
        {"marker", "frequency=100.48M"},
        {"delta-marker", "frequency=100M reference=100.48M"},
        {"noise-marker", "frequency=100.405M bins=8"},
        {"bandwidth", "frequency=100.48M"},
        {"mask", "upper=100.3M:-60,100.45M:-60"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct measure_result r = fixture_measure_line(cases[i].name, cases[i].options, line);
        fixture_refused(&r, "not within the usable band");
    }
    line_destroy(line);
}

static void a_filtered_channel_beyond_the_usable_band_is_refused(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.1, 0.1);
    struct line *line = with_alias(80);
    struct measure_input in = fixture_input(line);
    in.iq = iq;
    in.iq_count = COUNT;
    static const char *const names[] = {"am", "fm", "zero-span"};
    static const char *const options[] = {"center=100.4M bandwidth=40k",
                                          "center=100.4M bandwidth=40k", "center=100.4M rbw=40k"};
    for (size_t i = 0; i < 3; i++) {
        struct fixture_measure m;
        fixture_measure_start(&m, names[i], options[i]);
        fixture_update(&m, &in);
        fixture_refused(&m.result, "not within the usable band");
        fixture_measure_finish(&m);
    }
    line_destroy(line);
    free(iq);
}

/* A signal that reaches into the trimmed edge does not fall by 3 dB within the usable band. */
static void a_search_for_an_edge_ends_with_the_usable_band(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1e-9F);
    for (uint32_t k = 800; k < 1000; k++)
        line->detector[0][k] = 1e-3F;
    line->usable_percent = 80; /* bins 103 to 921 */
    const struct measure_result r = fixture_measure_line("bandwidth", "frequency=100.4M", line);
    fixture_refused(&r, "does not fall by 3 dB within the usable band");
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alias_at_the_edge_is_no_peak_and_no_carrier),
        cmocka_unit_test(a_width_of_zero_measures_the_usable_band),
        cmocka_unit_test(the_slopes_of_a_filter_do_not_lower_the_noise_floor),
        cmocka_unit_test(a_band_beyond_the_usable_band_is_refused),
        cmocka_unit_test(a_filtered_channel_beyond_the_usable_band_is_refused),
        cmocka_unit_test(a_search_for_an_edge_ends_with_the_usable_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
