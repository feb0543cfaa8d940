/* test_reference.c - compares the reference's fast double-precision transform with direct sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "reference/reference.h"

enum { ALL_BINS_TO = 4096, BINS_ABOVE = 16 };

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

/* Each bin of the noise has a power of n/6; errors are relative to its square root. */
static void check_direct_sum(uint32_t n)
{
    struct complex64 *x = malloc(n * sizeof *x), *fft = malloc(n * sizeof *fft);
    uint64_t state = n;
    for (uint32_t i = 0; i < n; i++)
        fft[i] = x[i] = (struct complex64){uniform(&state), uniform(&state)};
    reference_fft(fft, n);

    const uint32_t checks = n <= ALL_BINS_TO ? n : BINS_ABOVE;
    for (uint32_t i = 0; i < checks; i++) {
        const uint32_t k = n <= ALL_BINS_TO ? i : (uint32_t)((uniform(&state) + 0.5) * n) & (n - 1);
        const struct complex64 want = reference_dft_bin(x, n, k);
        const double off = hypot(fft[k].re - want.re, fft[k].im - want.im);
        if (!(off / sqrt(n / 6.0) < 1e-11))
            fail_msg("n = %u, bin %u is off by %g", n, k, off / sqrt(n / 6.0));
    }
    free(x);
    free(fft);
}

static void every_bin_matches_the_direct_sum_up_to_4096(void **state)
{
    (void)state;
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= ALL_BINS_TO; n *= 4)
        check_direct_sum(n);
}

static void random_bins_match_the_direct_sum_up_to_4194304(void **state)
{
    (void)state;
    for (uint32_t n = 2 * ALL_BINS_TO; n <= FFT_SPECTRUM_MAX_N; n *= 8)
        check_direct_sum(n);
    check_direct_sum(FFT_SPECTRUM_MAX_N);
}

/* 1 .. 300 has primes, prime powers and mixtures; 1000 and 5040 occur in the transforms' tests. */
static void other_lengths_match_the_direct_sum(void **state)
{
    struct complex64 x[5040], fft[5040];
    uint64_t seed = 5;
    (void)state;
    for (uint32_t n = 1; n <= 5040; n += n < 300 ? 1 : n == 300 ? 700 : 4040) {
        for (uint32_t i = 0; i < n; i++)
            fft[i] = x[i] = (struct complex64){uniform(&seed), uniform(&seed)};
        reference_dft(fft, n, false);
        for (uint32_t k = 0; k<n; k += n> 300 ? 37 : 1) {
            const struct complex64 want = reference_dft_bin(x, n, k);
            const double off = hypot(fft[k].re - want.re, fft[k].im - want.im);
            if (!(off / sqrt(n / 6.0) < 1e-12))
                fail_msg("n = %u, bin %u is off by %g", n, k, off / sqrt(n / 6.0));
        }
        reference_dft(fft, n, true);
        for (uint32_t i = 0; i < n; i++)
            if (!(hypot(fft[i].re / n - x[i].re, fft[i].im / n - x[i].im) < 1e-13))
                fail_msg("n = %u, sample %u does not come back", n, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bin_matches_the_direct_sum_up_to_4096),
        cmocka_unit_test(other_lengths_match_the_direct_sum),
        cmocka_unit_test(random_bins_match_the_direct_sum_up_to_4194304),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
