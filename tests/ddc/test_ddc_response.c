/* test_ddc_response.c - bands are flat to 0.001 dB, and what folds into them is 80 dB down. */
#include "tests/ddc/response.h"

#include "daemon/ddc/ddc.h"
#include "daemon/ddc/ddc_kaiser.h"

/* Repeatable: from 0 to 1. */
static double any(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 0x1p53;
}

/* ---- the design ------------------------------------------------------------------------- */

/* What a filter of these edges misses of its attenuation, in both bands. */
static void assert_kaiser(double attenuation_db, double transition, double cutoff)
{
    const struct ddc_stage_plan s = {
        .factor = 1,
        .half = (uint32_t)ceil(ddc_kaiser_order(attenuation_db, transition) / 2),
        .pass = cutoff - transition / 2,
        .stop = cutoff + transition / 2,
        .beta = ddc_kaiser_beta(attenuation_db)};
    double *taps = calloc(2 * (size_t)s.half + 1, sizeof *taps), pass = 0, stop = 0;
    assert_non_null(taps);
    ddc_plan_taps(&s, taps);
    for (int i = 0; i <= 500; i++) {
        const double in = s.pass * i / 500, out = s.stop + (0.5 - s.stop) * i / 500;
        pass = fmax(pass, fabs(response_of_taps(taps, s.half, in) - 1));
        stop = fmax(stop, fabs(response_of_taps(taps, s.half, out)));
    }
    free(taps);
    const double pass_missed = 20 * log10(pass) + attenuation_db;
    const double stop_missed = 20 * log10(stop) + attenuation_db;
    if (stop_missed > 3 || pass_missed > (cutoff < 3 * transition ? 11 : 4))
        fail_msg("%g dB, %g wide at %g: the pass band misses it by %g dB, the stop band by %g",
                 attenuation_db, transition, cutoff, pass_missed, stop_missed);
}

static void kaisers_filter_has_the_attenuation_that_is_asked_for(void **state)
{
    (void)state;
    static const double cutoffs[] = {0.55, 0.7, 1, 1.5, 3, 6}; /* in transitions */
    for (double db = 50; db <= 120; db += 2.5)
        for (double transition = 0.005; transition < 0.1; transition *= 1.4)
            for (unsigned i = 0; i < sizeof cutoffs / sizeof cutoffs[0]; i++)
                if (cutoffs[i] * transition < 0.4)
                    assert_kaiser(db, transition, cutoffs[i] * transition);
}

/* ---- the plans -------------------------------------------------------------------------- */

static void assert_flat(const struct response *r)
{
    for (int i = 0; i <= 200; i++) {
        const double at = r->plan.width_hz / 2 * i / 200;
        if (!(fabs(response_db(r, at)) < 0.001))
            fail_msg("rate %.17g, width %.17g: %g dB at %g Hz", r->plan.rate_hz, r->plan.width_hz,
                     response_db(r, at), at);
    }
}

static void assert_stopped(const struct response *r, double at)
{
    if (!(response_db(r, at) < -80))
        fail_msg("rate %.17g, width %.17g: %g dB at %g Hz", r->plan.rate_hz, r->plan.width_hz,
                 response_db(r, at), at);
}

/* From half of the output's rate to half of the input's; closely about many of the images. */
static void assert_images_are_stopped(const struct response *r)
{
    const double out = ddc_plan_rate(&r->plan), rate = r->plan.rate_hz;
    const double images = floor(r->plan.factor / 2.0), every = fmax(1, floor(images / 100));
    for (double k = 1; k <= images; k += every)
        for (int i = -8; i <= 8; i++)
            if (k * out + i / 16.0 * out <= rate / 2)
                assert_stopped(r, k * out + i / 16.0 * out);
    for (int i = 0; i < 1000; i++)
        assert_stopped(r, out / 2 + (rate - out) / 2 * any());
}

static void assert_band(double rate_hz, double width_hz)
{
    struct ddc_plan p;
    struct response r;
    ddc_plan_band(&p, rate_hz, width_hz);
    response_init(&r, &p);
    assert_flat(&r);
    assert_images_are_stopped(&r);
    response_finish(&r);
}

static void any_band_is_flat_and_80_db_down_at_every_image(void **state)
{
    (void)state;
    static const double rates[] = {48e3, 1e6, 2.048e6, 2.4e6, 10e6, 20e6, 61.44e6, 122.88e6};
    static const double parts[] = {1e-5, 1e-3, 0.01, 0.1, 0.26, 0.4, 0.5, 0.7, 0.8, 0.9, 0.96};
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++)
        for (unsigned k = 0; k < sizeof parts / sizeof parts[0]; k++)
            assert_band(rates[i], parts[k] * rates[i]);
    for (unsigned i = 0; i < 100; i++) {
        const double rate = 1e3 + 1e8 * any();
        assert_band(rate, rate * 0.96 * pow(1e-4, any()));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kaisers_filter_has_the_attenuation_that_is_asked_for),
        cmocka_unit_test(any_band_is_flat_and_80_db_down_at_every_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
