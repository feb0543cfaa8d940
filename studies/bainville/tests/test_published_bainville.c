/* test_published_bainville.c - the figures of published.c are those of the document's tables. */
#include <math.h>

#include "studies/bainville/published.h"
#include "studies/tests/published_rows.h"
#include "tests/support/cmocka_all.h"

/* The kernels of a radix, in the order of the document's columns. */
static size_t kernels_of(int radix, enum bainville_kernel *first)
{
    *first = radix == 4 ? BAINVILLE_RADIX4_A : radix == 8 ? BAINVILLE_RADIX8_A : BAINVILLE_RADIX16;
    return radix == 4 ? 3 : radix == 8 ? 2 : 1;
}

static void every_figure_is_the_published_one(void **state)
{
    (void)state;
    static struct published_row rows[PUBLISHED_ROWS];
    assert_int_equal(published_rows(PUBLISHED, rows), 9);
    for (size_t i = 0; i < 9; i++) {
        enum bainville_kernel first;
        const enum bainville_method method = (enum bainville_method)rows[i].at[1];
        const size_t kernels = kernels_of((int)rows[i].at[0], &first);
        assert_int_equal(rows[i].columns, 2 + 2 * kernels);
        for (size_t k = 0; k < kernels; k++) {
            const struct bainville_documented got = bainville_documented(
                BAINVILLE_DOCUMENT_N, (enum bainville_kernel)(first + k), method);
            published_same("GTX285", i, got.gtx285, rows[i].at[2 + k]);
            published_same("HD5870", i, got.hd5870, rows[i].at[2 + kernels + k]);
        }
    }
}

static void other_kernels_and_sizes_have_no_figures(void **state)
{
    (void)state;
    for (int k = 0; k < BAINVILLE_KERNELS; k++) {
        const enum bainville_kernel kernel = (enum bainville_kernel)k;
        assert_true(isnan(bainville_documented(1 << 23, kernel, BAINVILLE_SINCOS).gtx285));
        assert_true(isnan(bainville_documented(1 << 24, kernel, BAINVILLE_TABLE).hd5870));
    }
    assert_true(isnan(bainville_documented(1 << 24, BAINVILLE_RADIX2, BAINVILLE_SINCOS).gtx285));
    assert_true(isnan(bainville_documented(1 << 24, BAINVILLE_RADIX32, BAINVILLE_SINCOS).gtx285));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_the_published_one),
        cmocka_unit_test(other_kernels_and_sizes_have_no_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
