/* test_pacer.c - samples at the rate of the clock: exact, without drift, caught up when late. */

#include "daemon/base/clock.h"
#include "tests/support/cmocka_all.h"

#include "daemon/source/pacer.h"

static const uint64_t second = 1000000000U;

static void a_second_holds_the_rate_in_samples(void **state)
{
    (void)state;
    struct pacer p;
    pacer_start(&p, 2.4e6, 77);
    assert_int_equal(pacer_due(&p, 0), 0);
    assert_int_equal(pacer_due(&p, 77), 0);
    assert_int_equal(pacer_due(&p, 77 + second), 2400000);
    p.given = 2400000;
    assert_int_equal(pacer_due(&p, 77 + second), 0);
    assert_int_equal(pacer_due(&p, 77 + second + second / 2), 1200000);
}

static void a_year_of_odd_blocks_does_not_drift(void **state)
{
    (void)state;
    struct pacer p;
    const double rate_hz = 61.44e6;
    const uint64_t year = (uint64_t)365 * 86400;
    pacer_start(&p, rate_hz, 1);
    for (uint64_t t = 0; t <= year; t += 86413) /* arbitrary times */
        p.given += pacer_due(&p, 1 + t * second + t % second);
    p.given += pacer_due(&p, 1 + year * second);
    assert_int_equal(p.given, 61440000U * year);
}

static void a_delay_is_caught_up_at_once(void **state)
{
    (void)state;
    struct pacer p;
    pacer_start(&p, 1e6, clock_now_ns() - second);
    assert_int_equal(pacer_wait(&p, 1000000, 0), 1000000);
    p.given = 900000;
    assert_int_equal(pacer_wait(&p, 100000, 0), 100000);
}

static void no_sample_is_released_early(void **state)
{
    (void)state;
    struct pacer p;
    pacer_start(&p, 1e-6, clock_now_ns()); /* the first sample is due in days */
    const uint64_t before = clock_now_ns();
    assert_int_equal(pacer_wait(&p, 100, 20), 0);
    assert_true(clock_now_ns() - before >= 20000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_holds_the_rate_in_samples),
        cmocka_unit_test(a_year_of_odd_blocks_does_not_drift),
        cmocka_unit_test(a_delay_is_caught_up_at_once),
        cmocka_unit_test(no_sample_is_released_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
