/* test_view_sweep.c - views of a sweep, whose bins are no power of two: no peak is lost. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/client/view.h"
#include "tests/support/server/lines.h"

static const uint32_t sizes[] = {66, 1000, 1022, 1023, 1538};
static const uint32_t widths[] = {1, 2, 3, 7, 64};
enum { SIZES = 5, WIDTHS = 5, WIDEST = 64 };

static struct line *make_line(uint32_t n)
{
    struct line *line = line_create(&(struct line_shape){.n = n, .detectors = all_detectors});
    assert_non_null(line);
    describe_line(line, 1);
    fill_with_noise(line, 1);
    line_reset_pyramids(line);
    return line;
}

/* Bin k is in the column that contains its centre, (k + 1/2) / n of the way. */
static uint32_t column_of(uint32_t k, uint32_t n, uint32_t columns)
{
    return (uint32_t)((2 * (uint64_t)k + 1) * columns / (2 * (uint64_t)n));
}

static void each_column_shows_the_largest_of_its_bins(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES * WIDTHS; i++) {
        const uint32_t n = sizes[i % SIZES], columns = widths[i / SIZES];
        float power[WIDEST], largest[WIDEST] = {0};
        struct view_grid grid;
        struct line *line = make_line(n);
        view_make_grid(view_of(NAN, NAN, columns, 1), line, &grid);
        view_render(&grid, line, 1, power);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t c = column_of(k, n, columns);
            largest[c] = fmaxf(largest[c], line->detector[1][k]);
        }
        for (uint32_t c = 0; c < columns; c++)
            assert_true(power[c] == largest[c]);
        line_destroy(line);
    }
}

static void a_peak_in_any_bin_is_seen_and_found(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        struct line *line = make_line(sizes[i]);
        for (uint32_t k = 0; k < sizes[i]; k++) {
            const float old = line->detector[1][k];
            float power[7];
            struct view_grid grid;
            line->detector[1][k] = 1e6F;
            line_reset_pyramids(line);
            view_make_grid(view_of(NAN, NAN, 7, 1), line, &grid);
            view_render(&grid, line, 1, power);
            const uint32_t column = column_of(k, sizes[i], 7);
            assert_true(power[column] == 1e6F);
            assert_int_equal(view_column_peak(&grid, line, 1, column), k);
            line->detector[1][k] = old;
        }
        line_destroy(line);
    }
}

/* The page computes RBW, spectra per second and overlap from the header of a frame. */
static void the_header_of_a_sweep_has_the_ratios_of_its_frames(void **state)
{
    (void)state;
    struct picture picture;
    struct line *line = make_line(1538);
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = 1538 * 1000.0};
    line->dwells = 12;
    line->fft_size = 256;
    line->hop = 64;
    line->sample_rate_hz = 256 * 1000.0;
    assert_int_equal(picture_init(&picture, 7), 0);
    picture_render(&picture, view_of(NAN, NAN, 7, 1), line, 1);
    const struct wire_header *h = &picture.header;
    assert_near(h->rate_hz / h->n, 1000, 1e-9);
    assert_near(h->rate_hz / h->hop, 256e3 / 64, 10); /* a whole number of samples: 0.25 % */
    assert_near((double)h->hop / h->n, 0.25, 0.001);
    picture_finish(&picture);
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_column_shows_the_largest_of_its_bins),
        cmocka_unit_test(a_peak_in_any_bin_is_seen_and_found),
        cmocka_unit_test(the_header_of_a_sweep_has_the_ratios_of_its_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
