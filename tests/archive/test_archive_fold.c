/* test_archive_fold.c - folds rows of times and durations that no archive may have. */
#include "tests/support/cmocka_all.h"

#include "daemon/archive/write/archive_fold.h"

static int64_t end_of(const struct archive_row *row)
{
    return row->time_ns > INT64_MAX - row->duration_ns ? INT64_MAX
                                                       : row->time_ns + row->duration_ns;
}

/* What two rows cover, from the first one's time on. */
static int64_t joined_ns(const struct archive_row *a, const struct archive_row *b)
{
    const int64_t end = end_of(a) > end_of(b) ? end_of(a) : end_of(b);
    return a->time_ns < 0 && end > INT64_MAX + a->time_ns ? INT64_MAX : end - a->time_ns;
}

static void rows_at_the_ends_of_time_are_folded_without_an_overflow(void **state)
{
    static const int64_t times[] = {-8520336000000000000, -1,       0, 1, 1700000000000000000,
                                    9100000000000000000,  INT64_MAX};
    static const int64_t durations[] = {0, 1, 100000000, 4700000000000000000, INT64_MAX};
    enum {
        TIMES = sizeof times / sizeof times[0],
        DURATIONS = sizeof durations / sizeof durations[0]
    };
    (void)state;
    for (int i = 0; i < TIMES * DURATIONS * TIMES * DURATIONS; i++) {
        const int a = i % (TIMES * DURATIONS), b = i / (TIMES * DURATIONS);
        struct archive_fold_row sum = {0}, next = {0};
        sum.row = (struct archive_row){.time_ns = times[a % TIMES],
                                       .duration_ns = durations[a / TIMES],
                                       .lines = 1,
                                       .frames = 1};
        next.row = (struct archive_row){.time_ns = times[b % TIMES],
                                        .duration_ns = durations[b / TIMES],
                                        .lines = 1,
                                        .frames = 1};
        const int64_t want = joined_ns(&sum.row, &next.row);
        archive_fold_add(&sum, &next);
        assert_true(sum.row.duration_ns == want);
    }
}

/* The rate of a recording is whatever its metadata say. */
static void a_line_of_a_thousand_years_has_a_duration(void **state)
{
    struct archive_fold_row row = {0};
    struct archive_fold_state before = {0};
    struct line line = {.n = 64, .time_ns = 1700000000000000000, .sample_count = 1000000};
    (void)state;
    line.tuning.rate_hz = 1e6;
    archive_fold_take_line(&row, &before, &line, NULL, 64, false);
    assert_true(row.row.duration_ns == 1000000000);
    line.tuning.rate_hz = 1e-6;
    archive_fold_take_line(&row, &before, &line, NULL, 64, false);
    assert_true(row.row.duration_ns > 9000000000000000000);
    assert_true(archive_row_end_ns(&row.row) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_the_ends_of_time_are_folded_without_an_overflow),
        cmocka_unit_test(a_line_of_a_thousand_years_has_a_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
