/*
 * test_line.c - a line's pyramid against a plain search for the largest bin, and its figures.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/line/powers.h"
#include "daemon/line/resolution.h"

enum { N = 64 };

static struct line *random_line(uint32_t n, unsigned detectors)
{
    struct line *line = line_create(&(struct line_shape){.n = n, .detectors = detectors});
    assert_non_null(line);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (uint32_t k = 0; line->detector[t] && k < n; k++)
            line->detector[t][k] = (float)rand() / (float)RAND_MAX;
    }
    line_reset_pyramids(line);
    return line;
}

static float largest(const float *values, uint32_t count)
{
    float most = values[0];
    for (uint32_t i = 1; i < count; i++)
        most = fmaxf(most, values[i]);
    return most;
}

static void check_pyramid(uint32_t n)
{
    struct line *line = random_line(n, FFT_DETECTOR_MEAN | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (unsigned level = 0; line->detector[t] && n >> level > 0; level++) {
            const float *peak = powers_of_line(line, t).level[level];
            for (uint32_t i = 0; i < n >> level; i++)
                assert_true(peak[i] ==
                            largest(line->detector[t] + ((size_t)i << level), 1U << level));
        }
    }
    assert_null(line->detector[1]);
    line_destroy(line);
}

/* A block of the ring is used again: its readers see the largest bins of the new line. */
static void a_reset_pyramid_is_that_of_the_new_levels(void **state)
{
    (void)state;
    struct line *line = random_line(N, FFT_DETECTOR_MAX);
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t k = 0; k < N; k++)
            line->detector[1][k] = (float)(k == 7 * round ? 1 : 2 + round);
        line_reset_pyramids(line);
        assert_true(powers_of_line(line, 1).level[6][0] == (float)(2 + round));
        assert_true(powers_of_line(line, 1).level[1][0] == (float)(2 + round));
    }
    line_destroy(line);
}

static void read_top(void *arg)
{
    const struct line *line = arg;
    assert_true(powers_of_line(line, 0).level[6][0] == largest(line->detector[0], N));
    assert_true(powers_of_line(line, 3).level[6][0] == largest(line->detector[3], N));
}

static void several_threads_may_be_the_first_reader(void **state)
{
    (void)state;
    struct line *line = random_line(N, FFT_DETECTOR_MEAN | FFT_DETECTOR_SAMPLE);
    for (int round = 0; round < 50; round++) {
        uv_thread_t threads[3];
        line_reset_pyramids(line);
        for (int i = 0; i < 3; i++)
            uv_thread_create(&threads[i], read_top, line);
        for (int i = 0; i < 3; i++)
            uv_thread_join(&threads[i]);
    }
    line_destroy(line);
}

static void every_pyramid_level_holds_the_largest_bin_below(void **state)
{
    (void)state;
    check_pyramid(64);
    for (uint32_t n = 65; n < 140; n++) /* as many bins as a sweep has */
        check_pyramid(n);
}

static struct line_bins usable(uint32_t n, double percent)
{
    return line_usable_bins(&(struct line){.n = n, .usable_percent = percent});
}

static void the_usable_band_is_centred_and_has_whole_bins(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double percent;
        uint32_t first, last;
    } cases[] = {
        {4096, 100, 0, 4095},  {4096, 0, 0, 4095}, /* 0: as 100 */
        {4096, 80, 410, 3686},                     /* 2048 +- 1638.4 */
        {1000, 80, 100, 900}, /* 500 +- 400: an edge at a bin includes it, in spite of rounding */
        {64, 10, 29, 35},     /* 32 +- 3.2 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct line_bins bins = usable(cases[i].n, cases[i].percent);
        assert_int_equal(bins.first, cases[i].first);
        assert_int_equal(bins.last, cases[i].last);
    }
}

static double spectra_per_second(const struct line *line)
{
    return resolution_spectra_per_second(line->hop, line_sample_rate_hz(line));
}

static double poi_seconds(const struct line *line)
{
    return resolution_poi_seconds(line_fft_size(line), line->hop, line_sample_rate_hz(line));
}

static void figures_follow_from_rate_size_and_hop(void **state)
{
    (void)state;
    struct line *line = line_create(&(struct line_shape){.n = 1024, .detectors = FFT_DETECTOR_MAX});
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = 61.44e6};
    line->hop = 512;
    line->enbw_bins = 1.5;
    assert_near(line_bin_hz(line), 60000, 1e-6);
    assert_near(line_low_hz(line), 69.28e6, 1e-3);
    assert_near(line_rbw_hz(line), 90000, 1e-6);
    assert_near(spectra_per_second(line), 120000, 1e-6);
    assert_near(poi_seconds(line) * 1e6, 24.98, 0.01); /* the published example */
    line_destroy(line);
}

/* A sweep over 100 times the rate does not make frames shorter. */
static void frames_of_a_sweep_have_the_size_and_rate_of_the_radio(void **state)
{
    (void)state;
    struct line *line = line_create(&(struct line_shape){.n = 102400, .detectors = 1});
    line->tuning = (struct tuning){.center_hz = 4e9, .rate_hz = 6.144e9};
    line->hop = 512;
    line->enbw_bins = 1.5;
    line->dwells = 133;
    line->fft_size = 1024;
    line->sample_rate_hz = 61.44e6;
    assert_near(line_bin_hz(line), 60000, 1e-6);
    assert_near(line_rbw_hz(line), 90000, 1e-6);
    assert_near(spectra_per_second(line), 120000, 1e-6);
    assert_near(poi_seconds(line) * 1e6, 24.98, 0.01);
    line_destroy(line);
}

static void detector_names_round_trip(void **state)
{
    (void)state;
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        assert_int_equal(detector_index(detector_name(t)), (int)t);
    assert_int_equal(detector_index("average"), -1);
}

/* T_min = (n + hop - 1) / rate; the last two are Tektronix' SPECMON and option 200. */
static void spectra_per_second_and_t_min_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct {
        double rate_hz;
        uint32_t hop;
        double spectra_per_second, poi_us, tolerance_us;
    } table[] = {
        {61.44e6, 512, 120000, 24.98, 0.005}, {61.44e6, 256, 240000, 20.82, 0.005},
        {2.4e6, 512, 4687.5, 640, 0.5},       {61.44e6, 209, 293971.3, 20.05, 0.005},
        {150e6, 512, 292968.75, 10.24, 0.01},
    };
    struct line *line = line_create(&(struct line_shape){.n = 1024, .detectors = FFT_DETECTOR_MAX});
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        line->tuning.rate_hz = table[i].rate_hz;
        line->hop = table[i].hop;
        assert_near(spectra_per_second(line), table[i].spectra_per_second, 0.1);
        assert_near(poi_seconds(line) * 1e6, table[i].poi_us, table[i].tolerance_us);
    }
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pyramid_level_holds_the_largest_bin_below),
        cmocka_unit_test(a_reset_pyramid_is_that_of_the_new_levels),
        cmocka_unit_test(several_threads_may_be_the_first_reader),
        cmocka_unit_test(figures_follow_from_rate_size_and_hop),
        cmocka_unit_test(frames_of_a_sweep_have_the_size_and_rate_of_the_radio),
        cmocka_unit_test(the_usable_band_is_centred_and_has_whole_bins),
        cmocka_unit_test(spectra_per_second_and_t_min_are_those_of_the_table),
        cmocka_unit_test(detector_names_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
