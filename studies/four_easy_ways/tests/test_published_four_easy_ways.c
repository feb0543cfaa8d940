/* test_published_four_easy_ways.c - the figures of document.c are those of the document's tables.
 */
#include <math.h>

#include "studies/four_easy_ways/document.h"
#include "studies/tests/published_rows.h"
#include "tests/support/cmocka_all.h"

enum { TABLE_1_ROWS = 22, TABLE_2_ROWS = 21 };

static void check_origin(size_t row, const struct published_row *want)
{
    const struct document_origin got = document_origin(1U << (int)want->at[1]);
    const double all[] = {got.radix2, got.imsl, got.nag, got.scsl, got.fftw};
    assert_int_equal(want->columns, 7);
    for (size_t i = 0; i < 5; i++)
        published_same("table I", row, all[i], want->at[2 + i]);
}

static void check_sp2(size_t row, const struct published_row *want)
{
    const struct document_sp2 got = document_sp2(1U << (int)want->at[1]);
    const double all[] = {got.radix2, got.essl, got.fftw};
    assert_int_equal(want->columns, 5);
    for (size_t i = 0; i < 3; i++)
        published_same("table II", row, all[i], want->at[2 + i]);
}

static void check_base(size_t row, const struct published_row *want)
{
    const struct document_base *got = &document_bases[row];
    const double all[] = {
        got->base, got->fault_s, got->faults, 100 * got->fault_share, 100 * got->user_share,
        got->run_s};
    assert_int_equal(want->columns, 7);
    for (size_t i = 0; i < 6; i++)
        published_same("table III", row, all[i], want->at[1 + i]);
}

static void every_figure_is_the_published_one(void **state)
{
    (void)state;
    static struct published_row rows[PUBLISHED_ROWS];
    const size_t count = published_rows(PUBLISHED, rows);
    size_t of_table[4] = {0};
    for (size_t i = 0; i < count; i++) {
        const int table = (int)rows[i].at[0];
        assert_in_range(table, 1, 3);
        if (table == 1)
            check_origin(of_table[1], &rows[i]);
        else if (table == 2)
            check_sp2(of_table[2], &rows[i]);
        else
            check_base(of_table[3], &rows[i]);
        of_table[table]++;
    }
    assert_int_equal(of_table[1], TABLE_1_ROWS);
    assert_int_equal(of_table[2], TABLE_2_ROWS);
    assert_int_equal(of_table[3], DOCUMENT_BASES);
}

static void other_sizes_have_no_figures(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {4, 1U << 25, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_true(isnan(document_origin(sizes[i]).radix2));
        assert_true(isnan(document_sp2(sizes[i]).radix2));
    }
    assert_true(isnan(document_sp2(1U << 24).radix2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_the_published_one),
        cmocka_unit_test(other_sizes_have_no_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
