/* test_ddc_response.c - filters have the response that their plan asks for. */
#include "tests/ddc/response.h"

#include "daemon/ddc/ddc_kaiser.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kaisers_filter_has_the_attenuation_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
