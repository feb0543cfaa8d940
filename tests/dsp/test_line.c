/*
 * test_line.c - a line's pyramid against a plain search for the largest bin, and its figures.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/line/line.h"

#define N 64U

static struct line *random_line(unsigned detectors)
{
    struct line *line = line_create(&(struct line_shape){.n = N, .detectors = detectors});
    assert_non_null(line);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (uint32_t k = 0; line->detector[t] && k < N; k++)
            line->detector[t][k] = (float)rand() / (float)RAND_MAX;
    }
    line_build_pyramid(line);
    return line;
}

static float largest(const float *values, uint32_t count)
{
    float most = values[0];
    for (uint32_t i = 1; i < count; i++)
        most = fmaxf(most, values[i]);
    return most;
}

static void every_pyramid_level_holds_the_largest_bin_below(void **state)
{
    (void)state;
    struct line *line = random_line(FFT_DETECTOR_MEAN | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE);
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (unsigned level = 0; line->detector[t] && N >> level > 0; level++) {
            const float *peak = line_peak_level(line, t, level);
            for (uint32_t i = 0; i < N >> level; i++)
                assert_true(peak[i] ==
                            largest(line->detector[t] + ((size_t)i << level), 1U << level));
        }
    }
    assert_null(line->detector[1]);
    line_destroy(line);
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
    assert_near(line_spectra_per_second(line), 120000, 1e-6);
    assert_near(line_poi_seconds(line) * 1e6, 24.98, 0.01); /* the published example */
    line_destroy(line);
}

static void detector_names_round_trip(void **state)
{
    (void)state;
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        assert_int_equal(detector_index(detector_name(t)), (int)t);
    assert_int_equal(detector_index("average"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pyramid_level_holds_the_largest_bin_below),
        cmocka_unit_test(figures_follow_from_rate_size_and_hop),
        cmocka_unit_test(detector_names_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
