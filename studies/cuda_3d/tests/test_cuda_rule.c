/*
 * test_cuda_rule.c - the index rules of the document by Aatish and Zhang
 * (studies/cuda_3d/kernels/rule.h) give the discrete Fourier transform for every size, and the
 * document's own tables. A transform is linear, so an impulse at every position decides: X[k] =
 * W^(j k) for an impulse at j. Every value on the way is a power of W, so exponents alone are
 * computed, without rounding.
 */
#include <stdlib.h>

#include "studies/cuda_3d/kernels/rule.h"
#include "tests/support/cmocka_all.h"

enum { LEAST_BITS = 3, MOST_BITS = 12, MOST = 1 << MOST_BITS };

enum decimation { IN_TIME, IN_FREQUENCY };

/* Butterfly of elements i and i + stride, one of which is W^exponent and the other 0. */
static void run_butterfly(enum decimation d, int bits, int stage, int nonzero, int *exponent)
{
    const int n = 1 << bits, stride = stride_of(bits, stage);
    const int upper = nonzero & ~stride, lower = upper + stride, x = exponent[nonzero];
    exponent[upper] = x;
    exponent[lower] = nonzero == lower ? x + n / 2 : x; /* x[i] - x[i + stride] */
    for (int i = upper; stage < bits && i <= lower; i += stride) {
        if (d == IN_TIME && i & stride / 2)
            exponent[i] += exponent_in_time(bits, bin_of_element(bits, i), stage);
        if (d == IN_FREQUENCY && i == lower)
            exponent[i] += exponent_in_frequency(bits, i, stage);
    }
}

/* After stage p, an impulse at j has reached the elements that are equal to j mod n >> p. */
static void check_impulse(enum decimation d, int bits, const int *bins, int j)
{
    static int exponent[MOST];
    const int n = 1 << bits;
    exponent[j] = 0;
    for (int stage = 1; stage <= bits; stage++) {
        const int before = 2 * stride_of(bits, stage);
        for (int i = j % before; i < n; i += before)
            run_butterfly(d, bits, stage, i, exponent);
    }
    for (int i = 0; i < n; i++)
        if ((exponent[i] - j * bins[i]) % n != 0)
            fail_msg("n %d: impulse at %d: exponent %d in bin %d", n, j, exponent[i], bins[i]);
}

static void check_every_impulse(enum decimation d)
{
    static int bins[MOST];
    for (int bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
        for (int i = 0; i < 1 << bits; i++)
            bins[i] = bin_of_element(bits, i);
        for (int j = 0; j < 1 << bits; j++)
            check_impulse(d, bits, bins, j);
    }
}

static void the_exponents_in_time_give_the_transform_for_every_size(void **state)
{
    (void)state;
    check_every_impulse(IN_TIME);
}

static void the_exponents_in_frequency_give_the_transform_for_every_size(void **state)
{
    (void)state;
    check_every_impulse(IN_FREQUENCY);
}

/* The document's table of 16 points: the exponents of a stage, once for each group of elements. */
static void the_exponents_of_16_points_are_the_documents(void **state)
{
    (void)state;
    static const int table[3][8] = {{0, 4}, {0, 4, 2, 6}, {0, 4, 2, 6, 1, 5, 3, 7}};
    for (int stage = 1; stage <= 3; stage++) {
        const int stride = stride_of(4, stage);
        for (int i = 0; i < 16; i++)
            assert_int_equal(exponent_in_time(4, bin_of_element(4, i), stage),
                             table[stage - 1][i / (2 * stride) * 2 + (i / stride) % 2]);
    }
}

/* "Stage 5: ABCDEXY becomes EDCBA0." */
static void the_exponent_of_stage_5_of_128_points_is_the_documents(void **state)
{
    (void)state;
    for (int i = 0; i < 128; i++) {
        const int a = i >> 6, b = i >> 5 & 1, c = i >> 4 & 1, d = i >> 3 & 1, e = i >> 2 & 1;
        assert_int_equal(exponent_in_time(7, bin_of_element(7, i), 5),
                         e << 5 | d << 4 | c << 3 | b << 2 | a << 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exponents_in_time_give_the_transform_for_every_size),
        cmocka_unit_test(the_exponents_in_frequency_give_the_transform_for_every_size),
        cmocka_unit_test(the_exponents_of_16_points_are_the_documents),
        cmocka_unit_test(the_exponent_of_stage_5_of_128_points_is_the_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
