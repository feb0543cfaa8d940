/* response.h - the frequency response of a plan, from its taps, in double precision. */
#ifndef FFTD_TESTS_DDC_RESPONSE_H
#define FFTD_TESTS_DDC_RESPONSE_H

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/ddc/ddc_plan.h"

struct response {
    struct ddc_plan plan;
    double *taps[DDC_STAGES]; /* [2 half + 1], as floats, which the filters have */
};

static inline void response_init(struct response *r, const struct ddc_plan *plan)
{
    *r = (struct response){.plan = *plan};
    for (uint32_t i = 0; i < plan->stages; i++) {
        const size_t count = 2 * (size_t)plan->stage[i].half + 1;
        r->taps[i] = calloc(count, sizeof *r->taps[i]);
        assert_non_null(r->taps[i]);
        ddc_plan_taps(&plan->stage[i], r->taps[i]);
        for (size_t k = 0; k < count; k++)
            r->taps[i][k] = (float)r->taps[i][k];
    }
}

static inline void response_finish(struct response *r)
{
    for (uint32_t i = 0; i < r->plan.stages; i++)
        free(r->taps[i]);
}

/*
 * The amplitude at f, in parts of the rate: taps[half] + 2 sum taps[half + k] cos(2 pi f k), which
 * is real because the taps are symmetric. Source of the recurrence: C. W. Clenshaw, "A note on the
 * summation of Chebyshev series", Math. Comp. 9, 1955.
 */
static inline double response_of_taps(const double *taps, uint32_t half, double f)
{
    const double doubled = 2 * cos(2 * 3.14159265358979323846 * f);
    double b1 = 0, b2 = 0;
    for (uint32_t k = half; k > 0; k--) {
        const double b = 2 * taps[half + k] + doubled * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return taps[half] + b1 * doubled / 2 - b2;
}

/* Of all stages, at an offset from the centre: each one sees the frequency folded into its rate. */
static inline double response_db(const struct response *r, double offset_hz)
{
    double amplitude = 1, rate_hz = r->plan.rate_hz;
    for (uint32_t i = 0; i < r->plan.stages; i++) {
        const double f = fmod(offset_hz, rate_hz) / rate_hz;
        amplitude *= response_of_taps(r->taps[i], r->plan.stage[i].half, f);
        rate_hz /= r->plan.stage[i].factor;
    }
    return 20 * log10(fabs(amplitude) + 1e-30);
}

#endif
