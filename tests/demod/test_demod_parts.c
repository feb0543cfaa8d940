/* test_demod_parts.c - filters of audio against their formulas. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_filter.h"

#define PI 3.14159265358979323846

/* |H| at hz, from the coefficients. */
static double response_db(const struct demod_biquad *q, double rate_hz, double hz)
{
    const double w = 2 * PI * hz / rate_hz, c1 = cos(w), s1 = sin(w), c2 = cos(2 * w),
                 s2 = sin(2 * w);
    const double top = hypot(q->b0 + q->b1 * c1 + q->b2 * c2, q->b1 * s1 + q->b2 * s2);
    const double bottom = hypot(1 + q->a1 * c1 + q->a2 * c2, q->a1 * s1 + q->a2 * s2);
    return 20 * log10(top / bottom + 1e-30);
}

/* 1 / (1 + j 2 pi f tau) in dB, as in ITU-R BS.450-3; the digital one is within 0.1 dB. */
static void de_emphasis_follows_the_analogue_one(void **state)
{
    (void)state;
    static const double hz[] = {400, 1000, 3183, 5000, 10000, 15000};
    static const double want[2][6] = {{-.07, -.41, -3.01, -5.40, -10.36, -13.66},
                                      {-.15, -.87, -5.12, -8.16, -13.66, -17.07}};
    for (int i = 0; i < 12; i++) {
        struct demod_biquad q;
        demod_biquad_deemphasis(&q, 48000, i < 6 ? 50 : 75, 15000);
        assert_near(response_db(&q, 48000, hz[i % 6]), want[i / 6][i % 6], 0.1);
        assert_near(response_db(&q, 48000, 0), 0, 1e-9);
    }
    struct demod_biquad
        q; /* the zeros of the fit are -.1293 and -.1301: found with numpy by search */
    demod_biquad_deemphasis(&q, 48000, 50, 15000);
    assert_near(q.b1 / q.b0, 0.1293, 1e-4);
    demod_biquad_deemphasis(&q, 48000, 75, 15000);
    assert_near(q.b1 / q.b0, 0.1301, 1e-4);
}

static void high_pass_is_butterworths(void **state)
{
    (void)state;
    static const double hz[] = {100, 200, 270, 300, 1000, 3000};
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = 0; k < DEMOD_HIGHPASS_SECTIONS; k++) {
            struct demod_biquad q;
            demod_biquad_highpass(&q, 12000, 270, k, DEMOD_HIGHPASS_SECTIONS);
            sum += response_db(&q, 12000, hz[i]);
        }
        const double x = tan(PI * 270 / 12000) / tan(PI * hz[i] / 12000);
        assert_near(sum, -10 * log10(1 + pow(x, 2 * 2 * DEMOD_HIGHPASS_SECTIONS)), 1e-6);
    }
}

static void notch_takes_one_frequency_out(void **state)
{
    (void)state;
    struct demod_biquad q;
    demod_biquad_notch(&q, 12000, 1000, 100);
    assert_true(response_db(&q, 12000, 1000) < -100);
    assert_near(response_db(&q, 12000, 1050), -3.01, 0.2);
    assert_near(response_db(&q, 12000, 951), -3.01, 0.2);
    assert_near(response_db(&q, 12000, 2000), 0, 0.02);
    float x[12000];
    for (int i = 0; i < 12000; i++)
        x[i] = (float)sin(2 * PI * 1000 / 12000 * i);
    demod_biquad_run(&q, x, 12000, 1);
    for (int i = 11000; i < 12000; i++)
        assert_near(x[i], 0, 1e-5);
}

/* The amplitude that a filter gives a tone, from its taps. */
static double filter_db(const struct demod_filter *f, double rate_hz, double hz)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < f->stage.length; i++) {
        re += (double)f->stage.tap[i] * cos(2 * PI * hz / rate_hz * (double)i);
        im += (double)f->stage.tap[i] * sin(2 * PI * hz / rate_hz * (double)i);
    }
    return 20 * log10(hypot(re, im) + 1e-30);
}

static void bands_have_their_edges_and_attenuation(void **state)
{
    (void)state;
    struct demod_filter f;
    const struct demod_band low = {.high_hz = 6250, .slope_hz = 1500, .attenuation_db = 80};
    assert_int_equal(demod_filter_init(&f, &low, 24000, 1), 0);
    for (double hz = 0; hz <= 5500; hz += 50)
        assert_near(filter_db(&f, 24000, hz), 0, 0.003);
    assert_near(filter_db(&f, 24000, 6250), -6.02, 0.05);
    for (double hz = 7000; hz <= 12000; hz += 10)
        assert_true(filter_db(&f, 24000, hz) < -77);
    demod_filter_finish(&f);

    const struct demod_band high = {
        .low_hz = 4000, .high_hz = 6000, .slope_hz = 700, .attenuation_db = 60};
    assert_int_equal(demod_filter_init(&f, &high, 24000, 4), 0);
    assert_near(filter_db(&f, 24000, 5000), 0, 0.02);
    for (double hz = 0; hz <= 3650; hz += 10)
        assert_true(filter_db(&f, 24000, hz) < -56);
    demod_filter_finish(&f);

    const struct demod_band mean = {
        .high_hz = 8000, .slope_hz = 1500, .attenuation_db = 60, .mean_hz = 24000};
    assert_int_equal(demod_filter_init(&f, &mean, 24000, 1), 0);
    for (double hz = 100; hz <= 7000; hz += 100) {
        const double x = PI * hz / 24000;
        assert_near(filter_db(&f, 24000, hz), 20 * log10(x / sin(x)), 0.02);
    }
    demod_filter_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(de_emphasis_follows_the_analogue_one),
        cmocka_unit_test(high_pass_is_butterworths),
        cmocka_unit_test(notch_takes_one_frequency_out),
        cmocka_unit_test(bands_have_their_edges_and_attenuation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
