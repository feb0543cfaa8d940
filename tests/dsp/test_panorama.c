/* test_panorama.c - the bins of dwells at their places in the span, counted by hand. */
#include "tests/support/cmocka_all.h"

#include "daemon/dsp/panorama.h"

/*
 * 64 bins of 1 Hz, 80 % of them usable: 25 on each side of the centre. The hole has a third of
 * that on each side, 8 bins; so a half has 17, and a pair of dwells 3 * 17 + 2 * 8 = 67. The first
 * centre is bin 25 of a pair, the second bin 42.
 */
enum { N = 64, HALF = 17, HOLE = 8, PAIR = 67, BINS = 150, DWELLS = 5 };
static const double low_hz = 1000;

static struct panorama *create(void)
{
    struct sweep_plan plan;
    struct panorama *p = NULL;
    const struct settings w = {.overlap = 50,
                               .sweep = {.span = {low_hz, low_hz + BINS}, .dwell_s = 1}};
    assert_int_equal(sweep_plan_init(&plan, &w, &(struct sweep_radio){N, N, 0.8}, NULL), 0);
    assert_int_equal(plan.bins, BINS);
    assert_int_equal(plan.dwells, DWELLS); /* the last one for 150 - 2 * 67 = 16 bins */
    assert_int_equal(panorama_create(&p, &plan, (1U << FFT_DETECTORS) - 1), 0);
    return p;
}

static double center_of(uint32_t dwell)
{
    const uint32_t pair = dwell / 2, bin = pair * PAIR + (dwell % 2 ? 2 * HALF : HALF) + HOLE;
    return low_hz + bin;
}

static void fill(struct panorama *p, float first, float step)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        for (int k = 0; k < N; k++)
            p->fold[t][k] = first + step * (float)k;
}

/* Bin k of dwell d is 1000 d + k. */
static void add_all(struct panorama *p, double off_hz)
{
    for (uint32_t dwell = 0; dwell < DWELLS; dwell++) {
        assert_false(panorama_is_complete(p));
        fill(p, 1000 * (float)dwell, 1);
        assert_int_equal(panorama_add(p, center_of(dwell) + off_hz, 7), dwell);
    }
    assert_true(panorama_is_complete(p));
    assert_int_equal(panorama_frames(p), 7);
}

static void check_places(const struct panorama *p, int off)
{
    for (int k = 0; k < BINS; k++) {
        const int r = k % PAIR;
        const bool second = (r >= HALF && r < 2 * HALF) || r >= 2 * HALF + 2 * HOLE;
        const int dwell = 2 * (k / PAIR) + second, bin = r - (second ? 42 : 25) + N / 2 - off;
        for (unsigned t = 0; t < FFT_DETECTORS; t++)
            assert_true(p->power[t][k] == (float)(1000 * dwell + bin));
    }
}

static void each_bin_comes_from_its_dwell_at_its_frequency(void **state)
{
    (void)state;
    struct panorama *p = create();
    add_all(p, 0);
    check_places(p, 0);
    panorama_destroy(p);
}

/* A centre 2.4 Hz too high puts a frequency 2 bins lower in the FFT. */
static void a_radio_that_rounds_its_centre_keeps_the_frequencies(void **state)
{
    (void)state;
    struct panorama *p = create();
    add_all(p, 2.4);
    check_places(p, 2);
    panorama_clear(p);
    add_all(p, -3);
    check_places(p, -3);
    panorama_destroy(p);
}

static void folds_of_one_dwell_combine_by_the_rule_of_their_detector(void **state)
{
    (void)state;
    struct panorama *p = create();
    fill(p, 8, 0);
    panorama_add(p, center_of(0), 3);
    fill(p, 4, 0);
    panorama_add(p, center_of(0), 1);
    const float combined[] = {7, 8, 4, 4}; /* (3 * 8 + 4) / 4, maximum, minimum, newest */
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        assert_true(p->power[t][0] == combined[t]);
        assert_true(p->power[t][HALF - 1] == combined[t]);
        assert_true(p->power[t][HALF] == 0); /* of the next dwell */
        assert_true(p->power[t][2 * HALF] == combined[t]);
    }
    assert_int_equal(p->frames[0], 4);
    assert_int_equal(panorama_frames(p), 0);
    panorama_clear(p);
    fill(p, 2, 0);
    panorama_add(p, center_of(0), 5);
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        assert_true(p->power[t][0] == 2);
    panorama_destroy(p);
}

static void other_centres_change_nothing(void **state)
{
    (void)state;
    static const double centers[] = {900, 1000, 1030, 1142, 2000};
    struct panorama *p = create();
    add_all(p, 0);
    fill(p, -1, 0);
    for (size_t i = 0; i < sizeof centers / sizeof centers[0]; i++)
        assert_int_equal(panorama_add(p, centers[i], 7), DWELLS);
    check_places(p, 0);
    panorama_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bin_comes_from_its_dwell_at_its_frequency),
        cmocka_unit_test(a_radio_that_rounds_its_centre_keeps_the_frequencies),
        cmocka_unit_test(folds_of_one_dwell_combine_by_the_rule_of_their_detector),
        cmocka_unit_test(other_centres_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
