/* test_mali_index.c - maps of indices between the stages of Iodice's pipeline. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "studies/mali/mali_pipeline.h"

static void maps_of_indices_are_inverse_in_every_stage(void **state)
{
    (void)state;
    static const uint32_t largest[] = {2, 4, 8};
    for (uint32_t n = 2; n <= 1050; n++)
        for (int form = 0; form < 3; form++) {
            struct radices r;
            uint32_t span = 1;
            if (!fft_radix_is_smooth(n))
                continue;
            assert_true(mali_factor(&r, n, largest[form]));
            for (uint32_t stage = 0; stage < r.count; span *= r.at[stage++])
                for (uint32_t i = 0; i < n; i++) {
                    assert_int_equal(
                        mali_n_to_k(mali_k_to_n(i, span, r.at[stage]), span, r.at[stage]), i);
                    assert_int_equal(
                        mali_k_to_n(mali_n_to_k(i, span, r.at[stage]), span, r.at[stage]), i);
                }
            assert_int_equal(span, n);
        }
}

/* In the document's example the radix 3 stage joins transforms of 8 x 4 x 4 points. */
static void a_span_is_the_product_of_earlier_radices(void **state)
{
    (void)state;
    const uint32_t radices[] = {8, 4, 4, 3, 2};
    uint32_t span = 1;
    for (int i = 0; i < 3; i++)
        span *= radices[i];
    assert_int_equal(span, 128);
    /* Point 1 of butterfly 5 of block 1: one block of 3 spans, 5 columns, and one span. */
    assert_int_equal(mali_k_to_n((128 + 5) * 3 + 1, span, 3), 3 * 128 + 5 + 128);
    assert_int_equal(mali_n_to_k(3 * 128 + 5 + 128, span, 3), (128 + 5) * 3 + 1);
}

static void the_order_is_that_of_reversed_digits(void **state)
{
    (void)state;
    static uint32_t order[5040];
    for (uint32_t n = 2; n <= 5040; n += n < 1050 ? 1 : 210) {
        struct radices r;
        if (!mali_factor(&r, n, 8))
            continue;
        mali_order(&r, n, order);
        for (uint32_t i = 0; i < n; i++) { /* the first digit of i is the last digit of its index */
            uint32_t left = i, place = 0;
            for (uint32_t stage = 0; stage < r.count; stage++) {
                place = place * r.at[stage] + left % r.at[stage];
                left /= r.at[stage];
            }
            assert_int_equal(order[i], place);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_indices_are_inverse_in_every_stage),
        cmocka_unit_test(a_span_is_the_product_of_earlier_radices),
        cmocka_unit_test(the_order_is_that_of_reversed_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
