/* test_ddc_channel.c - the responses of channels are those of their formulas. */
#include "tests/ddc/response.h"

#include "daemon/ddc/ddc.h"

#define PI   3.14159265358979323846
#define RATE 1e6

static double noise_bandwidth_hz(const struct ddc_plan *p)
{
    const struct ddc_stage_plan *s = &p->stage[0];
    double *taps = calloc(2 * (size_t)s->half + 1, sizeof *taps), sum = 0;
    assert_non_null(taps);
    ddc_plan_taps(s, taps);
    for (uint32_t i = 0; i <= 2 * s->half; i++)
        sum += taps[i] * taps[i];
    free(taps);
    return sum * p->rate_hz;
}

static void a_gaussian_channel_has_its_formula_down_to_50_db(void **state)
{
    (void)state;
    const double widths[] = {200e3, 50e3, 12.5e3, 1e3};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        struct ddc_plan p;
        struct response r;
        ddc_plan_channel(&p, RATE, widths[w], DDC_GAUSS);
        response_init(&r, &p);
        for (double part = 0; part <= 2; part += 0.125) {
            const double want = -10 * log10(2) * 4 * part * part;
            const double error = response_db(&r, part * widths[w]) - want;
            assert_true(fabs(error) < 0.01 + 0.003 * exp(-want / 10));
        }
        response_finish(&r);
        assert_true(fabs(noise_bandwidth_hz(&p) / widths[w] - 1.0645) < 0.002);
    }
}

static void a_flat_channel_passes_half_and_stops_from_three_quarters_on(void **state)
{
    (void)state;
    const double widths[] = {200e3, 50e3, 12.5e3, 1e3};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const double b = widths[w];
        struct ddc_plan p;
        struct response r;
        ddc_plan_channel(&p, RATE, b, DDC_FLAT);
        response_init(&r, &p);
        for (double part = 0; part <= 0.25; part += 1.0 / 64)
            assert_true(fabs(response_db(&r, part * b)) < 0.1);
        assert_true(fabs(response_db(&r, b / 2) + 6.02) < 0.1);
        for (double at = 0.75 * b; at < RATE / 2; at += b / 64)
            assert_true(response_db(&r, at) < -49);
        response_finish(&r);
    }
}

static void its_rate_is_the_lowest_of_four_times_the_width(void **state)
{
    (void)state;
    for (double b = 1e3; b < RATE; b *= 1.7) {
        struct ddc_plan p;
        ddc_plan_channel(&p, RATE, b, DDC_GAUSS);
        const double out = ddc_plan_rate(&p);
        assert_true(out >= 4 * b || p.factor == 1);
        assert_true(RATE / (p.factor + 1) < 4 * b);
    }
}

/* The first output is that of sample `reach`: an impulse comes out where it went in. */
static void an_impulse_comes_out_at_its_time_and_a_tone_at_its_level(void **state)
{
    (void)state;
    enum { COUNT = 30000, BLOCK = 1000 };
    struct fft_iq *in = calloc(COUNT, sizeof *in);
    struct ddc_plan p;
    struct ddc *c;
    double strongest = 0, at = 0;
    size_t outputs = 0;
    assert_non_null(in);
    ddc_plan_channel(&p, RATE, 10e3, DDC_GAUSS);
    assert_int_equal(ddc_create(&c, &p, FFT_IQ_CF32, 1, BLOCK), 0);
    for (int tone = 0; tone < 2; tone++) {
        for (size_t i = 0; i < COUNT; i++) {
            const double phase = 2 * PI * 0.123 * (double)i;
            in[i] = tone ? (struct fft_iq){(float)cos(phase), (float)sin(phase)}
                         : (struct fft_iq){i == 17000 ? 1.0F : 0.0F, 0};
        }
        ddc_begin(c, 0, p.reach, tone ? 0.123 * RATE : 0, 1);
        outputs = 0;
        for (size_t done = 0; done < COUNT; done += BLOCK) {
            const struct fft_iq *out;
            const size_t got = ddc_push(c, in + done, BLOCK, &out);
            for (size_t i = 0; i < got; i++, outputs++) {
                const double level = hypot((double)out[i].re, (double)out[i].im);
                if (tone)
                    assert_true(fabs(20 * log10(level)) < 0.001);
                else if (level > strongest) {
                    strongest = level;
                    at = (double)p.reach + (double)outputs * p.factor;
                }
            }
        }
    }
    assert_true(fabs(at - 17000) <= p.factor / 2.0);
    assert_int_equal(outputs, (COUNT - 2 * p.reach - 1) / p.factor + 1);
    ddc_destroy(c);
    free(in);
}

static void a_width_of_next_to_nothing_is_planned_without_overflow(void **state)
{
    (void)state;
    struct ddc_plan p;
    ddc_plan_channel(&p, 6e9, 1e-12, DDC_FLAT);
    assert_int_equal(p.reach, 1 << 30);
    assert_int_equal(p.factor, 1 << 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gaussian_channel_has_its_formula_down_to_50_db),
        cmocka_unit_test(a_flat_channel_passes_half_and_stops_from_three_quarters_on),
        cmocka_unit_test(its_rate_is_the_lowest_of_four_times_the_width),
        cmocka_unit_test(an_impulse_comes_out_at_its_time_and_a_tone_at_its_level),
        cmocka_unit_test(a_width_of_next_to_nothing_is_planned_without_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
