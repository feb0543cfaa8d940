/* test_ccdf.c - CCDF of noise, a carrier and two tones, against theory. */
#include <stdlib.h>

#include "tests/support/measure/measure_fixture.h"

static const struct fixture fixture = {64, 32, "hann", 100e6, 1e6};

/* Each line begins where the samples of the last one ended. */
static void update(struct fixture_measure *m, struct line *line, const struct fft_iq *iq,
                   size_t count)
{
    struct measure_input in = fixture_input(line);
    in.iq = iq;
    in.iq_count = count;
    fixture_update(m, &in);
    line->first_sample += count;
}

/* 3.62, 6.63, 8.39, 9.64, 10.61, 11.40 dB. */
static void ccdf_of_complex_gaussian_noise_is_that_of_the_table(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20, LINES = 16 };
    static const char *const names[] = {"level_10",   "level_1",     "level_0_1",
                                        "level_0_01", "level_0_001", "level_0_0001"};
    static const double want_db[] = {3.62, 6.63, 8.39, 9.64, 10.61, 11.40};
    static const double sigma_db[] = {0.002, 0.003, 0.005, 0.012, 0.03, 0.08};
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fixture_measure m;
    fixture_measure_start(&m, "ccdf", "");
    for (unsigned i = 0; i < LINES; i++) {
        struct fft_iq *iq = fixture_silence(COUNT);
        fixture_add_noise(iq, COUNT, 0.02, 100 + i);
        update(&m, line, iq, COUNT);
        free(iq);
    }
    assert_near(fixture_value(&m.result, "samples"), (double)COUNT * LINES, 0);
    assert_near(fixture_value(&m.result, "mean"), 10 * log10(0.02), 0.01);
    for (int i = 0; i < 6; i++)
        assert_near(fixture_value(&m.result, names[i]), want_db[i], 0.005 + 3 * sigma_db[i]);
    for (unsigned row = 0; row < 20; row++) { /* to 9.5 dB: 1e-4 */
        const double gaussian = fixture_cell(&m.result, row, "gaussian");
        assert_near(gaussian, 100 * exp(-pow(10, row / 20.0)), 1e-9);
        assert_near(fixture_cell(&m.result, row, "probability") / gaussian, 1, 0.1);
    }
    fixture_measure_finish(&m);
    line_destroy(line);
}

static void a_carrier_is_always_at_its_mean(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(COUNT);
    struct fixture_measure m;
    fixture_add_tone(iq, COUNT, 0.3, 0.1234);
    fixture_measure_start(&m, "ccdf", "");
    update(&m, line, iq, COUNT);
    assert_near(fixture_value(&m.result, "peak"), 0, 0.001);
    assert_near(fixture_value(&m.result, "level_0_1"), 0, 0.02);
    assert_true(fixture_value(&m.result, "level_0_1") <= fixture_value(&m.result, "peak") + 1e-9);
    assert_near(fixture_cell(&m.result, 1, "probability"), 0, 0); /* 0.5 dB */
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

/* |x|^2 = 2 + 2 cos: at most 3.01 dB over the mean; over it by x with acos(x - 1) / pi. */
static void two_equal_tones_reach_3_01_db(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(COUNT);
    struct fixture_measure m;
    fixture_add_tone(iq, COUNT, 0.3, 0.1234);
    fixture_add_tone(iq, COUNT, 0.3, -0.0873);
    fixture_measure_start(&m, "ccdf", "");
    update(&m, line, iq, COUNT);
    assert_near(fixture_value(&m.result, "peak"), 3.0103, 0.001);
    for (unsigned row = 0; row < 6; row++) {
        const double ratio = pow(10, row / 20.0);
        assert_near(fixture_cell(&m.result, row, "probability"), 100 * acos(ratio - 1) / M_PI, 0.2);
    }
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

static void rare_levels_need_samples(void **state)
{
    (void)state;
    enum { COUNT = 9999 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(COUNT);
    struct fixture_measure m;
    fixture_add_noise(iq, COUNT, 1, 1);
    fixture_measure_start(&m, "ccdf", "");
    update(&m, line, iq, COUNT);
    assert_true(fixture_value(&m.result, "level_1") > 0);
    assert_true(isnan(fixture_value(&m.result, "level_0_1"))); /* ten of 10000 */
    update(&m, line, NULL, 0);
    fixture_refused(&m.result, "no longer there");
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

static void another_tuning_or_the_limit_starts_again(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(COUNT);
    struct fixture_measure m;
    fixture_add_noise(iq, COUNT, 1, 1);
    fixture_measure_start(&m, "ccdf", "most=2000 samples=1000");
    assert_int_equal(m.ops->iq_samples(m.state, line), 1000);
    static const double want[] = {1000, 2000, 1000, 1000, 1000, 2000};
    for (int i = 0; i < 6; i++) {
        line->tuning.center_hz += i == 3 ? 1 : 0;
        line->gain_db = i == 4 ? 20 : line->gain_db;
        update(&m, line, iq, COUNT);
        assert_near(fixture_value(&m.result, "samples"), want[i], 0);
    }
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

static void silence_and_levels_beyond_the_histogram_are_survived(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq iq[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    struct fixture_measure m;
    fixture_measure_start(&m, "ccdf", "");
    update(&m, line, iq, 4);
    fixture_refused(&m.result, "no power");
    iq[1].re = 1e15F;
    update(&m, line, iq, 4);
    assert_near(fixture_value(&m.result, "peak"), 10 * log10(8), 0.001);
    fixture_measure_finish(&m);
    line_destroy(line);
}

/* Lines of one frame with 50 % overlap share half of their samples. */
static void a_sample_that_two_lines_share_counts_once(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(2 * COUNT);
    struct fixture_measure m;
    fixture_add_noise(iq, 2 * COUNT, 1, 1);
    fixture_measure_start(&m, "ccdf", "samples=1000");
    static const uint64_t first[] = {0, 500, 600, 600, 2000, 100};
    static const double want[] = {1000, 1500, 1600, 1600, 2600, 3600}; /* the last goes back */
    double sum = 0;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        line->first_sample = first[i];
        update(&m, line, iq + first[i] % COUNT, COUNT);
        assert_near(fixture_value(&m.result, "samples"), want[i], 0);
        if (i == 2)
            sum = pow(10, fixture_value(&m.result, "mean") / 10) * 1600;
    }
    double power = 0;
    for (size_t i = 0; i < 1600; i++)
        power += (double)(iq[i].re * iq[i].re + iq[i].im * iq[i].im);
    assert_near(sum / power, 1, 1e-4); /* each of the 1600 once */
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

static void samples_that_are_not_read_are_noted(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fft_iq *iq = fixture_silence(COUNT);
    struct fixture_measure m;
    fixture_add_noise(iq, COUNT, 1, 1);
    fixture_measure_start(&m, "ccdf", "samples=1000");
    line->frames = 100; /* of 32 samples from one to the next */
    update(&m, line, iq, COUNT);
    assert_string_equal(m.result.note,
                        "1000 of 3200 samples of each line count: rare peaks may be in the others");
    line->frames = 31;
    update(&m, line, iq, COUNT);
    assert_string_equal(m.result.note, "");
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ccdf_of_complex_gaussian_noise_is_that_of_the_table),
        cmocka_unit_test(a_sample_that_two_lines_share_counts_once),
        cmocka_unit_test(samples_that_are_not_read_are_noted),
        cmocka_unit_test(a_carrier_is_always_at_its_mean),
        cmocka_unit_test(two_equal_tones_reach_3_01_db),
        cmocka_unit_test(rare_levels_need_samples),
        cmocka_unit_test(another_tuning_or_the_limit_starts_again),
        cmocka_unit_test(silence_and_levels_beyond_the_histogram_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
