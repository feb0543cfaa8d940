/* test_published_gpu_fft.c - the figures of published.c are those of the manual and the document.
 */
#include "studies/gpu_fft/published.h"
#include "studies/tests/published_rows.h"
#include "tests/support/cmocka_all.h"

static double digits_of(const uint8_t *bits)
{
    double digits = 0;
    while (*bits)
        digits = 10 * digits + *bits++;
    return digits;
}

static void every_figure_is_the_published_one(void **state)
{
    (void)state;
    static struct published_row rows[PUBLISHED_ROWS];
    assert_int_equal(published_rows(PUBLISHED, rows), GPU_FFT_LENGTHS);
    for (size_t i = 0; i < GPU_FFT_LENGTHS; i++) {
        const struct gpu_fft *got = &gpu_fft[i];
        const double all[] = {(double)(GPU_FFT_MIN_LOG2 + i),
                              digits_of(got->bits),
                              got->rms,
                              got->one_ms,
                              got->ten_ms,
                              got->fftw_ms};
        assert_int_equal(rows[i].columns, sizeof all / sizeof all[0]);
        for (size_t c = 0; c < sizeof all / sizeof all[0]; c++)
            published_same("gpu_fft.txt", i, all[c], rows[i].at[c]);
    }
}

/* Passes make up the length. */
static void structures_have_all_bits(void **state)
{
    (void)state;
    for (int i = 0; i < GPU_FFT_LENGTHS; i++) {
        int sum = 0;
        for (const uint8_t *bits = gpu_fft[i].bits; *bits; bits++)
            sum += *bits;
        assert_int_equal(sum, GPU_FFT_MIN_LOG2 + i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_the_published_one),
        cmocka_unit_test(structures_have_all_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
