/* test_fast_math.c - the elementary functions for loops, against the C library's in double. */
#include "tests/support/cmocka_all.h"

#include "daemon/base/fast_math.h"

static void log2_is_within_a_millionth(void **state)
{
    (void)state;
    for (double level_db = -370; level_db < 380; level_db += 0.00371) {
        const float power = (float)pow(10, level_db / 10);
        const double want = log2((double)power);
        assert_true(fabs((double)fast_log2(power) - want) < 1e-6 + 3e-7 * fabs(want));
    }
}

static void exp2_is_within_3e_7_of_its_value(void **state)
{
    (void)state;
    for (double x = -125; x < 127; x += 0.000987) {
        const double want = exp2((double)(float)x);
        assert_true(fabs((double)fast_exp2((float)x) / want - 1) < 3e-7);
    }
    assert_true(fast_exp2(0) == 1);
}

static void atan2_is_within_5e_7_radians(void **state)
{
    (void)state;
    for (double angle = -3.1415; angle < 3.1415; angle += 0.0000371)
        for (double length = 1e-12; length < 1e13; length *= 1e12) {
            const float y = (float)(length * sin(angle)), x = (float)(length * cos(angle));
            const double want = atan2((double)y, (double)x);
            assert_true(fabs((double)fast_atan2(y, x) - want) < 5e-7);
        }
    assert_true(fast_atan2(0, 0) == 0);
    assert_true(fabs((double)fast_atan2(0, -1) - M_PI) < 5e-7);
    assert_true(fabs((double)fast_atan2(-1, 0) + M_PI_2) < 5e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log2_is_within_a_millionth),
        cmocka_unit_test(exp2_is_within_3e_7_of_its_value),
        cmocka_unit_test(atan2_is_within_5e_7_radians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
