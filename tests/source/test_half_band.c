/* test_half_band.c - real samples become IQ: one half of the spectrum, its level, its time. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/source/file/half_band.h"

enum { PAIRS = 4000, SKIP = 200 };

/* A real tone of amplitude 0.1 at `cycles` a real sample, through the filter, in blocks. */
static void run_tone(double cycles, size_t block, struct fft_iq out[PAIRS])
{
    struct half_band *h = malloc(sizeof *h);
    assert_non_null(h);
    half_band_init(h);
    size_t done = 0;
    for (size_t m = 0; m < PAIRS; m += block) {
        struct fft_iq in[PAIRS];
        const size_t count = PAIRS - m < block ? PAIRS - m : block;
        for (size_t i = 0; i < count; i++) {
            const double at = 2.0 * (double)(m + i);
            in[i] = (struct fft_iq){(float)(0.1 * cos(2 * M_PI * cycles * at)),
                                    (float)(0.1 * cos(2 * M_PI * cycles * (at + 1)))};
        }
        const size_t got = half_band_run(h, in, in, count);
        memcpy(out + done, in, got * sizeof *out);
        done += got;
    }
    assert_int_equal(done, PAIRS - HALF_BAND_AHEAD);
    done += half_band_run(h, NULL, out + done, HALF_BAND_AHEAD);
    assert_int_equal(done, PAIRS);
    free(h);
}

/* Amplitude at a frequency in cycles a sample of the result, of its middle. */
static double complex amplitude(const struct fft_iq *out, double cycles)
{
    double complex sum = 0;
    for (int m = SKIP; m < PAIRS - SKIP; m++)
        sum += (out[m].re + I * out[m].im) * cexp(-2 * M_PI * I * cycles * m);
    return sum / (PAIRS - 2 * SKIP);
}

static double db(double ratio)
{
    return 20 * log10(ratio + 1e-12);
}

/* A tone at 0.3 R is at 0.3 R - R/4 of half the rate, so at 0.1 of it; its mirror at -0.1. */
static void a_tone_keeps_its_level_and_has_no_mirror(void **state)
{
    (void)state;
    static struct fft_iq out[PAIRS];
    for (int k = 2; k <= 48; k++) { /* a whole number of periods in 3600 samples */
        const double cycles = k / 100.0, at = 2 * (cycles - 0.25);
        run_tone(cycles, 256, out);
        const double complex there = amplitude(out, at);
        if (fabs(db(cabs(there) / 0.1)) > 0.001)
            fail_msg("%g: level wrong by %g dB", cycles, db(cabs(there) / 0.1));
        if (k != 25 && db(cabs(amplitude(out, -at)) / 0.1) > -90)
            fail_msg("%g: mirror at %g dB", cycles, db(cabs(amplitude(out, -at)) / 0.1));
        /* a cosine: its phase is 0 at the first sample, so nothing is delayed */
        assert_true(fabs(carg(there)) < 1e-4);
    }
}

static void blocks_do_not_matter(void **state)
{
    (void)state;
    static struct fft_iq out[3][PAIRS];
    run_tone(0.1234, 1, out[0]);
    run_tone(0.1234, 999, out[1]);
    run_tone(0.1234, PAIRS, out[2]);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_equal(out[0], out[2], sizeof out[0]);
}

static void after_a_restart_nothing_is_left(void **state)
{
    (void)state;
    static struct fft_iq first[500], second[500], in[500];
    struct half_band *h = malloc(sizeof *h);
    assert_non_null(h);
    half_band_init(h);
    for (int i = 0; i < 500; i++)
        in[i] = (struct fft_iq){(float)sin(i), (float)cos(3 * i)};
    assert_int_equal(half_band_run(h, in, first, 500), 500 - HALF_BAND_AHEAD);
    half_band_run(h, in, second, 77);
    half_band_restart(h);
    assert_int_equal(half_band_run(h, in, second, 500), 500 - HALF_BAND_AHEAD);
    assert_memory_equal(first, second, (500 - HALF_BAND_AHEAD) * sizeof *first);
    free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_keeps_its_level_and_has_no_mirror),
        cmocka_unit_test(blocks_do_not_matter),
        cmocka_unit_test(after_a_restart_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
