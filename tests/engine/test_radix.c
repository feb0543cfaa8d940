/* test_radix.c - the factoriser, and the general radix with bases the library does not choose. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "fft/cpu/base/cpu_isa.h"
#include "fft/cpu/base/cpu_memory.h"
#include "fft/cpu/transform/cpu_lanes.h"
#include "fft/general.h"
#include "tests/support/engine/transform_case.h"

static void a_length_is_the_product_of_its_radices(void **state)
{
    static const uint32_t wanted[] = {8, 4, 2, 3, 5, 7, 0};
    (void)state;
    for (uint32_t n = 1; n <= 20000; n++) {
        struct radices r;
        uint32_t product = 1;
        const bool smooth = fft_radix_is_smooth(n);
        assert_int_equal(fft_radix_factor(&r, n, wanted), smooth);
        for (uint32_t q = 0; q < r.count; q++)
            product *= r.at[q];
        assert_true(!smooth || product == n);
    }
}

static void lengths_with_larger_primes_are_not_smooth(void **state)
{
    static const struct {
        uint32_t n;
        bool smooth;
    } lengths[] = {{0, false},           {1, true},    {2, true},        {11, false},
                   {13 * 4, false},      {5040, true}, {1U << 31, true}, {4294967295U, false},
                   {16777216 - 1, false}};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        assert_int_equal(fft_radix_is_smooth(lengths[i].n), lengths[i].smooth);
}

static void the_first_wanted_radix_is_used_as_often_as_it_divides(void **state)
{
    static const uint32_t wanted[] = {8, 4, 2, 3, 0};
    struct radices r;
    (void)state;
    assert_true(fft_radix_factor(&r, 8 * 8 * 4 * 3, wanted));
    assert_int_equal(r.count, 4);
    assert_int_equal(r.at[0], 8);
    assert_int_equal(r.at[1], 8);
    assert_int_equal(r.at[2], 4);
    assert_int_equal(r.at[3], 3);
}

/* Both directions must stay within the error bound of the length. */
static void check_against_reference(const struct radices *radices)
{
    struct general g;
    assert_int_equal(fft_general_init(&g, radices), 0);
    struct fft_iq *in = test_noise(FFT_IQ_CF32, g.n, g.n), *out = malloc(g.n * sizeof *out);
    struct fft_iq *back = malloc(g.n * sizeof *back);
    struct complex64 *want = malloc(g.n * sizeof *want);
    for (uint32_t i = 0; i < g.n; i++)
        want[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    reference_dft(want, g.n, false);

    fft_general_fft(&g, in, 1, out, false);
    assert_near(transform_error(out, want, g.n), 0, transform_bound(NULL, g.n));
    fft_general_fft(&g, out, 1, back, true);
    for (uint32_t i = 0; i < g.n; i++)
        want[i] = (struct complex64){g.n * (double)in[i].re, g.n * (double)in[i].im};
    assert_near(transform_error(back, want, g.n), 0, 2 * transform_bound(NULL, g.n));
    fft_general_finish(&g);
    free(want);
    free(back);
    free(out);
    free(in);
}

static void any_base_transforms_its_powers(void **state)
{
    static const uint32_t bases[] = {2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 32, 61, 64};
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        struct radices r = {0};
        for (uint64_t n = bases[i]; n <= 300000; n *= bases[i]) {
            r.at[r.count++] = bases[i];
            check_against_reference(&r);
        }
    }
}

static void passes_of_different_bases_mix_in_any_order(void **state)
{
    static const struct radices mixtures[] = {
        {3, {2, 3, 5}},     {3, {5, 3, 2}},        {4, {7, 2, 64, 3}},
        {4, {3, 64, 2, 7}}, {5, {16, 5, 4, 3, 2}}, {6, {2, 2, 11, 3, 3, 2}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++)
        check_against_reference(&mixtures[i]);
}

/* Transforms `lanes` rows of n points with an instruction set's own code for each radix. */
static void check_specialised(const struct lanes_ops *ops, uint32_t n)
{
    static const uint32_t primes[] = {2, 3, 5, 7, 0};
    struct lanes_plan plan;
    struct cpu_arena memory = {0};
    struct radices radices;
    struct general g;
    struct complex64 *want = malloc(n * sizeof *want);
    struct fft_iq *x = test_noise(FFT_IQ_CF32, (uint64_t)n * ops->lanes, n),
                  *row = malloc(n * sizeof *row);
    const struct row_set rows = {.from = x,
                                 .to = x,
                                 .from_point = 1,
                                 .from_row = n,
                                 .to_point = 1,
                                 .to_row = n,
                                 .count = ops->lanes,
                                 .scale = 1,
                                 .scratch = cpu_memory_take(cpu_rows_scratch_bytes(n, ops->lanes))};
    assert_true(fft_radix_factor(&radices, n, primes));
    assert_int_equal(fft_general_init(&g, &radices), 0);
    assert_int_equal(cpu_lanes_plan_init(&plan, n, &memory), 0);
    fft_general_fft(&g, x + (size_t)n * (ops->lanes - 1), 1, row, false);
    for (uint32_t k = 0; k < n; k++)
        want[k] = (struct complex64){(double)row[k].re, (double)row[k].im};
    ops->rows(&plan, &rows);
    assert_near(transform_error(x + (size_t)n * (ops->lanes - 1), want, n), 0, 1.7e-7);
    cpu_arena_free(&memory);
    fft_general_finish(&g);
    cpu_memory_free(rows.scratch);
    free(row);
    free(x);
    free(want);
}

static void code_specialised_for_a_radix_matches_the_general_radix(void **state)
{
    (void)state;
    for (size_t i = 0; cpu_isa_at(i); i++)
        for (uint32_t n = 2; n <= 1024 && cpu_isa_at(i)->available(); n++)
            if (fft_radix_is_smooth(n))
                check_specialised(cpu_isa_at(i)->transforms[0], n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_is_the_product_of_its_radices),
        cmocka_unit_test(lengths_with_larger_primes_are_not_smooth),
        cmocka_unit_test(the_first_wanted_radix_is_used_as_often_as_it_divides),
        cmocka_unit_test(any_base_transforms_its_powers),
        cmocka_unit_test(code_specialised_for_a_radix_matches_the_general_radix),
        cmocka_unit_test(passes_of_different_bases_mix_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
