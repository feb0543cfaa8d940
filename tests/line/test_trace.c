/*
 * test_trace.c - the laws of trace functions on noise, restarts, and arithmetic between traces.
 *
 * Powers of complex Gaussian noise in one bin are exponential. The laws are those of Agilent's
 * Application Note 150 and of order statistics.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/measure/measure_fixture.h"

enum { N = 4096, SAMPLE = 3 };

static const struct fixture noise_fixture = {N, N, "rect", 100e6, 1e6};

/* Lines of one frame of noise with the power 1 each, in the sample detector. */
static struct line *noise_line(uint64_t seed)
{
    struct fft_iq *iq = fixture_silence(N);
    fixture_add_noise(iq, N, N, seed); /* 1 in each of N bins */
    struct line *line = fixture_line(&noise_fixture, iq, N);
    free(iq);
    return line;
}

static struct trace trace_of_noise(enum trace_function function, uint64_t count, unsigned lines)
{
    struct trace t = {.function = function, .count = count};
    for (unsigned i = 0; i < lines; i++) {
        struct line *line = noise_line(1000 + i);
        assert_int_equal(trace_update(&t, line, SAMPLE), 0);
        line_destroy(line);
    }
    assert_int_equal(t.n, N);
    return t;
}

static double mean_db(const struct trace *t)
{
    double sum = 0;
    for (uint32_t k = 0; k < t->n; k++)
        sum += (double)t->power[k];
    return 10 * log10(sum / t->n);
}

/* The law of a trace of 100 lines: the level of the mean power over all bins, +- 4 sigma. */
static void expect_law(enum trace_function function, double want_db, double tolerance_db)
{
    struct trace t = trace_of_noise(function, 0, 100);
    assert_int_equal(t.lines, 100);
    assert_near(mean_db(&t), want_db, tolerance_db);
    trace_finish(&t);
}

static void power_average_of_noise_has_no_bias(void **state)
{
    (void)state;
    expect_law(TRACE_AVERAGE, 0, 0.03);
}

/* The mean of the levels, not of the powers: 5.57 dB of a line is 0.557 dB after 100. */
static void log_average_of_noise_reads_2_507_db_low(void **state)
{
    (void)state;
    struct trace t = trace_of_noise(TRACE_LOG_AVERAGE, 0, 100);
    double sum = 0;
    for (uint32_t k = 0; k < N; k++)
        sum += 10 * log10((double)t.power[k]);
    assert_near(sum / N, -2.507, 0.04);
    trace_finish(&t);
}

static void voltage_average_of_noise_reads_1_049_db_low(void **state)
{
    (void)state;
    struct trace t = trace_of_noise(TRACE_VOLTAGE_AVERAGE, 0, 100);
    double sum = 0;
    for (uint32_t k = 0; k < N; k++)
        sum += sqrt((double)t.power[k]);
    assert_near(20 * log10(sum / N), -1.049, 0.03);
    trace_finish(&t);
}

static void max_hold_of_noise_rises_by_the_harmonic_number(void **state)
{
    (void)state;
    static const double want_db[] = {4.67, 7.15};
    static const unsigned lines[] = {10, 100};
    for (int i = 0; i < 2; i++) {
        struct trace t = trace_of_noise(TRACE_MAX_HOLD, 0, lines[i]);
        assert_near(mean_db(&t), want_db[i], 0.1);
        trace_finish(&t);
    }
}

static void min_hold_of_noise_falls_by_the_number_of_lines(void **state)
{
    (void)state;
    expect_law(TRACE_MIN_HOLD, -20, 0.3);
}

/* Variance of the bins over the square of their mean: 1 for one spectrum of noise. */
static double relative_variance(const struct trace *t)
{
    double sum = 0, squares = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        sum += (double)t->power[k];
        squares += (double)t->power[k] * (double)t->power[k];
    }
    const double mean = sum / t->n;
    return squares / t->n / (mean * mean) - 1;
}

/*
 * A line is one frame of 4096 us, whose mean has 1 / (2 T) = 122 Hz. Filtered to B, white noise has
 * the share B / 122 Hz of its variance. 4096 bins know a variance to some 3 %.
 */
static void a_video_filter_leaves_its_share_of_the_variance_of_noise(void **state)
{
    (void)state;
    static const double line_hz = 1 / (2 * 4096e-6);
    struct trace traces[] = {
        {.function = TRACE_EXPONENTIAL, .vbw_hz = 100}, {.function = TRACE_AVERAGE, .vbw_hz = 100},
        {.function = TRACE_EXPONENTIAL, .vbw_hz = 12},  {.function = TRACE_AVERAGE, .vbw_hz = 12},
        {.function = TRACE_EXPONENTIAL, .vbw_hz = 4},   {.function = TRACE_AVERAGE, .vbw_hz = 4},
    };
    enum { TRACES = sizeof traces / sizeof traces[0] };
    for (unsigned k = 0; k < 80; k++) {
        struct line *line = noise_line(5000 + k);
        for (int i = 0; i < TRACES; i++)
            assert_int_equal(trace_update(&traces[i], line, SAMPLE), 0);
        line_destroy(line);
    }
    for (int i = 0; i < TRACES; i++) {
        struct trace *t = &traces[i];
        assert_near(trace_vbw_hz(t) / t->vbw_hz, 1, 0.01);
        assert_near(relative_variance(t) * line_hz / t->vbw_hz, 1, 0.12);
        trace_finish(t);
    }
}

static void a_line_narrower_than_the_video_filter_stays_as_it_is(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_EXPONENTIAL, .vbw_hz = 1000};
    for (unsigned k = 0; k < 3; k++) {
        struct line *line = noise_line(6000 + k);
        assert_int_equal(trace_update(&t, line, SAMPLE), 0);
        if (k == 2)
            assert_memory_equal(t.power, line->detector[SAMPLE], N * sizeof(float));
        line_destroy(line);
    }
    assert_near(trace_vbw_hz(&t), 1 / (2 * 4096e-6), 1e-6);
    assert_near(trace_final_vbw_hz(1000, 4096e-6), 1 / (2 * 4096e-6), 1e-6);
    assert_near(trace_final_vbw_hz(10, 4096e-6), 10, 0);
    trace_finish(&t);
}

/* The mean of ten lines over T each is a mean over 10 T. */
static void an_average_of_lines_has_the_bandwidth_of_their_whole_time(void **state)
{
    (void)state;
    struct trace t = trace_of_noise(TRACE_AVERAGE, 0, 10);
    assert_near(trace_vbw_hz(&t), 1 / (2 * 10 * 4096e-6), 1e-6);
    trace_finish(&t);
    t = trace_of_noise(TRACE_MAX_HOLD, 0, 10);
    assert_true(isnan(trace_vbw_hz(&t)));
    trace_finish(&t);
}

/* Made-up lines of one level. */
static struct line *flat(float power)
{
    static const struct fixture small = {64, 32, "hann", 100e6, 1e6};
    return fixture_flat_line(&small, power);
}

static void add_flat(struct trace *t, float power)
{
    struct line *line = flat(power);
    assert_int_equal(trace_update(t, line, 0), 0);
    line_destroy(line);
}

static void a_trace_that_borrows_has_the_lines_own_bins(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_CLEAR_WRITE, .borrows = true};
    struct line *first = noise_line(1), *second = noise_line(2);
    assert_int_equal(trace_update(&t, first, SAMPLE), 0);
    assert_true(t.power == first->detector[SAMPLE]);
    assert_int_equal(trace_update(&t, second, SAMPLE), 0);
    assert_true(t.power == second->detector[SAMPLE]);
    t.function = TRACE_MAX_HOLD; /* which needs memory of its own */
    assert_int_equal(trace_update(&t, first, SAMPLE), 0);
    assert_int_equal(trace_update(&t, second, SAMPLE), 0);
    for (uint32_t k = 0; k < N; k++)
        assert_true(t.power[k] == fmaxf(first->detector[SAMPLE][k], second->detector[SAMPLE][k]));
    trace_finish(&t);
    line_destroy(first);
    line_destroy(second);
}

static void a_trace_takes_the_memory_that_it_states(void **state)
{
    (void)state;
    struct line *line = noise_line(1);
    for (int i = 0; i < 2 * TRACE_FUNCTIONS; i++) {
        struct trace t = {.function = (enum trace_function)(i / 2), .borrows = i % 2 != 0};
        assert_int_equal(trace_update(&t, line, SAMPLE), 0);
        const size_t taken = (t.memory ? sizeof *t.memory : 0) + (t.mean ? sizeof *t.mean : 0);
        assert_int_equal(trace_bin_bytes(t.function, t.borrows), taken);
        trace_finish(&t);
    }
    line_destroy(line);
}

static void clear_write_is_the_newest_line(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_CLEAR_WRITE};
    add_flat(&t, 4);
    add_flat(&t, 1);
    assert_near(t.power[63], 1, 0);
    assert_int_equal(t.lines, 1);
    trace_finish(&t);
}

/* 3, 1, 1: mean of two is 2; then each line has half of the weight: 1.5. */
static void an_average_gives_lines_beyond_its_count_equal_weight(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_AVERAGE, .count = 2};
    add_flat(&t, 3);
    assert_near(t.power[0], 3, 0);
    add_flat(&t, 1);
    assert_near(t.power[0], 2, 1e-6);
    add_flat(&t, 1);
    assert_near(t.power[0], 1.5, 1e-6);
    trace_finish(&t);
}

/* From 1 to 0 the exponential trace of 4 falls by 3/4 with each line. */
static void an_exponential_average_decays_by_its_weight(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_EXPONENTIAL, .count = 4};
    add_flat(&t, 1);
    for (int i = 1; i <= 8; i++) {
        add_flat(&t, 0);
        assert_near(t.power[9], pow(0.75, i), 1e-6);
    }
    trace_finish(&t);
}

static void an_empty_bin_does_not_ruin_a_log_average(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_LOG_AVERAGE};
    add_flat(&t, 0);
    add_flat(&t, 1);
    assert_near(10 * log10((double)t.power[0]), -150, 0.01);
    trace_finish(&t);
}

/* Each change of the second line restarts the max hold of the first one. */
static void a_trace_restarts_when_its_bins_change_their_meaning(void **state)
{
    (void)state;
    for (int change = 0; change < 9; change++) {
        struct trace t = {.function = TRACE_MAX_HOLD};
        add_flat(&t, 8);
        struct line *line = flat(2);
        line->tuning.center_hz += change == 1 ? 1 : 0;
        line->tuning.rate_hz += change == 2 ? 1 : 0;
        line->hop += change == 3 ? 1 : 0;
        line->enbw_bins += change == 4 ? 1 : 0;
        if (change == 5)
            line->window[0] = 'x';
        line->gain_db = change == 6 ? 10 : line->gain_db;
        if (change == 7)
            t.function = TRACE_LOG_AVERAGE;
        assert_int_equal(trace_update(&t, line, change == 8 ? 1 : 0), 0);
        assert_int_equal(t.lines, change == 0 ? 2 : 1);
        assert_near(t.power[5], change == 0 ? 8 : 2, 1e-6);
        line_destroy(line);
        trace_finish(&t);
    }
}

static void a_trace_follows_the_number_of_bins(void **state)
{
    (void)state;
    static const struct fixture large = {256, 32, "hann", 100e6, 1e6};
    struct trace t = {.function = TRACE_AVERAGE};
    add_flat(&t, 8);
    struct line *line = fixture_flat_line(&large, 2);
    assert_int_equal(trace_update(&t, line, 0), 0);
    assert_int_equal(t.n, 256);
    assert_int_equal(t.lines, 1);
    assert_near(t.power[255], 2, 0);
    line_destroy(line);
    trace_finish(&t);
}

static void a_missing_detector_leaves_the_trace_as_it_was(void **state)
{
    (void)state;
    struct trace t = {.function = TRACE_MAX_HOLD};
    struct line *line = line_create(&(struct line_shape){.n = 64, .detectors = FFT_DETECTOR_MEAN});
    add_flat(&t, 8);
    assert_int_equal(trace_update(&t, line, 1), -ENOENT);
    assert_int_equal(trace_update(&t, line, 9), -ENOENT);
    assert_int_equal(t.lines, 1);
    line_destroy(line);
    trace_finish(&t);
}

static void the_names_are_those_of_the_option(void **state)
{
    (void)state;
    char names[200] = "";
    for (int i = 0; i < TRACE_FUNCTIONS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 trace_function_name((enum trace_function)i));
    assert_string_equal(names, TRACE_FUNCTION_NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_average_of_noise_has_no_bias),
        cmocka_unit_test(log_average_of_noise_reads_2_507_db_low),
        cmocka_unit_test(voltage_average_of_noise_reads_1_049_db_low),
        cmocka_unit_test(max_hold_of_noise_rises_by_the_harmonic_number),
        cmocka_unit_test(min_hold_of_noise_falls_by_the_number_of_lines),
        cmocka_unit_test(a_video_filter_leaves_its_share_of_the_variance_of_noise),
        cmocka_unit_test(a_line_narrower_than_the_video_filter_stays_as_it_is),
        cmocka_unit_test(an_average_of_lines_has_the_bandwidth_of_their_whole_time),
        cmocka_unit_test(clear_write_is_the_newest_line),
        cmocka_unit_test(a_trace_that_borrows_has_the_lines_own_bins),
        cmocka_unit_test(a_trace_takes_the_memory_that_it_states),
        cmocka_unit_test(an_average_gives_lines_beyond_its_count_equal_weight),
        cmocka_unit_test(an_exponential_average_decays_by_its_weight),
        cmocka_unit_test(an_empty_bin_does_not_ruin_a_log_average),
        cmocka_unit_test(a_trace_restarts_when_its_bins_change_their_meaning),
        cmocka_unit_test(a_trace_follows_the_number_of_bins),
        cmocka_unit_test(a_missing_detector_leaves_the_trace_as_it_was),
        cmocka_unit_test(the_names_are_those_of_the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
