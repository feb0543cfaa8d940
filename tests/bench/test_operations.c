/* test_operations.c - the bench's bound: operations counted one by one, and their time on given
 * units. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "bench/operations.h"

struct count {
    double additions, multiplications;
};

/* A complex multiplication by w_n^k: none, by (1 - i) / sqrt 2, or by any other root. */
static struct count times_root(uint32_t k, uint32_t n)
{
    if (k == 0)
        return (struct count){0, 0};
    return 8 * k == n ? (struct count){2, 2} : (struct count){2, 4};
}

/* n points of split radix: half of them, two quarters, two roots and six complex additions each. */
static struct count split_radix(uint32_t n)
{
    if (n == 1)
        return (struct count){0, 0};
    if (n == 2)
        return (struct count){4, 0};
    const struct count half = split_radix(n / 2), quarter = split_radix(n / 4);
    struct count all = {half.additions + 2 * quarter.additions,
                        half.multiplications + 2 * quarter.multiplications};
    for (uint32_t k = 0; k < n / 4; k++) {
        const struct count one = times_root(k, n), three = k ? times_root(3 * k, n) : one;
        const struct count second = 8 * k == n ? one : three; /* w^3 of an eighth is as cheap */
        all.additions += one.additions + second.additions + 12;
        all.multiplications += one.multiplications + second.multiplications;
    }
    return all;
}

static const struct units alike = {1, 1}, separate = {2, 1}, no_fused_gain = {1000, 1};

static void operations_equal_those_counted_in_split_radix(void **state)
{
    (void)state;
    for (uint32_t m = 3; m <= 20; m++) {
        const uint32_t n = 1U << m;
        const struct count c = split_radix(n);
        assert_near(c.additions + c.multiplications, n * (4.0 * m - 6) + 8, 0.5);
        /* Every unit multiplies: each multiplication is fused with an addition. */
        assert_near(n * operations_seconds(&alike, n, 0), c.additions, 8);
        /* Additions cost almost nothing: only the necessary multiplications count. */
        assert_near(n * operations_seconds(&no_fused_gain, n, 0), c.multiplications,
                    8 + 0.01 * c.multiplications);
    }
}

static void units_that_only_add_help_but_do_not_double_the_speed(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 1U << 22; n *= 2) {
        const double one = operations_seconds(&alike, n, 0);
        const double two = operations_seconds(&separate, n, 0);
        assert_true(two > one / 2 * 1.05);
        assert_true(two < one / 2 * 1.25);
    }
}

static void the_bound_is_between_the_units_limits_and_split_radix(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 1U << 22; n *= 2) {
        const struct count c = split_radix(n);
        const double seconds = n * operations_seconds(&separate, n, 0);
        /* However operations are fused, additions need all units and multiplications the
         * multiplying ones. */
        assert_true(seconds > c.additions / separate.all - 8);
        assert_true(seconds > c.multiplications / separate.multiplying - 8);
        /* A mixture is never slower than plain split radix. */
        const double plain = fmax((c.additions + c.multiplications / 2) / separate.all,
                                  c.multiplications / separate.multiplying);
        assert_true(seconds < plain + 8);
        /* Two more multiplications a point (window, power) cost their time. */
        assert_true(operations_seconds(&separate, n, 2) > seconds / n + 2 / separate.all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_equal_those_counted_in_split_radix),
        cmocka_unit_test(units_that_only_add_help_but_do_not_double_the_speed),
        cmocka_unit_test(the_bound_is_between_the_units_limits_and_split_radix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
