/* cmocka_all.h - cmocka.h with the headers that must precede it, and assert_near. */
#ifndef FFTD_TESTS_SUPPORT_CMOCKA_ALL_H
#define FFTD_TESTS_SUPPORT_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

/* script/case names the cases to run. */
__attribute__((constructor, unused)) static void select_cases(void)
{
    if (getenv("FFTD_TEST_CASE"))
        cmocka_set_test_filter(getenv("FFTD_TEST_CASE"));
}

/* Like assert_float_equal, but for doubles; the message has both values. */
#define assert_near(got, want, tolerance)                                                          \
    do {                                                                                           \
        const double got_ = (double)(got), want_ = (double)(want);                                 \
        if (!(fabs(got_ - want_) <= (double)(tolerance)))                                          \
            fail_msg("%s is %.9g, expected %.9g within %g", #got, got_, want_,                     \
                     (double)(tolerance));                                                         \
    } while (0)

#endif
