/* test_sample_rate.c - wrong rates are distinguished from drift, latency, pauses and losses. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/source/sample_rate.h"

enum { RATE = 250000 };
#define MS UINT64_C(1000000)

/* A radio of `hz` true samples a second, read every 20 ms by a machine that is up to `late_ms`
 * late. */
struct world {
    struct sample_rate rate;
    double hz, sample;
    unsigned late_ms;
    uint64_t now_ns, read_ns;
};

/* The first measured rate that is not 0, within this time; *at_s: when. */
static double run(struct world *w, double seconds, double *at_s)
{
    for (const uint64_t end = w->now_ns + (uint64_t)(seconds * 1e9); w->now_ns < end;) {
        w->now_ns += 20 * MS;
        w->sample += 0.02 * w->hz;
        const uint64_t read_ns = w->now_ns + (unsigned)rand() % w->late_ms * MS;
        w->read_ns = read_ns > w->read_ns ? read_ns : w->read_ns;
        const double hz = sample_rate_check(&w->rate, (uint64_t)w->sample, RATE, w->read_ns);
        *at_s = (double)w->now_ns * 1e-9;
        if (hz != 0)
            return hz;
    }
    return 0;
}

static struct world begin(double hz)
{
    srand(1);
    return (struct world){.hz = hz, .late_ms = 20, .now_ns = 5000 * MS};
}

static void another_rate_is_measured_within_31_seconds(void **state)
{
    static const double factors[] = {1.25, 0.8, 2, 0.5, 1.02, 0.98};
    (void)state;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        struct world w = begin(factors[i] * RATE);
        double at_s;
        assert_near(run(&w, 60, &at_s) / RATE, factors[i], 0.005);
        assert_true(at_s < 5 + 31);
    }
}

static void drift_and_latency_are_no_other_rate(void **state)
{
    static const double ppm[] = {0, 200, -200, 2000};
    (void)state;
    for (size_t i = 0; i < sizeof ppm / sizeof ppm[0]; i++) {
        struct world w = begin(RATE * (1 + ppm[i] * 1e-6));
        double at_s;
        w.late_ms = 80;
        assert_true(run(&w, 86400, &at_s) == 0);
    }
}

/* The machine stood still for 3 s: samples came late, or were lost. */
static void one_pause_is_no_other_rate(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        for (int at = 0; at < 20; at++) {
            struct world w = begin(RATE);
            double at_s;
            assert_true(run(&w, 20 + at, &at_s) == 0);
            w.now_ns += 3000 * MS;
            w.sample += lost ? 0 : 3 * RATE;
            assert_true(run(&w, 60, &at_s) == 0);
        }
    }
}

static void a_reset_forgets_what_was_measured(void **state)
{
    (void)state;
    struct world w = begin(1.25 * RATE);
    double at_s;
    for (int i = 0; i < 20; i++) {
        assert_true(run(&w, 29, &at_s) == 0);
        sample_rate_reset(&w.rate); /* a loss of unknown length */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_rate_is_measured_within_31_seconds),
        cmocka_unit_test(drift_and_latency_are_no_other_rate),
        cmocka_unit_test(one_pause_is_no_other_rate),
        cmocka_unit_test(a_reset_forgets_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
