/* test_turn.c - points of the unit circle, against the C library's in long double, and sums of
 * angles. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/source/sim/turn.h"

static const long double circle = 6.283185307179586476925286766559005768L;

static void assert_on_circle(struct point z, double cycles, double error)
{
    const long double angle = circle * remainderl((long double)cycles, 1);
    const double re = (double)fabsl((long double)z.re - cosl(angle));
    const double im = (double)fabsl((long double)z.im - sinl(angle));
    if (!(re <= error && im <= error))
        fail_msg("%.17g cycles: errors of %g and %g", cycles, re, im);
}

static void a_turn_is_within_1e_15(void **state)
{
    (void)state;
    for (int i = -54000; i < 54000; i++)
        assert_on_circle(turn(i * 0.0000371), i * 0.0000371, 1e-15);
    for (int i = 0; i < 25000; i++) {
        const double cycles = pow(1.00137, i); /* to 7e14 */
        assert_on_circle(turn(cycles), cycles, 1e-15);
    }
    for (int eighths = -8; eighths <= 8; eighths++)
        assert_on_circle(turn(eighths / 8.0), eighths / 8.0, 3e-16);
}

static void a_thousand_turns_add_up_to_one(void **state)
{
    (void)state;
    const double step = 0.123456789;
    struct point z = turn(0);
    for (int i = 1; i <= 1024; i++) {
        z = turn_by(z, turn(step));
        assert_on_circle(z, i * step, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_within_1e_15),
        cmocka_unit_test(a_thousand_turns_add_up_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
