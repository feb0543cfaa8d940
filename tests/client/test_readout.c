/* test_readout.c - what markers read on lines of known tones and noise. */
#include <math.h>
#include <stdlib.h>

#include "daemon/client/readout.h"
#include "tests/support/measure/measure_fixture.h"

enum { SIZE = 1024, COUNT = 64 * SIZE };

static const struct fixture one_hz = {SIZE, SIZE, "blackman-harris", 100e6, SIZE}; /* a bin */

/* A line of a tone at `bins` from the centre over white noise, all of it in view. */
static struct readout_line make(double bins, double tone_db, double noise_db_hz)
{
    const struct view whole = {.low_hz = NAN, .high_hz = NAN, .columns = 100};
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, pow(10, tone_db / 20), bins / SIZE);
    fixture_add_noise(iq, COUNT, pow(10, noise_db_hz / 10) * SIZE, 7);
    struct readout_line from = {.line = fixture_line(&one_hz, iq, COUNT), .keeps_power = true};
    line_reset_pyramids((struct line *)from.line);
    view_make_grid(&whole, from.line, &from.grid);
    free(iq);
    return from;
}

static void finish(struct readout_line *from)
{
    line_destroy((struct line *)from->line);
}

static struct reading read_at(const struct readout_line *from, double hz, double width_hz,
                              bool noise)
{
    struct tone_shape shape = {0};
    struct reading r;
    readout_marker(from, &shape, &(struct readout_marker){100e6 + hz, width_hz, noise}, &r);
    return r;
}

static void a_tone_between_bins_reads_its_level_and_frequency(void **state)
{
    (void)state;
    for (double part = -0.5; part <= 0.5; part += 0.125) {
        struct readout_line from = make(200 + part, -20, -120);
        struct tone_shape shape = {0};
        struct reading peak;
        const struct reading r = read_at(&from, 200, 10, false); /* a column of ten bins */
        readout_peak(&from, &shape, &peak);
        assert_near(r.db, -20, 0.05);
        assert_near(r.hz - 100e6, 200 + part, 0.02);
        assert_true(r.error_hz > 0.002 && r.error_hz < 0.1);
        assert_near(peak.db, r.db, 0);
        assert_near(peak.hz, r.hz, 0);
        finish(&from);
    }
}

static void a_marker_off_a_tone_reads_its_own_bin(void **state)
{
    (void)state;
    struct readout_line from = make(200, -20, -120);
    const struct reading r = read_at(&from, 201, 1, false);
    assert_true(isnan(r.hz));
    assert_near(r.db, 10 * log10((double)from.line->detector[0][SIZE / 2 + 201]), 0.001);
    assert_near(r.db, -23.2, 0.2); /* Blackman-Harris one bin beside a tone */
    finish(&from);
}

/* A single spectrum of noise varies by 10 dB and more, the mean of 64 hardly: no tones in either.
 */
static void noise_is_no_tone_and_has_a_density(void **state)
{
    (void)state;
    struct readout_line from = make(200, -120, -90);
    for (int hz = -400; hz < 100; hz += 10) {
        const struct reading r = read_at(&from, hz, 10, true);
        assert_true(isnan(r.hz));
        assert_near(r.noise_db_hz, -90, 1.5); /* 17 bins of 64 spectra: 0.13 dB rms and more */
    }
    from.keeps_power = false;
    assert_true(isnan(read_at(&from, 0, 10, true).noise_db_hz));
    finish(&from);
}

static void outside_of_the_span_is_nothing(void **state)
{
    (void)state;
    struct readout_line from = make(200, -20, -120);
    assert_true(isnan(read_at(&from, -513, 1, true).db));
    assert_true(!isnan(read_at(&from, -512.4, 1, true).db));
    assert_true(isnan(read_at(&from, 511.6, 1, true).db));
    assert_true(isnan(read_at(&from, 511, 1, true).noise_db_hz)); /* bins are missing */
    finish(&from);
}

static void the_table_has_the_peaks_in_view(void **state)
{
    (void)state;
    struct readout_line from = make(200.25, -20, -120);
    const struct peak_rule rule = {.threshold_db = -60, .excursion_db = 6, .most = 5};
    const struct view left = {.low_hz = NAN, .high_hz = 100e6, .columns = 100};
    struct tone_shape shape = {0};
    struct readout_peak found[READOUT_PEAKS];
    assert_int_equal(readout_peaks(&from, &shape, &rule, found), 1);
    assert_near(found[0].hz - 100e6, 200.25, 0.02);
    assert_near(found[0].db, -20, 0.05);
    view_make_grid(&left, from.line, &from.grid);
    assert_int_equal(readout_peaks(&from, &shape, &rule, found), 0);
    finish(&from);
}

static struct band_rules *listed(const struct readout_line *from, double offset_hz)
{
    struct spur spur = {.relative = true, .hz = offset_hz};
    const struct spur_list list = {.spur = &spur, .count = 1};
    struct band_rules *rules = calloc(1, sizeof *rules);
    assert_non_null(rules);
    band_rules_update(rules, from->line, &list);
    return rules;
}

/* -20 dBFS at +200 Hz, -60 dBFS at -100 Hz. */
static struct readout_line make_two(void)
{
    const struct view whole = {.low_hz = NAN, .high_hz = NAN, .columns = 100};
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, pow(10, -20 / 20.0), 200.0 / SIZE);
    fixture_add_tone(iq, COUNT, pow(10, -60 / 20.0), -100.0 / SIZE);
    fixture_add_noise(iq, COUNT, pow(10, -120 / 10.0) * SIZE, 7);
    struct readout_line from = {.line = fixture_line(&one_hz, iq, COUNT), .keeps_power = true};
    line_reset_pyramids((struct line *)from.line);
    view_make_grid(&whole, from.line, &from.grid);
    free(iq);
    return from;
}

static void a_tone_on_the_spur_list_is_no_peak(void **state)
{
    (void)state;
    struct readout_line from = make_two();
    struct band_rules *rules = listed(&from, 200);
    struct tone_shape shape = {0};
    struct reading peak;
    struct readout_peak peaks[READOUT_PEAKS];
    const struct peak_rule rule = {.threshold_db = -80, .excursion_db = 6, .most = 10};
    readout_peak(&from, &shape, &peak);
    assert_near(peak.db, -20, 0.05);
    assert_int_equal(readout_peaks(&from, &shape, &rule, peaks), 2);
    assert_int_equal(readout_spurs(&from), 0);
    from.spurs = rules;
    readout_peak(&from, &shape, &peak);
    assert_near(peak.db, -60, 0.05);
    assert_near(peak.hz, 100e6 - 100, 0.01);
    assert_int_equal(readout_peaks(&from, &shape, &rule, peaks), 1);
    assert_near(peaks[0].db, -60, 0.05);
    assert_int_equal(readout_spurs(&from), 1);
    assert_near(read_at(&from, 200, 0, false).db, -20, 0.05); /* a marker reads what is there */
    free(rules);
    finish(&from);
}

static void a_view_of_spurs_alone_has_no_peak(void **state)
{
    (void)state;
    struct readout_line from = make_two();
    struct band_rules *rules = listed(&from, 200);
    const struct view around = {.low_hz = 100e6 + 199, .high_hz = 100e6 + 201, .columns = 2};
    struct tone_shape shape = {0};
    struct reading peak;
    view_make_grid(&around, from.line, &from.grid);
    from.spurs = rules;
    readout_peak(&from, &shape, &peak);
    assert_true(isnan(peak.db));
    const struct view beside = {.low_hz = 100e6 - 200, .high_hz = 100e6 + 100, .columns = 100};
    view_make_grid(&beside, from.line, &from.grid);
    assert_int_equal(readout_spurs(&from), 0);
    free(rules);
    finish(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_between_bins_reads_its_level_and_frequency),
        cmocka_unit_test(a_marker_off_a_tone_reads_its_own_bin),
        cmocka_unit_test(noise_is_no_tone_and_has_a_density),
        cmocka_unit_test(outside_of_the_span_is_nothing),
        cmocka_unit_test(the_table_has_the_peaks_in_view),
        cmocka_unit_test(a_tone_on_the_spur_list_is_no_peak),
        cmocka_unit_test(a_view_of_spurs_alone_has_no_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
