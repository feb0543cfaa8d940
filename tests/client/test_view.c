/*
 * test_view.c - compares views with a loop over all bins: each bin is in the column that contains
 * its centre, each column shows its largest bin, and folds follow their definitions.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/client/view.h"
#include "tests/support/server/lines.h"

static struct line *make_line(uint32_t n, unsigned seed)
{
    struct line *line = line_create(&(struct line_shape){.n = n, .detectors = all_detectors});
    assert_non_null(line);
    describe_line(line, seed);
    fill_with_noise(line, seed);
    line_reset_pyramids(line);
    return line;
}

static double bin_centre(const struct line *line, uint32_t k)
{
    return line->tuning.center_hz + ((double)k - 0.5 * line->n) * line->tuning.rate_hz / line->n;
}

/* Checks each bin of the view by its centre frequency, independent of how columns are computed. */
static void check_columns(const struct line *line, const struct view_grid *p, unsigned detector,
                          const float *power)
{
    const double edge = 1e-6 * p->column_hz; /* allows for the rounding of absolute frequencies */
    for (uint32_t i = 0; i < p->columns; i++) {
        const double left = p->low_hz + i * p->column_hz;
        float most = -1;
        for (uint32_t k = 0; k < line->n; k++) {
            const double hz = bin_centre(line, k);
            if (hz >= left - edge && hz < left + p->column_hz - edge)
                most = fmaxf(most, line->detector[detector][k]);
        }
        assert_true(power[i] == most);
    }
}

static void check_view(const struct line *line, const struct view *v)
{
    struct view_grid p;
    float *power = malloc(v->columns * sizeof *power);
    view_make_grid(v, line, &p);
    assert_true(p.columns >= 1 && p.columns <= v->columns && p.columns <= p.bins);
    view_render(&p, line, v->detector, power);
    check_columns(line, &p, v->detector, power);
    free(power);
}

static void every_column_shows_the_largest_of_its_bins(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 1);
    static const uint32_t columns[] = {1, 2, 3, 7, 100, 333, 511, 512, 1000, 1023, 1024, 1200};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        for (unsigned t = 0; t < FFT_DETECTORS; t++)
            check_view(line, view_of(NAN, NAN, columns[i], t));
    }
    line_destroy(line);
}

static void parts_of_the_span_have_correct_columns(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 2);
    unsigned seed = 3;
    for (int i = 0; i < 300; i++) {
        const double a = 98.8e6 + 2.4e6 * rand_r(&seed) / RAND_MAX;
        const double b = a + 2.4e6 * rand_r(&seed) / RAND_MAX;
        check_view(line, view_of(a, b, 1 + (uint32_t)rand_r(&seed) % 400, 1));
    }
    line_destroy(line);
}

static void the_whole_span_begins_half_a_bin_below_bin_0(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 4);
    struct view_grid p;
    const double bin_hz = 2.4e6 / 1024;
    view_make_grid(view_of(NAN, NAN, 256, 0), line, &p);
    assert_near(p.low_hz, 98.8e6 - bin_hz / 2, 1e-6);
    assert_near(p.column_hz, 4 * bin_hz, 1e-9);
    assert_int_equal(p.columns, 256);
    /* The centre is bin 512, the first of the four bins of column 128. */
    assert_near(p.low_hz + 128 * p.column_hz + bin_hz / 2, 100e6, 1e-6);
    line_destroy(line);
}

static void a_view_is_clipped_to_the_span(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 5);
    struct view_grid p;
    view_make_grid(view_of(1, 1e12, 512, 0), line, &p);
    assert_int_equal(p.first, 0);
    assert_int_equal(p.bins, 1024);
    view_make_grid(view_of(1, 100e6, 512, 0), line, &p);
    assert_int_equal(p.bins, 513); /* up to and including the bin of 100 MHz */
    line_destroy(line);
}

static void a_view_outside_of_the_span_or_reversed_shows_all_of_it(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 6);
    static const double edges[][2] = {
        {1, 2}, {500e6, 600e6}, {101e6, 99e6}, {-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        struct view_grid p;
        view_make_grid(view_of(edges[i][0], edges[i][1], 512, 0), line, &p);
        assert_int_equal(p.first, 0);
        assert_int_equal(p.bins, 1024);
    }
    line_destroy(line);
}

static void few_bins_become_columns_of_one_bin(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 7);
    struct view_grid p;
    const double bin_hz = 2.4e6 / 1024;
    /* From the left edge of bin 512 to the right edge of bin 515. */
    view_make_grid(view_of(100e6 - bin_hz / 2, 100e6 + 3.5 * bin_hz, 1200, 0), line, &p);
    assert_int_equal(p.first, 512);
    assert_int_equal(p.columns, 4);
    assert_near(p.low_hz, 100e6 - bin_hz / 2, 1e-6);
    assert_near(p.column_hz, bin_hz, 1e-9);
    /* A view narrower than a bin shows that bin. */
    view_make_grid(view_of(100e6 + 1, 100e6 + 2, 1200, 0), line, &p);
    assert_int_equal(p.first, 512);
    assert_int_equal(p.columns, 1);
    line_destroy(line);
}

static void a_single_peak_is_visible_at_any_width_and_position(void **state)
{
    (void)state;
    struct line *line = line_create(&(struct line_shape){.n = 4096, .detectors = all_detectors});
    struct picture picture;
    assert_int_equal(picture_init(&picture, 1024), 0);
    for (uint32_t bin = 0; bin < 4096; bin += 17) {
        describe_line(line, bin);
        fill_line(line, 1e-10F);
        add_tone(line, bin, 0.5F);
        line_reset_pyramids(line);
        const struct view v = {.low_hz = NAN,
                               .high_hz = NAN,
                               .columns = 1 + bin % 1024,
                               .detector = bin % FFT_DETECTORS};
        picture_render(&picture, &v, line, 20);
        assert_near(picture.header.peak_db, -3.0103, 1e-3);
        assert_near(picture.header.peak_hz, bin_centre(line, bin), 1e-6);
    }
    picture_finish(&picture);
    line_destroy(line);
}

static void the_largest_fft_renders_and_finds_its_peak(void **state)
{
    (void)state;
    struct line *line =
        line_create(&(struct line_shape){.n = 4194304, .detectors = FFT_DETECTOR_MAX});
    struct picture picture;
    assert_int_equal(picture_init(&picture, WIRE_COLUMNS_MAX), 0);
    describe_line(line, 0);
    fill_line(line, 1e-12F);
    add_tone(line, 3000001, 1);
    line_reset_pyramids(line);
    picture_render(&picture, view_of(NAN, NAN, 1900, 1), line, 20);
    assert_int_equal(picture.header.columns, 1900);
    assert_near(picture.header.peak_hz, bin_centre(line, 3000001), 1e-6);
    const double column =
        (picture.header.peak_hz - picture.header.low_hz) / picture.header.column_hz;
    assert_true(picture.power[(uint32_t)column] == 1);
    picture_finish(&picture);
    line_destroy(line);
}

static void the_header_has_the_values_of_the_line(void **state)
{
    (void)state;
    struct line *line = make_line(1024, 9);
    struct picture p;
    assert_int_equal(picture_init(&p, 64), 0);
    line->simulated = true;
    line->gap_before = true;
    line->ledger.lost[LOSS_OVERFLOW] = 77;
    snprintf(line->window, sizeof line->window, "a-window-of-a-long-name");
    picture_render(&p, view_of(NAN, NAN, 64, 2), line, 19.5);
    const struct wire_header *h = &p.header;
    assert_int_equal(h->flags, WIRE_SIMULATED | WIRE_GAP);
    line->simulated = line->gap_before = false;
    line->rate_assumed = true;
    picture_render(&p, view_of(NAN, NAN, 64, 2), line, 19.5);
    assert_int_equal(h->flags, WIRE_RATE_ASSUMED);
    assert_int_equal(h->detector, 2);
    assert_int_equal(h->line, 9);
    assert_int_equal(h->merged, 1);
    assert_int_equal(h->columns, 64);
    assert_int_equal(h->frames, 10);
    assert_int_equal(h->ledger.lost[LOSS_OVERFLOW], 77);
    assert_near(h->line_rate_hz, 19.5, 0);
    assert_string_equal(h->window, "a-window-of-a-l");
    picture_finish(&p);
    line_destroy(line);
}

/* ---- folding ---------------------------------------------------------------------------- */

enum { FOLDED = 5, COLUMNS = 100 };

struct folding {
    struct line *line[FOLDED];
    struct picture sum, one;
};

static void fold_lines(struct folding *f, unsigned detector)
{
    const struct view v = {.low_hz = NAN, .high_hz = NAN, .columns = COLUMNS, .detector = detector};
    assert_int_equal(picture_init(&f->sum, COLUMNS), 0);
    assert_int_equal(picture_init(&f->one, COLUMNS), 0);
    for (unsigned i = 0; i < FOLDED; i++) {
        f->line[i] = make_line(1024, 20 + i);
        f->line[i]->frames = 3 + 7 * i;
        picture_render(i ? &f->one : &f->sum, &v, f->line[i], 20);
        if (i > 0) {
            assert_true(picture_fits(&f->sum, &f->one));
            picture_fold(&f->sum, &f->one, f->line[i]);
        }
    }
}

static void finish_fold(struct folding *f)
{
    picture_finish(&f->sum);
    picture_finish(&f->one);
    for (int i = 0; i < FOLDED; i++)
        line_destroy(f->line[i]);
}

/* The value of column c of line i, by definition. */
static double column_of(const struct folding *f, int i, uint32_t c, unsigned detector)
{
    float power[COLUMNS];
    view_render(&f->sum.grid, f->line[i], detector, power);
    return power[c];
}

static double expected(const struct folding *f, uint32_t c, unsigned detector)
{
    double sum = 0;
    double frames = 0;
    double most = 0;
    double least = INFINITY;
    for (int i = 0; i < FOLDED; i++) {
        const double power = column_of(f, i, c, detector);
        sum += power * (double)f->line[i]->frames;
        frames += (double)f->line[i]->frames;
        most = fmax(most, power);
        least = fmin(least, power);
    }
    const double of[FFT_DETECTORS] = {sum / frames, most, least,
                                      column_of(f, FOLDED - 1, c, detector)};
    return of[detector];
}

static void check_fold(unsigned detector)
{
    struct folding f;
    fold_lines(&f, detector);
    float most = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        const double want = expected(&f, c, detector);
        assert_near(f.sum.power[c], want, 1e-5 * want);
        most = fmaxf(most, f.sum.power[c]);
    }
    const struct wire_header *h = &f.sum.header;
    assert_near(h->peak_db, 10 * log10((double)most), 1e-3);
    const double column = (h->peak_hz - h->low_hz) / h->column_hz;
    assert_true(f.sum.power[(uint32_t)column] == most);
    finish_fold(&f);
}

static void a_mean_folds_weighted_by_frames(void **state)
{
    (void)state;
    check_fold(0);
}

static void a_max_folds_to_the_largest(void **state)
{
    (void)state;
    check_fold(1);
}

static void a_min_folds_to_the_smallest(void **state)
{
    (void)state;
    check_fold(2);
}

static void a_sample_is_the_newest_line(void **state)
{
    (void)state;
    check_fold(3);
}

static void a_fold_counts_its_lines_samples_and_frames(void **state)
{
    (void)state;
    struct folding f;
    fold_lines(&f, 1);
    const struct wire_header *h = &f.sum.header;
    assert_int_equal(h->merged, FOLDED);
    assert_int_equal(h->line, 24);
    assert_int_equal(h->first_sample, f.line[0]->first_sample);
    assert_int_equal(h->frames, 3 + 10 + 17 + 24 + 31);
    assert_int_equal(h->samples,
                     f.line[4]->first_sample + f.line[4]->sample_count - f.line[0]->first_sample);
    assert_int_equal(h->time_ns, f.line[0]->time_ns);
    assert_int_equal(h->ledger.produced, f.line[4]->ledger.produced);
    finish_fold(&f);
}

static void a_gap_before_any_folded_line_is_flagged(void **state)
{
    (void)state;
    struct folding f;
    fold_lines(&f, 1);
    assert_int_equal(f.sum.header.flags & WIRE_GAP, 0);
    f.line[0]->gap_before = true;
    picture_render(&f.one, view_of(NAN, NAN, COLUMNS, 1), f.line[0], 20);
    picture_fold(&f.sum, &f.one, f.line[0]);
    assert_int_equal(f.sum.header.flags & WIRE_GAP, WIRE_GAP);
    finish_fold(&f);
}

static void lines_of_different_radio_settings_do_not_fit(void **state)
{
    (void)state;
    const struct view v = {.low_hz = NAN, .high_hz = NAN, .columns = COLUMNS, .detector = 0};
    struct line *line = make_line(1024, 1);
    struct picture a;
    struct picture b;
    assert_int_equal(picture_init(&a, COLUMNS), 0);
    assert_int_equal(picture_init(&b, COLUMNS), 0);
    line->gain_db = NAN;
    picture_render(&a, &v, line, 20);
    picture_copy(&b, &a);
    assert_true(picture_fits(&a, &b));
    line->tuning.center_hz += 1;
    picture_render(&b, &v, line, 20);
    assert_false(picture_fits(&a, &b));
    line->tuning.center_hz -= 1;
    line->epoch++;
    picture_render(&b, &v, line, 20);
    assert_false(picture_fits(&a, &b));
    line->epoch--;
    line->gain_db = 10;
    picture_render(&b, &v, line, 20);
    assert_false(picture_fits(&a, &b));
    picture_finish(&a);
    picture_finish(&b);
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_shows_the_largest_of_its_bins),
        cmocka_unit_test(parts_of_the_span_have_correct_columns),
        cmocka_unit_test(the_whole_span_begins_half_a_bin_below_bin_0),
        cmocka_unit_test(a_view_is_clipped_to_the_span),
        cmocka_unit_test(a_view_outside_of_the_span_or_reversed_shows_all_of_it),
        cmocka_unit_test(few_bins_become_columns_of_one_bin),
        cmocka_unit_test(a_single_peak_is_visible_at_any_width_and_position),
        cmocka_unit_test(the_largest_fft_renders_and_finds_its_peak),
        cmocka_unit_test(the_header_has_the_values_of_the_line),
        cmocka_unit_test(a_mean_folds_weighted_by_frames),
        cmocka_unit_test(a_max_folds_to_the_largest),
        cmocka_unit_test(a_min_folds_to_the_smallest),
        cmocka_unit_test(a_sample_is_the_newest_line),
        cmocka_unit_test(a_fold_counts_its_lines_samples_and_frames),
        cmocka_unit_test(a_gap_before_any_folded_line_is_flagged),
        cmocka_unit_test(lines_of_different_radio_settings_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
