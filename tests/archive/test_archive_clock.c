/* test_archive_clock.c - what the archive keeps, and shows, of a computer whose clock is wrong. */
#include "tests/archive/archive_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "daemon/archive/read/playback.h"
#include "daemon/archive/read/survey.h"
#include "daemon/archive/store/archive_age.h"
#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/reason.h"

static const int64_t s_ns = 1000000000, day_ns = INT64_C(86400) * 1000000000;
static const int64_t t0 = INT64_C(1800000000) * 1000000000; /* 2027-01-15 */
static int64_t unix_time;

int64_t __wrap_clock_unix_ns(void); /* NOLINT(bugprone-reserved-identifier): the linker's name */
int64_t __wrap_clock_unix_ns(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return unix_time;
}

static int set_up(void **state)
{
    static struct archive_fixture r;
    archive_fixture_init(&r);
    r.options.tiers = "10/s:1h,1/s:1d";
    *state = &r;
    return 0;
}

static int tear_down(void **state)
{
    archive_fixture_remove(*state);
    return 0;
}

/* A run whose first line has this time, and whose clock says so. */
static void run_at(struct archive_fixture *r, int64_t at_ns, uint32_t lines)
{
    unix_time = at_ns;
    r->next = (uint64_t)((at_ns - fixture_start_ns) / r->line_ns); /* before 2023: it wraps */
    if (at_ns < fixture_start_ns)
        r->next = (uint64_t) - (int64_t)((fixture_start_ns - at_ns) / r->line_ns);
    archive_fixture_start(r);
    archive_fixture_add_noise(r, lines);
    unix_time += lines * r->line_ns;
    archive_fixture_stop(r);
}

static unsigned count_segments(const struct archive_fixture *r, const char *prefix)
{
    unsigned count = 0;
    const struct dirent *entry;
    DIR *dir = opendir(r->folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(dir);
    return count;
}

/* The time that a picture covers. */
static struct archive_interval covered(const struct archive_fixture *r, struct archive_time from,
                                       struct archive_time to)
{
    struct archive_query q = archive_fixture_query(1, 500, 1);
    q.from = from;
    q.to = to;
    struct archive_picture p = archive_fixture_read(r, &q);
    struct archive_interval interval = {INT64_MAX, INT64_MIN};
    for (uint32_t row = 0; row < p.rows; row++)
        if (!isnan(p.level[row])) {
            const int64_t at = p.start_ns + row * p.row_ns;
            interval.from_ns = at < interval.from_ns ? at : interval.from_ns;
            interval.to_ns = at + p.row_ns;
        }
    archive_picture_finish(&p);
    return interval;
}

static const struct archive_time oldest = {INT64_MIN, false}, newest = {INT64_MAX, false};
static const struct archive_time minute_ago = {-60 * INT64_C(1000000000), true};

/* ---- deleting --------------------------------------------------------------------------- */

static void starts_ahead_delete_nothing_however_often(void **state)
{
    const int64_t ahead[] = {40 * day_ns, 730 * day_ns, 730 * day_ns, 30000 * day_ns, 730 * day_ns};
    struct archive_fixture *r = *state;
    run_at(r, t0, 100);
    for (unsigned i = 0; i < 5; i++)
        run_at(r, t0 + ahead[i], 100);
    run_at(r, t0 + 60 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080000Z"), 1);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080100Z"), 1);
    assert_int_equal(count_segments(r, "spectra_1s_20270115T080000Z"), 1);
}

/* Of two days nobody knows whether the computer was off: the start after them believes it. */
static void one_start_ahead_by_days_deletes_nothing(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0, 100);
    run_at(r, t0 + 2 * day_ns, 100);
    run_at(r, t0 + 60 * s_ns, 100);
    run_at(r, t0 + 2 * day_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080000Z"), 1);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080100Z"), 1);
}

static void a_dead_clock_deletes_nothing_and_its_rows_stay(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0, 100);
    run_at(r, 10 * s_ns, 100);                 /* 1970 */
    run_at(r, INT64_C(946684800) * s_ns, 100); /* 2000 */
    run_at(r, t0 + 60 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_2027"), 2);
    assert_int_equal(count_segments(r, "spectra_0.1s_1970"), 1);
    assert_int_equal(count_segments(r, "spectra_0.1s_2000"), 1);
}

/* Rows of an hour that a right clock wrote go, restart by restart. */
static void a_right_clock_deletes_in_time(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0, 100);
    run_at(r, t0 + 1800 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_"), 2);
    run_at(r, t0 + 3700 * s_ns, 100); /* the first run is older than an hour, by this start alone */
    run_at(r, t0 + 3720 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080000Z"), 0);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T083000Z"), 1);
    assert_int_equal(count_segments(r, "spectra_1s_20270115T080000Z"), 1);
}

/* Rows of the future get older like those that were written before and after them. */
static void rows_of_the_future_do_not_stay_longer(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0 + 730 * day_ns, 100);
    for (int i = 0; i < 5; i++)
        run_at(r, t0 + i * 1200 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_0.1s_2029"), 0);
    assert_true(count_segments(r, "spectra_0.1s_2027") >= 3);
}

static void by_size_what_was_written_first_goes_first(void **state)
{
    struct archive_fixture *r = *state;
    r->options.tiers = "10/s:1d";
    run_at(r, t0 + 730 * day_ns, 100); /* from the future, 1970, and then right ones */
    run_at(r, 10 * s_ns, 100);
    run_at(r, t0, 100);
    run_at(r, t0 + 60 * s_ns, 100);
    r->options.max_bytes = 1;
    run_at(r, t0 + 120 * s_ns, 0); /* all but what is written now, which is nothing */
    assert_int_equal(count_segments(r, "spectra_0.1s_"), 0);
    r->options.max_bytes = 0;
    run_at(r, t0 + 730 * day_ns, 100);
    run_at(r, t0, 100);
    run_at(r, 10 * s_ns, 100);
    run_at(r, t0 + 60 * s_ns, 100);
    struct archive_store_totals t;
    sqlite3 *db;
    assert_int_equal(archive_index_open_read(&db, r->folder), 0);
    archive_index_totals(db, &t);
    sqlite3_close(db);
    r->options.max_bytes = t.bytes / 2;
    run_at(r, t0 + 120 * s_ns, 0);
    assert_int_equal(count_segments(r, "spectra_0.1s_2029"), 0);
    assert_int_equal(count_segments(r, "spectra_0.1s_20270115T080000Z"), 0);
    assert_true(count_segments(r, "spectra_0.1s_20270115T080100Z") == 1);
}

static void claims_at_the_ends_of_time_overflow_nothing(void **state)
{
    (void)state;
    struct archive_aged list[] = {{1, 1, 1, INT64_MIN, INT64_MAX, 0},
                                  {2, 1, 1, INT64_MAX, INT64_MIN, 0},
                                  {3, 1, 1, INT64_MIN, INT64_MIN, 0},
                                  {4, 1, 1, INT64_MAX, INT64_MAX, 0},
                                  {5, UINT64_MAX, UINT64_MAX, INT64_MIN, INT64_MAX, 0}};
    archive_age_sort(list, 5, INT64_MAX);
    archive_age_sort(list, 5, INT64_MIN);
    archive_age_sort(list, 0, 0);
}

/* ---- reading ---------------------------------------------------------------------------- */

static void fill_with_wrong_clocks(struct archive_fixture *r)
{
    run_at(r, t0, 100);
    run_at(r, t0 + 730 * day_ns, 700);
    run_at(r, 10 * s_ns, 100);
    run_at(r, t0 + 60 * s_ns, 100); /* right again: ends 70 s after the first row */
}

static void views_show_the_rows_of_the_right_clock(void **state)
{
    struct archive_fixture *r = *state;
    fill_with_wrong_clocks(r);
    struct archive_interval interval = covered(r, oldest, newest);
    assert_true(interval.from_ns == t0 && interval.to_ns == t0 + 70 * s_ns);
    interval = covered(r, minute_ago, newest);
    assert_true(interval.from_ns == t0 + 60 * s_ns && interval.to_ns == t0 + 70 * s_ns);
    /* by their dates the others are still there */
    interval = covered(r, (struct archive_time){t0 + 700 * day_ns, false},
                       (struct archive_time){t0 + 740 * day_ns, false});
    assert_true(interval.from_ns >= t0 + 729 * day_ns);
    interval = covered(r, (struct archive_time){0, false}, (struct archive_time){day_ns, false});
    assert_true(interval.from_ns >= 0 && interval.to_ns <= day_ns);
}

static void playback_and_surveys_end_with_the_present(void **state)
{
    struct archive_fixture *r = *state;
    struct reason why = {0};
    char text[128];
    struct playback *p;
    struct survey s;
    fill_with_wrong_clocks(r);
    snprintf(text, sizeof text, "%s,from=-1min", r->folder);
    assert_int_equal(playback_open(&p, text, &why), 0);
    const struct archive_interval interval = playback_interval(p);
    assert_true(interval.from_ns == t0 + 10 * s_ns && interval.to_ns == t0 + 70 * s_ns);
    playback_close(p);
    const struct survey_query q = {.from = {-day_ns, true},
                                   .to = newest,
                                   .low_hz = NAN,
                                   .high_hz = NAN,
                                   .detector = 1,
                                   .threshold_db = -85};
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_int_equal(s.hours, 1);
    assert_true(s.hour[0].start_ns == t0 / (3600 * s_ns) * 3600 * s_ns);
    survey_finish(&s);
}

/* While the clock is still ahead, its rows are those of now. */
static void a_clock_that_is_ahead_sees_its_own_rows(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0, 100);
    run_at(r, t0 + 730 * day_ns, 100);
    const struct archive_interval interval = covered(r, minute_ago, newest);
    assert_true(interval.to_ns == t0 + 730 * day_ns + 10 * s_ns);
}

/* A run that is killed after the clock was set back is folded into the coarser tier, once. */
static void coarser_tiers_catch_up_after_the_clock_was_set_back(void **state)
{
    struct archive_fixture *r = *state;
    run_at(r, t0 + 730 * day_ns, 100);
    const unsigned before = count_segments(r, "spectra_1s_2029");
    for (int i = 0; i < 3; i++)
        run_at(r, t0 + i * 60 * s_ns, 100);
    assert_int_equal(count_segments(r, "spectra_1s_2029"), before);
    assert_int_equal(count_segments(r, "spectra_1s_2027"), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static int count_statement(unsigned kind, void *count, void *statement, void *sql)
{
    (void)kind;
    (void)statement;
    (void)sql;
    ++*(int *)count;
    return 0;
}

/* Every request asks for it, and an index of years is long. */
static void the_newest_row_is_one_query_of_each_tier(void **state)
{
    struct archive_fixture *r = *state;
    sqlite3 *db;
    int64_t end_ns;
    uint64_t period_ns[ARCHIVE_TIERS];
    int statements = 0;
    fill_with_wrong_clocks(r);
    assert_int_equal(archive_index_open_read(&db, r->folder), 0);
    const int tiers = archive_find_periods(db, period_ns);
    assert_true(tiers >= 2);
    assert_int_equal(sqlite3_trace_v2(db, SQLITE_TRACE_STMT, count_statement, &statements), 0);
    assert_int_equal(archive_find_newest(db, &end_ns), 0);
    assert_true(end_ns == t0 + 70 * s_ns);
    assert_int_equal(statements, 1 + tiers); /* one for the list of tiers */
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(starts_ahead_delete_nothing_however_often),
        TEST(one_start_ahead_by_days_deletes_nothing),
        TEST(a_dead_clock_deletes_nothing_and_its_rows_stay),
        TEST(a_right_clock_deletes_in_time),
        TEST(rows_of_the_future_do_not_stay_longer),
        TEST(by_size_what_was_written_first_goes_first),
        TEST(claims_at_the_ends_of_time_overflow_nothing),
        TEST(views_show_the_rows_of_the_right_clock),
        TEST(playback_and_surveys_end_with_the_present),
        TEST(a_clock_that_is_ahead_sees_its_own_rows),
        TEST(the_newest_row_is_one_query_of_each_tier),
        TEST(coarser_tiers_catch_up_after_the_clock_was_set_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
