/* test_base.c - the general radix in double precision. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/derivation/base.h"

enum { MAX_N = 16384 };

struct wide {
    long double re, im;
};

static void fill(struct complex64 *x, uint32_t n)
{
    uint64_t state = n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        (i % 2 ? &x[i / 2].im : &x[i / 2].re)[0] = (double)(state >> 11) / 0x1p53 - 0.5;
    }
}

/* Computes the direct sum of bins `step` apart in long double; returns the relative L2 error of
 * those bins. */
static double error(const struct complex64 *got, const struct complex64 *in, uint32_t n,
                    uint32_t step)
{
    struct wide *w = malloc(n * sizeof *w);
    double off = 0, all = 0;
    for (uint32_t k = 0; k < n; k++) {
        const long double angle = -2 * 3.14159265358979323846264338327950288L * k / n;
        w[k] = (struct wide){cosl(angle), sinl(angle)};
    }
    for (uint32_t k = 0; k < n; k += step) {
        struct wide sum = {0, 0};
        for (uint64_t j = 0; j < n; j++) {
            const struct wide t = w[j * k % n];
            sum.re += (long double)in[j].re * t.re - (long double)in[j].im * t.im;
            sum.im += (long double)in[j].re * t.im + (long double)in[j].im * t.re;
        }
        off += pow(got[k].re - (double)sum.re, 2) + pow(got[k].im - (double)sum.im, 2);
        all += pow((double)sum.re, 2) + pow((double)sum.im, 2);
    }
    free(w);
    return sqrt(off / all);
}

typedef void transform(struct complex64 *x, uint32_t n, uint32_t base);

static void check(transform *fft, uint32_t base, uint32_t most)
{
    static struct complex64 in[MAX_N], got[MAX_N];
    for (uint32_t n = base; n <= most; n *= base) {
        fill(in, n);
        memcpy(got, in, n * sizeof *in);
        fft(got, n, base);
        assert_near(error(got, in, n, n / 512 + 1), 0, 2e-15);
    }
}

static void the_block_matrix_of_any_base_is_the_transform(void **state)
{
    static const uint32_t bases[] = {2, 3, 4, 5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        check(base_fft_dense, bases[i], 128);
}

/* There is no plan and no state: the routine takes only n and a base. */
static void one_routine_transforms_every_base_within_2e_15(void **state)
{
    static const uint32_t bases[] = {2, 3, 4, 5, 7, 8, 16, 64, 128, 256};
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        check(base_fft, bases[i], MAX_N);
}

static void a_length_is_transformed_by_any_base_it_is_a_power_of(void **state)
{
    static struct complex64 in[4096], got[4096];
    static const uint32_t bases[] = {2, 4, 8, 16, 64};
    (void)state;
    fill(in, 4096);
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        memcpy(got, in, sizeof in);
        base_fft(got, 4096, bases[i]);
        assert_near(error(got, in, 4096, 7), 0, 2e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_matrix_of_any_base_is_the_transform),
        cmocka_unit_test(one_routine_transforms_every_base_within_2e_15),
        cmocka_unit_test(a_length_is_transformed_by_any_base_it_is_a_power_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
