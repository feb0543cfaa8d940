/*
 * test_ladder.c - every step from the matrix to the in-place butterfly computes the same transform.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/derivation/ladder.h"

enum { MAX_N = 4096 };

static void fill(struct complex64 *x, uint32_t n)
{
    uint64_t state = n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        (i % 2 ? &x[i / 2].im : &x[i / 2].re)[0] = (double)(state >> 11) / 0x1p53 - 0.5;
    }
}

static double error(const struct complex64 *got, const struct complex64 *want, uint32_t n)
{
    double off = 0, all = 0;
    for (uint32_t k = 0; k < n; k++) {
        off += pow(got[k].re - want[k].re, 2) + pow(got[k].im - want[k].im, 2);
        all += pow(want[k].re, 2) + pow(want[k].im, 2);
    }
    return sqrt(off / all);
}

static void check(const struct ladder_step *step)
{
    static struct complex64 in[MAX_N], got[MAX_N], want[MAX_N];
    const uint32_t most = step->max_n ? step->max_n : MAX_N;
    for (uint32_t n = 1; n <= most; n *= 2) {
        fill(in, n);
        memcpy(got, in, n * sizeof *in);
        memcpy(want, in, n * sizeof *in);
        reference_dft(want, n, step->printed);
        ladder_fft(step, got, n);
        if (!(error(got, want, n) < 2e-15))
            fail_msg("step %s, n = %u: error %g", step->name, n, error(got, want, n));
    }
}

static void the_block_matrices_multiply_to_the_transform_to_64_points(void **state)
{
    (void)state;
    check(&ladder[0]);
}

static void every_rewriting_of_a_pass_is_the_reference(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < LADDER_STEPS; i++)
        check(&ladder[i]);
}

/* Conjugate in, conjugate out: the inverse transform by the other sign. */
static void conjugate(struct complex64 *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        x[i].im = -x[i].im;
}

static void transform(const struct ladder_step *step, struct complex64 *x, uint32_t n)
{
    if (step->printed)
        conjugate(x, n);
    ladder_fft(step, x, n);
    if (step->printed)
        conjugate(x, n);
}

/* The rewritings do the same operations on the same numbers, so no bit may differ. */
static void no_rewriting_changes_a_bit_of_the_result(void **state)
{
    static struct complex64 in[MAX_N], first[MAX_N], other[MAX_N];
    (void)state;
    fill(in, MAX_N);
    memcpy(first, in, sizeof in);
    ladder_fft(&ladder[1], first, MAX_N);
    for (uint32_t i = 2; i < LADDER_STEPS; i++) {
        memcpy(other, in, sizeof in);
        transform(&ladder[i], other, MAX_N);
        assert_memory_equal(first, other, sizeof first);
    }
}

/* An impulse at 1 becomes w^k; figures 9 and 10 print w = EXP(+2*pi*i/n). */
static void figures_9_and_10_have_the_sign_that_they_print(void **state)
{
    uint32_t printed = 0;
    (void)state;
    for (uint32_t i = 0; i < LADDER_STEPS; i++) {
        struct complex64 x[8] = {{0, 0}, {1, 0}};
        ladder_fft(&ladder[i], x, 8);
        assert_near(x[2].im, ladder[i].printed ? 1 : -1, 1e-15);
        printed += ladder[i].printed;
    }
    assert_int_equal(printed, 2);
}

static void the_forward_sign_is_minus(void **state)
{
    struct complex64 x[8] = {{0, 0}, {1, 0}};
    (void)state;
    ladder_fft(&ladder[LADDER_STEPS - 1], x, 8);
    assert_near(x[1].im, -sqrt(0.5), 1e-15);
    assert_near(x[2].im, -1, 1e-15);
}

static void a_counter_with_reversed_carry_reverses_bits(void **state)
{
    static struct complex64 in[MAX_N], by_bits[MAX_N], by_counting[MAX_N];
    (void)state;
    fill(in, MAX_N);
    for (uint32_t n = 1; n <= MAX_N; n *= 2) {
        memcpy(by_bits, in, sizeof in);
        memcpy(by_counting, in, sizeof in);
        reverse_by_bits(by_bits, n);
        reverse_by_counting(by_counting, n);
        assert_memory_equal(by_bits, by_counting, sizeof in);
    }
    assert_memory_not_equal(by_bits, in, sizeof in);
}

static void weights_by_doubling_equal_those_by_sine_and_cosine(void **state)
{
    static struct complex64 direct[MAX_N / 2], doubled[MAX_N / 2];
    (void)state;
    for (uint32_t block = 2; block <= MAX_N; block *= 2) {
        weights_by_sincos(direct, block);
        weights_by_doubling(doubled, block);
        assert_memory_equal(direct, doubled, block / 2 * sizeof *direct);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_matrices_multiply_to_the_transform_to_64_points),
        cmocka_unit_test(every_rewriting_of_a_pass_is_the_reference),
        cmocka_unit_test(no_rewriting_changes_a_bit_of_the_result),
        cmocka_unit_test(figures_9_and_10_have_the_sign_that_they_print),
        cmocka_unit_test(the_forward_sign_is_minus),
        cmocka_unit_test(a_counter_with_reversed_carry_reverses_bits),
        cmocka_unit_test(weights_by_doubling_equal_those_by_sine_and_cosine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
