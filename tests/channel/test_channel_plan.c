/* test_channel_plan.c - blocks, rates and refusals of channels. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/channel/channel_plan.h"

static bool is_smooth(uint32_t n)
{
    for (uint32_t p = 2; p <= 7; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

static void a_block_has_8_ms_and_a_length_that_can_be_transformed(void **state)
{
    (void)state;
    static const double rates_hz[] = {48e3, 250e3, 912e3, 1.1e6, 1.3e6, 2.4e6, 10e6, 61.44e6};
    struct channel_grid g;
    for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++) {
        channel_grid_init(&g, rates_hz[i]);
        assert_true(is_smooth(g.n));
        assert_int_equal(g.n % 8, 0);
        assert_true(fabs(g.n / rates_hz[i] - 0.008) < 0.0003);
        assert_int_equal(g.hop, g.n / 4 * 3);
        assert_int_equal(g.hop + 2 * g.reach, g.n);
    }
    channel_grid_init(&g, 61.44e6);
    assert_int_equal(g.n, 491520);
    channel_grid_init(&g, 10e9); /* halved until the block is short enough */
    assert_true(g.n <= CHANNEL_BLOCK_MAX && g.n > CHANNEL_BLOCK_MAX / 3);
}

static void usual_rates_need_no_conversion(void **state)
{
    (void)state;
    static const double rates_hz[] = {8e3,   12e3,  16e3,  24e3,  25e3,    48e3,    50e3,  192e3,
                                      200e3, 240e3, 250e3, 384e3, 1.024e6, 2.048e6, 2.4e6, 3.2e6};
    struct channel_grid g;
    struct channel_shape s;
    channel_grid_init(&g, 2.4e6);
    for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++) {
        assert_int_equal(channel_shape_plan(&s, &g, rates_hz[i], 0, NULL), 0);
        assert_false(s.resampled);
        assert_true(fabs(channel_shape_bank_rate(&s, &g) - rates_hz[i]) < 1e-6);
        /* Kaiser: 88 dB of 2 ms are 2787 Hz */
        assert_true(fabs(s.pass_hz - (rates_hz[i] / 2 - 2787)) < 3);
    }
    static const double odd_hz[] = {11025, 12500, 22050, 44100, 171e3, 1488375};
    for (size_t i = 0; i < sizeof odd_hz / sizeof *odd_hz; i++) {
        assert_int_equal(channel_shape_plan(&s, &g, odd_hz[i], 0, NULL), 0);
        assert_true(s.resampled);
        assert_true(channel_shape_bank_rate(&s, &g) >= 1.25 * odd_hz[i]);
        assert_true(is_smooth(s.m));
    }
}

static void what_is_impossible_is_refused_with_what_works(void **state)
{
    (void)state;
    struct channel_grid g;
    struct channel_shape s;
    struct reason why = {0};
    channel_grid_init(&g, 2.4e6);
    assert_int_equal(channel_shape_plan(&s, &g, 5e3, 0, &why), -EINVAL);
    assert_string_equal(why.key, "rate_hz");
    assert_non_null(strstr(why.sentence, "5.6kS/s to"));
    assert_int_equal(channel_shape_plan(&s, &g, 5.6e3, 0, &why), 0);
    assert_int_equal(channel_shape_plan(&s, &g, NAN, 0, &why), -EINVAL);
    assert_int_equal(channel_shape_plan(&s, &g, 4.001e6, 0, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "to 4MS/s"));
    assert_int_equal(channel_shape_plan(&s, &g, 4e6, 0, NULL), 0);
    assert_int_equal(channel_shape_plan(&s, &g, 25e3, 20e3, &why), -EINVAL);
    assert_string_equal(why.key, "width_hz");
    assert_non_null(strstr(why.sentence, "19.42"));
    assert_int_equal(channel_shape_plan(&s, &g, 25e3, 19e3, &why), 0);
    assert_true(fabs(s.pass_hz - 9500) < 1e-6);
    assert_int_equal(channel_shape_plan(&s, &g, 25e3, -1, &why), -EINVAL);
}

/* The sum over all bins of a response whose filter has the taps h is h(0) n; Fourier's sum of the
 * response gives the taps: a windowed sinc that ends at the filter's length. */
static void the_response_is_that_of_a_filter_of_a_quarter_of_the_block(void **state)
{
    (void)state;
    struct channel_grid g;
    struct channel_shape s;
    channel_grid_init(&g, 96e3); /* 768 points */
    assert_int_equal(g.n, 768);
    assert_int_equal(channel_shape_plan(&s, &g, 96e3, 40e3, NULL), 0);
    assert_int_equal(s.m, 768);
    float *r = malloc(s.m * sizeof *r);
    channel_shape_response(&s, &g, r);
    assert_true(fabs(20 * log10((double)r[0] * g.n)) < 0.001);
    double beyond = 0, within = 0;
    for (int t = 0; t < 384; t++) {
        double tap = 0;
        for (int b = -384; b < 384; b++)
            tap += r[b < 0 ? b + 768 : b] * cos(2 * 3.14159265358979323846 * b * t / 768);
        if (t > 96)
            beyond = fmax(beyond, fabs(tap));
        else
            within = fmax(within, fabs(tap));
    }
    assert_true(within > 0.3);
    assert_true(20 * log10(beyond / within) < -90);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_8_ms_and_a_length_that_can_be_transformed),
        cmocka_unit_test(usual_rates_need_no_conversion),
        cmocka_unit_test(what_is_impossible_is_refused_with_what_works),
        cmocka_unit_test(the_response_is_that_of_a_filter_of_a_quarter_of_the_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
