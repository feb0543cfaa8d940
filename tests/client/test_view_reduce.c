/*
 * test_view_reduce.c - display reduction against its definitions, and that peak and normal hide no
 * carrier.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/client/view.h"
#include "tests/support/server/lines.h"

enum { BINS = 4096, COLUMNS_MAX = 1500 };

static struct view_grid grid_of(uint32_t bins, uint32_t columns)
{
    return (struct view_grid){.bins = bins, .columns = columns, .low_hz = 0, .column_hz = 1};
}

static void check(enum reduction how, const float *bins, uint32_t count, const float *expected,
                  uint32_t columns)
{
    const struct view_grid grid = grid_of(count, columns);
    float power[16];
    view_reduce(how, &grid, bins, power);
    for (uint32_t i = 0; i < columns; i++)
        if (power[i] - expected[i] != 0)
            fail_msg("%s: column %u is %g, not %g", reduction_name(how), i, (double)power[i],
                     (double)expected[i]);
}

/* Columns of three bins. The second rises only, the fourth rises and falls. */
static void each_reduction_follows_its_definition(void **state)
{
    (void)state;
    static const float bins[] = {3, 1, 2, 2, 4, 6, 6, 5, 4, 1, 9, 2, 3, 3, 3};
    check(REDUCTION_PEAK, bins, 15, (float[]){3, 6, 6, 9, 3}, 5);
    check(REDUCTION_MIN, bins, 15, (float[]){1, 2, 4, 1, 3}, 5);
    check(REDUCTION_MEAN, bins, 15, (float[]){2, 4, 5, 4, 3}, 5);
    check(REDUCTION_SAMPLE, bins, 15, (float[]){1, 4, 5, 9, 3}, 5);
    /* The 9 that column 4 does not show is in column 5. */
    check(REDUCTION_NORMAL, bins, 15, (float[]){3, 6, 6, 1, 9}, 5);
}

static void the_last_column_of_normal_hides_nothing(void **state)
{
    (void)state;
    static const float bins[] = {1, 2, 1, 1, 8, 1};
    check(REDUCTION_NORMAL, bins, 6, (float[]){2, 8}, 2);
}

static uint32_t largest_of(const float *power, uint32_t columns)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < columns; i++)
        best = power[i] > power[best] ? i : best;
    return best;
}

/* A carrier of one bin over noise, at every place, in views of many widths. */
static void peak_and_normal_hide_no_carrier(void **state)
{
    (void)state;
    static float bins[BINS], power[COLUMNS_MAX];
    unsigned seed = 1;
    for (uint32_t k = 0; k < BINS; k++)
        bins[k] = -logf(((float)rand_r(&seed) + 1) / ((float)RAND_MAX + 2)) * 1e-6F;
    for (uint32_t k = 0; k < BINS; k += 3) {
        const float noise = bins[k];
        const struct view_grid grid = grid_of(BINS, 2 + k % (COLUMNS_MAX - 2));
        bins[k] = 1;
        const double place = (k + 0.5) * grid.columns / BINS;
        view_reduce(REDUCTION_PEAK, &grid, bins, power);
        assert_int_equal(largest_of(power, grid.columns), (uint32_t)place);
        assert_true(power[(uint32_t)place] >= 1);
        view_reduce(REDUCTION_NORMAL, &grid, bins, power);
        const uint32_t shown = largest_of(power, grid.columns);
        assert_true(power[shown] >= 1);
        assert_true(shown - (uint32_t)place <= 1); /* in its column or the one to the right */
        bins[k] = noise;
    }
}

/* Exponentially distributed noise: the smallest of M bins has the mean 1/M, all have the mean 1. */
static void normal_shows_the_width_of_noise(void **state)
{
    (void)state;
    enum { M = 16, COLUMNS = BINS / M };
    static float bins[BINS], power[COLUMNS];
    const struct view_grid grid = grid_of(BINS, COLUMNS);
    double odd = 0, even = 0, mean = 0;
    unsigned seed = 2;
    for (uint32_t k = 0; k < BINS; k++)
        bins[k] = -logf(((float)rand_r(&seed) + 1) / ((float)RAND_MAX + 2));
    view_reduce(REDUCTION_NORMAL, &grid, bins, power);
    for (uint32_t i = 0; i + 2 < COLUMNS; i += 2) {
        odd += (double)power[i + 2] / (COLUMNS / 2.0 - 1);
        even += (double)power[i + 1] / (COLUMNS / 2.0 - 1);
    }
    view_reduce(REDUCTION_MEAN, &grid, bins, power);
    for (uint32_t i = 0; i < COLUMNS; i++)
        mean += (double)power[i] / COLUMNS;
    double harmonic = 0; /* an odd column shows the largest of two columns' bins */
    for (int i = 1; i <= 2 * M; i++)
        harmonic += 1.0 / i;
    assert_near(10 * log10(odd / harmonic), 0, 0.5);
    assert_near(10 * log10(even * M), 0, 1.5);
    assert_near(10 * log10(mean), 0, 0.3);
}

static void a_picture_has_its_reduction_and_the_peak_of_all_bins(void **state)
{
    (void)state;
    struct line *line = line_create(&(struct line_shape){.n = 1024, .detectors = all_detectors});
    struct picture p;
    assert_non_null(line);
    assert_int_equal(picture_init(&p, 64), 0);
    describe_line(line, 0);
    fill_line(line, 1e-6F);
    add_tone(line, 700, 0.1F);
    line_reset_pyramids(line);
    const struct view v = {
        .low_hz = NAN, .high_hz = NAN, .columns = 64, .detector = 1, .reduction = REDUCTION_MIN};
    picture_render(&p, &v, line, 20);
    for (uint32_t i = 0; i < 64; i++)
        assert_near((double)p.power[i], 1e-6, 1e-9);
    assert_near(p.header.peak_db, -10, 1e-3);
    assert_near(p.header.peak_hz, 100e6 + (700 - 512) * 2.4e6 / 1024, 1e-6);
    picture_finish(&p);
    line_destroy(line);
}

/* A bin that is strong in one line each: no column of the maximum over both is weak. */
static void several_lines_are_combined_before_they_are_reduced(void **state)
{
    (void)state;
    struct line *line[2];
    struct picture sum, one;
    const struct view v = {
        .low_hz = NAN, .high_hz = NAN, .columns = 512, .detector = 1, .reduction = REDUCTION_MIN};
    assert_int_equal(picture_init(&sum, 512), 0);
    assert_int_equal(picture_init(&one, 512), 0);
    for (uint32_t i = 0; i < 2; i++) {
        line[i] = line_create(&(struct line_shape){.n = 1024, .detectors = all_detectors});
        assert_non_null(line[i]);
        describe_line(line[i], i);
        fill_line(line[i], 1e-6F);
        for (uint32_t k = i; k < 1024; k += 2)
            add_tone(line[i], k, 1);
        line_reset_pyramids(line[i]);
    }
    picture_render(&sum, &v, line[0], 20);
    assert_true(picture_needs_bins(&sum));
    assert_int_equal(picture_keep_bins(&sum, line[0]), 0);
    picture_render(&one, &v, line[1], 20);
    picture_fold(&sum, &one, line[1]);
    picture_update_columns(&sum);
    for (uint32_t i = 0; i < 512; i++)
        assert_near((double)sum.power[i], 1, 1e-6);
    for (int i = 0; i < 2; i++)
        line_destroy(line[i]);
    picture_finish(&sum);
    picture_finish(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reduction_follows_its_definition),
        cmocka_unit_test(the_last_column_of_normal_hides_nothing),
        cmocka_unit_test(peak_and_normal_hide_no_carrier),
        cmocka_unit_test(normal_shows_the_width_of_noise),
        cmocka_unit_test(a_picture_has_its_reduction_and_the_peak_of_all_bins),
        cmocka_unit_test(several_lines_are_combined_before_they_are_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
