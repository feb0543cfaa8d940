/*
 * test_mixed.c - the cost of mixed radices compared with counted operations and with published
 * counts; digit reversal compared with a list that is taken apart and put together.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "studies/mali/mixed.h"

enum { LONGEST = 512 };

/* ---- all factorisations ------------------------------------------------------------------ */

static const uint32_t radices[] = {2, 3, 4, 5, 7, 8};

/* Visits every ordered list of radices whose product is at most `most`. */
static void each_list(struct mixed *m, uint32_t most, void (*visit)(const struct mixed *m))
{
    if (m->count)
        visit(m);
    for (size_t i = 0; i < sizeof radices / sizeof radices[0]; i++)
        if (radices[i] <= most) {
            m->radix[m->count++] = radices[i];
            each_list(m, most / radices[i], visit);
            m->count--;
        }
}

static struct mixed repeated(uint32_t radix, uint32_t count)
{
    struct mixed m = {.count = count};
    for (uint32_t s = 0; s < count; s++)
        m.radix[s] = radix;
    return m;
}

/* ---- cost -------------------------------------------------------------------------------- */

static void assert_counts(const struct mixed *m)
{
    struct complex64 x[LONGEST], want[LONGEST];
    const uint32_t n = mixed_length(m);
    double off = 0, all = 0;
    for (uint32_t i = 0; i < n; i++)
        want[i] = x[i] = (struct complex64){sin(i * i + 1.0), cos(3.0 * i)};
    const struct mixed_cost counted = mixed_fft(m, x), formula = mixed_cost(m);
    reference_dft(want, n, false);
    for (uint32_t i = 0; i < n; i++) {
        off += pow(x[i].re - want[i].re, 2) + pow(x[i].im - want[i].im, 2);
        all += pow(want[i].re, 2) + pow(want[i].im, 2);
    }
    assert_true(sqrt(off / all) < 1e-14); /* what was counted is the transform */
    assert_near(formula.multiplications, counted.multiplications, 1e-6);
    assert_near(formula.additions, counted.additions, 1e-6);
    assert_int_equal(formula.passes, counted.passes);
}

static void the_formulas_equal_counted_operations_for_every_factorisation(void **state)
{
    (void)state;
    each_list(&(struct mixed){0}, LONGEST, assert_counts);
    assert_counts(&(struct mixed){2, {11, 13}}); /* odd radices that no kernel has */
}

/* The direct sum, counted over its loops. */
static void the_direct_sum_multiplies_4_n_squared_times(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 64; n++) {
        double multiplications = 0, additions = 0;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t i = 0; i < n; i++) {
                multiplications += 4;
                additions += i ? 4 : 2; /* of the product, and to the sum */
            }
        assert_near(mixed_direct(n).multiplications, multiplications, 0);
        assert_near(mixed_direct(n).additions, additions, 0);
        assert_near(multiplications, 4.0 * n * n, 0);
    }
}

static double operations(const struct mixed *m)
{
    const struct mixed_cost c = mixed_cost(m);
    return c.multiplications + c.additions;
}

/*
 * C. Van Loan, "Computational Frameworks for the FFT", section 2.4: 5, 4 1/4 and 4 1/12 operations
 * for each point and factor of 2, products with a twiddle factor of 1 included.
 */
static void radix_4_and_8_save_15_and_18_percent(void **state)
{
    (void)state;
    const struct {
        uint32_t radix, count;
        double published;
    } rows[] = {{2, 24, 5}, {4, 12, 4.25}, {8, 8, 49.0 / 12}};
    for (int i = 0; i < 3; i++) {
        const struct mixed m = repeated(rows[i].radix, rows[i].count);
        const double n = 1 << 24;
        double ones = 0; /* products with the first point of each transform, whose factor is 1 */
        double span = 1;
        for (uint32_t s = 0; s < rows[i].count; s++, span *= rows[i].radix)
            ones += n * (1 - 1.0 / rows[i].radix) / span;
        assert_near((operations(&m) + 6 * ones) / (24 * n), rows[i].published, 1e-9);
    }
}

static void large_radices_save_passes_and_operations(void **state)
{
    (void)state;
    const struct mixed two = repeated(2, 12), four = repeated(4, 6), eight = repeated(8, 4);
    assert_int_equal(mixed_cost(&two).passes, 13);
    assert_int_equal(mixed_cost(&four).passes, 7);
    assert_int_equal(mixed_cost(&eight).passes, 5);
    assert_true(operations(&eight) < operations(&four) && operations(&four) < operations(&two));
    /* 1215 points cost less than the 2048 to which they would be padded. */
    const struct mixed smooth = {6, {3, 3, 3, 3, 3, 5}}, padded = {4, {8, 8, 8, 4}};
    assert_true(operations(&smooth) < operations(&padded));
}

static void the_order_of_the_radices_does_not_change_the_cost(void **state)
{
    (void)state;
    const struct mixed lists[] = {{3, {2, 4, 8}}, {3, {8, 4, 2}}, {3, {4, 8, 2}},
                                  {3, {3, 5, 8}}, {3, {8, 5, 3}}, {3, {5, 8, 3}}};
    for (int i = 0; i < 6; i++)
        assert_near(operations(&lists[i]), operations(&lists[i / 3 * 3]), 1e-6);
}

/* ---- digit reversal ---------------------------------------------------------------------- */

/* Deals the list into `radix` parts, card by card, for the last stage first, and each part in the
 * same way for the stages before it. */
static void deal(const struct mixed *m, uint32_t stages, uint32_t *list, uint32_t n)
{
    uint32_t dealt[LONGEST];
    if (stages == 0)
        return;
    const uint32_t radix = m->radix[stages - 1], part = n / radix;
    for (uint32_t i = 0; i < n; i++)
        dealt[i % radix * part + i / radix] = list[i];
    memcpy(list, dealt, n * sizeof *list);
    for (uint32_t k = 0; k < radix; k++)
        deal(m, stages - 1, list + (size_t)k * part, part);
}

static void assert_dealt(const struct mixed *m)
{
    uint32_t list[LONGEST];
    const uint32_t n = mixed_length(m);
    for (uint32_t i = 0; i < n; i++)
        list[i] = i;
    deal(m, m->count, list, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(mixed_reverse(m, i), list[i]);
        assert_int_equal(mixed_reverse_by_stages(m, i), list[i]);
    }
}

static void digits_are_reversed_as_a_list_is_dealt(void **state)
{
    (void)state;
    each_list(&(struct mixed){0}, LONGEST, assert_dealt);
}

static void assert_inverse(const struct mixed *m)
{
    struct mixed back = {.count = m->count};
    const uint32_t n = mixed_length(m);
    uint32_t seen[LONGEST] = {0}, fixed = 0, self_inverse = 0;
    for (uint32_t s = 0; s < m->count; s++)
        back.radix[s] = m->radix[m->count - 1 - s];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = mixed_reverse(m, i);
        assert_true(at < n && seen[at]++ == 0);
        assert_int_equal(mixed_reverse(&back, at), i);
        fixed += at == i;
        self_inverse += mixed_reverse(m, at) == i;
    }
    assert_int_equal(self_inverse == n, mixed_is_palindrome(m));
    if (mixed_is_palindrome(m))
        assert_int_equal(fixed, mixed_fixed_points(m));
}

static void the_reversed_list_of_radices_gives_the_inverse(void **state)
{
    (void)state;
    each_list(&(struct mixed){0}, LONGEST, assert_inverse);
}

/* The bit reversal of 8 points, and of the document's example the point that all stages move. */
static void known_orders(void **state)
{
    (void)state;
    static const uint32_t bits[] = {0, 4, 2, 6, 1, 5, 3, 7};
    const struct mixed eight = repeated(2, 3), example = {5, {8, 4, 4, 3, 2}};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(mixed_reverse(&eight, i), bits[i]);
    assert_int_equal(mixed_length(&example), 768);
    assert_int_equal(mixed_reverse(&example, 1), 96);    /* 4 x 4 x 3 x 2 */
    assert_int_equal(mixed_reverse(&example, 128), 2);   /* the fourth digit */
    assert_int_equal(mixed_reverse(&example, 384), 1);   /* the last digit */
    assert_int_equal(mixed_reverse(&example, 767), 767); /* all digits are the largest */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formulas_equal_counted_operations_for_every_factorisation),
        cmocka_unit_test(the_direct_sum_multiplies_4_n_squared_times),
        cmocka_unit_test(radix_4_and_8_save_15_and_18_percent),
        cmocka_unit_test(large_radices_save_passes_and_operations),
        cmocka_unit_test(the_order_of_the_radices_does_not_change_the_cost),
        cmocka_unit_test(digits_are_reversed_as_a_list_is_dealt),
        cmocka_unit_test(the_reversed_list_of_radices_gives_the_inverse),
        cmocka_unit_test(known_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
