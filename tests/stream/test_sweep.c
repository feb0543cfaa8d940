/* test_sweep.c - the plan of a sweep: every bin once, one grid, no DC, true figures. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/stream/sweep.h"

static struct settings sweep_of(double low_hz, double high_hz, double dwell_s)
{
    return (struct settings){.overlap = 50,
                             .sweep = {.span = {low_hz, high_hz}, .dwell_s = dwell_s}};
}

static struct sweep_plan plan_of(double low_hz, double high_hz, uint32_t n, double rate_hz,
                                 double usable)
{
    struct sweep_plan p;
    struct reason why = {0};
    const struct settings w = sweep_of(low_hz, high_hz, 0.01);
    if (sweep_plan_init(&p, &w, &(struct sweep_radio){n, rate_hz, usable}, &why) < 0)
        fail_msg("%s", why.sentence);
    return p;
}

static void check_piece(const struct sweep_plan *p, uint32_t dwell, struct sweep_piece piece,
                        double usable, uint8_t *covered)
{
    const double center = sweep_center_hz(p, dwell);
    for (uint32_t k = piece.first; k < piece.first + piece.bins; k++) {
        const double bins = (p->low_hz + k * p->bin_hz - center) / p->bin_hz;
        assert_true(k < p->bins);
        /* one grid: a bin of the span is a bin of the dwell's FFT */
        assert_true(fabs(bins - round(bins)) < 1e-4);
        assert_true(fabs(bins) <= usable / 2 * p->n + 1e-4);
        assert_true(fabs(bins) > 4.5); /* the main lobe of Blackman-Harris around DC is 4 bins */
        covered[k]++;
    }
}

static void check_cover(const struct sweep_plan *p, double usable)
{
    uint8_t *covered = calloc(p->bins, 1);
    assert_non_null(covered);
    for (uint32_t dwell = 0; dwell < p->dwells; dwell++) {
        struct sweep_piece piece[2];
        const unsigned count = sweep_pieces(p, dwell, piece);
        assert_in_range(count, 1, 2); /* no dwell is for nothing */
        for (unsigned i = 0; i < count; i++)
            check_piece(p, dwell, piece[i], usable, covered);
    }
    for (uint32_t k = 0; k < p->bins; k++)
        assert_int_equal(covered[k], 1);
    free(covered);
}

/* Spans of every length modulo a pair of dwells, sizes, rates, and shares of the rate. */
static void
every_bin_of_the_span_comes_from_exactly_one_dwell_and_never_from_its_centre(void **state)
{
    (void)state;
    static const double rates[] = {1e6, 2.4e6, 20e6}, shares[] = {0.5, 0.8, 1};
    static const uint32_t sizes[] = {64, 256, 4096};
    for (int i = 0; i < 27; i++) {
        const double rate = rates[i % 3], share = shares[i / 3 % 3];
        for (int step = 0; step < 50; step++) {
            const double width = 1.01 * rate * pow(1.037, step);
            const struct sweep_plan p = plan_of(88.5e6, 88.5e6 + width, sizes[i / 9], rate, share);
            assert_int_equal(p.bins % 2, 0);
            assert_true(p.bins * p.bin_hz >= width - 1);
            assert_true(p.bins * p.bin_hz < width + 2 * p.bin_hz + 1);
            check_cover(&p, share);
        }
    }
}

static void the_span_of_hackrf_sweep_has_whole_rows_of_5_mhz(void **state)
{
    (void)state;
    const struct sweep_plan p = plan_of(100e6, 1e9, 4096, 20e6, SWEEP_USABLE);
    assert_int_equal(p.bins, 184320); /* 180 * 1024 */
    assert_true(p.low_hz == 100e6);
    assert_true(sweep_span_center_hz(&p) == 550e6);
    assert_true(sweep_span_hz(&p) == 900e6);
    /* Two dwells give three quarters of 2 * 16 MHz, less a hole of 72 bins: 23.64 MHz. */
    assert_int_equal(p.dwells, 77); /* 38 pairs, and half a dwell for the last 1.6 MHz */
}

static void a_dwell_is_as_many_whole_frames_as_fit(void **state)
{
    (void)state;
    struct sweep_plan p;
    struct settings w = sweep_of(100e6, 110e6, 0.010);
    assert_int_equal(sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 1.024e6, 0.8}, NULL), 0);
    assert_int_equal(p.frames, (10240 - 1024) / 512 + 1);
    assert_int_equal(p.dwell_samples, 10240);
    w.sweep.dwell_s = 0.0101; /* not one frame more */
    sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 1.024e6, 0.8}, NULL);
    assert_int_equal(p.dwell_samples, 10240);
    w.sweep.dwell_s = 1e-6; /* at least one */
    sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 1.024e6, 0.8}, NULL);
    assert_int_equal(p.frames, 1);
    assert_int_equal(p.dwell_samples, 1024);
    w.average = 7;
    sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 1.024e6, 0.8}, NULL);
    assert_int_equal(p.frames, 7);
    assert_int_equal(p.dwell_samples, 1024 + 6 * 512);
}

static void a_centre_that_the_radio_rounded_still_belongs_to_its_dwell(void **state)
{
    (void)state;
    const struct sweep_plan p = plan_of(24e6, 1.7e9, 1024, 2.4e6, SWEEP_USABLE);
    for (uint32_t dwell = 0; dwell < p.dwells; dwell++) {
        const double center = sweep_center_hz(&p, dwell);
        assert_int_equal(sweep_find_dwell(&p, center), dwell);
        assert_int_equal(sweep_find_dwell(&p, center + 7000), dwell);
        assert_int_equal(sweep_find_dwell(&p, center - 7000), dwell);
        assert_int_equal(sweep_find_dwell(&p, center + 200e3), p.dwells);
    }
    assert_int_equal(sweep_find_dwell(&p, 23e6), p.dwells);
    assert_int_equal(sweep_find_dwell(&p, 2e9), p.dwells);
    assert_int_equal(sweep_find_dwell(&p, NAN), p.dwells);
}

static void a_span_that_one_tuning_receives_or_that_is_too_long_is_refused(void **state)
{
    (void)state;
    struct sweep_plan p;
    struct reason why = {0};
    struct settings w = sweep_of(100e6, 101.9e6, 0.01);
    assert_int_equal(sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 2.4e6, 0.8}, &why),
                     -EINVAL);
    assert_string_equal(why.sentence, "span: 1.9M fits into one tuning at 2.4M samples/s: "
                                      "give center=100.95M instead");
    assert_int_equal(p.bins, 0);
    w = sweep_of(0, 1e12, 0.01);
    assert_int_equal(sweep_plan_init(&p, &w, &(struct sweep_radio){4194304, 2.4e6, 0.8}, &why),
                     -EINVAL);
    assert_non_null(strstr(why.sentence, "bins, at most 268435456"));
    w = sweep_of(0, 0, 0.01);
    assert_int_equal(sweep_plan_init(&p, &w, &(struct sweep_radio){1024, 2.4e6, 0.8}, NULL), 0);
    assert_int_equal(p.dwells, 0);
}

static void a_span_is_two_frequencies_in_order(void **state)
{
    (void)state;
    struct span s;
    assert_int_equal(sweep_span_parse("100M:1G", &s), 0);
    assert_true(s.low_hz == 100e6 && s.high_hz == 1e9);
    assert_int_equal(sweep_span_parse("88 MHz:108 MHz", &s), 0);
    assert_true(s.low_hz == 88e6 && s.high_hz == 108e6);
    assert_int_equal(sweep_span_parse("", &s), 0);
    assert_true(s.low_hz == 0 && s.high_hz == 0);
    static const char *const wrong[] = {"100M",    ":",      "100M:",  ":1G",
                                        "1G:100M", "1M:1M",  "-1M:1M", "1M:2M:3M",
                                        "nan:1M",  "1M:inf", "0:1e13", "1M-2M"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (sweep_span_parse(wrong[i], &s) != -EINVAL)
            fail_msg("\"%s\" is accepted", wrong[i]);
        assert_true(s.low_hz == 0 && s.high_hz == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            every_bin_of_the_span_comes_from_exactly_one_dwell_and_never_from_its_centre),
        cmocka_unit_test(the_span_of_hackrf_sweep_has_whole_rows_of_5_mhz),
        cmocka_unit_test(a_dwell_is_as_many_whole_frames_as_fit),
        cmocka_unit_test(a_centre_that_the_radio_rounded_still_belongs_to_its_dwell),
        cmocka_unit_test(a_span_that_one_tuning_receives_or_that_is_too_long_is_refused),
        cmocka_unit_test(a_span_is_two_frequencies_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
