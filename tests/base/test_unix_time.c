/* test_unix_time.c - dates against known counts of seconds (those of `date -u +%s`). */
#include <errno.h>
#include <stdlib.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/unix_time.h"

static void dates_become_nanoseconds_since_1970(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t seconds, nanoseconds;
    } table[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"2021-06-18T23:17:51.163959Z", 1624058271, 163959000},
        {"2000-02-29T12:00:00Z", 951825600, 0},
        {"2000-03-01T00:00:00.5Z", 951868800, 500000000},
        {"1900-03-01T00:00:00Z", -2203891200, 0},
        {"2038-01-19T03:14:08.0000000019Z", 2147483648, 1},
        {"2016-12-31T23:59:60Z", 1483228800, 0},
        {"2261-12-31T23:59:59Z", 9214646399, 0},
        {"1700-01-01T00:00:00Z", -8520336000, 0},
        {"2261-12-31T23:59:59+00:01", 9214646339, 0},
        {"2021-06-18T23:17:51", 1624058271, 0},
        {"2021-06-18 23:17:51", 1624058271, 0},
        {"2021-06-18t23:17:51z", 1624058271, 0},
        {"2021-06-18T23:17:51+00:00", 1624058271, 0},
        {"2021-06-18 23:17:51.5-00:00", 1624058271, 500000000},
        {"2021-06-19T01:17:51,25+02:00", 1624058271, 250000000},
        {"2021-06-18T19:47:51.163959-0330", 1624058271, 163959000},
        {"2021-06-19T08:17:51+09", 1624058271, 0},
        {"2021-06-18T23:17:51.1639590000000000000000000000001Z", 1624058271, 163959000},
        {"2021-06-18T23:17:51.000000999999999", 1624058271, 999},
        {"1970-01-01T00:30:00+01:00", -1800, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t ns = 0;
        assert_int_equal(unix_time_parse(table[i].text, &ns), 0);
        assert_true(ns == table[i].seconds * 1000000000 + table[i].nanoseconds);
    }
}

static void nanoseconds_become_dates_also_before_1970(void **state)
{
    (void)state;
    struct unix_stamp s = unix_time_stamp(1624058271163959999);
    assert_int_equal(s.tm.tm_year, 121);
    assert_int_equal(s.tm.tm_yday, 168); /* 18 June */
    assert_int_equal(s.tm.tm_hour * 3600 + s.tm.tm_min * 60 + s.tm.tm_sec, 83871);
    assert_int_equal(s.microseconds, 163959);
    s = unix_time_stamp(-1);
    assert_int_equal(s.tm.tm_year, 69);
    assert_int_equal(s.tm.tm_sec, 59);
    assert_int_equal(s.microseconds, 999999);
    s = unix_time_stamp(4102444800 * 1000000000); /* date -u -d 2100-01-01 +%s */
    assert_int_equal(s.tm.tm_year, 200);
    assert_int_equal(s.tm.tm_yday, 0);
}

static void invalid_dates_are_refused(void **state)
{
    (void)state;
    static const char *const table[] = {
        "",
        "2021",
        "2021-06-18",
        "2021-06-18T23:17",
        "2021-06-18T23:17:51.Z",
        "2021-06-18_23:17:51Z",
        "2021-06-18T23:17:51 Z",
        "2021-06-18T23:17:51+",
        "2021-06-18T23:17:51+2",
        "2021-06-18T23:17:51+02:",
        "2021-06-18T23:17:51+02:0",
        "2021-06-18T23:17:51+02:60",
        "2021-06-18T23:17:51+24:00",
        "2021-06-18T23:17:51+02:00Z",
        "2021-06-18T23:17:51 CEST",
        "2021-06-18T23:17:51Zx",
        "2021-13-18T23:17:51Z",
        "2021-00-18T23:17:51Z",
        "2021-02-29T23:17:51Z",
        "1900-02-29T23:17:51Z",
        "2021-06-18T24:17:51Z",
        "2021-06-18T23:60:51Z",
        "2021-06-18T23:17:61Z",
        "2300-01-01T00:00:00Z",
        "1700-01-01T00:00:00+00:01",
        "2261-12-31T23:59:59-00:01",
        "2261-12-31T23:59:60Z",
        "-021-06-18T23:17:51Z",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t ns = 0;
        assert_int_equal(unix_time_parse(table[i], &ns), -EINVAL);
    }
}

static void a_time_is_a_date_or_seconds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ns;
        bool is_date;
    } table[] = {{"1970-01-01T00:01:00Z", 60000000000, true},
                 {"60", 60000000000, false},
                 {"1.5", 1500000000, false},
                 {"-1h", -3600000000000, false},
                 {"1969-12-31T23:59:59Z", -1000000000, true}};
    int64_t ns = 0;
    bool is_date = false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(unix_time_read(table[i].text, &ns, &is_date), 0);
        assert_true(ns == table[i].ns && is_date == table[i].is_date);
        assert_int_equal(unix_time_read(table[i].text, &ns, NULL), 0);
    }
    static const char *const bad[] = {"", "yesterday", "1e10", "-9.1e9", "nan", "1970-01-01"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(unix_time_read(bad[i], &ns, NULL), -EINVAL);
}

static void sums_of_times_do_not_overflow(void **state)
{
    static const int64_t times[] = {INT64_MIN, INT64_MIN + 1,  -UNIX_TIME_MOST, -1,       0,
                                    1,         UNIX_TIME_MOST, INT64_MAX - 1,   INT64_MAX};
    static const double seconds[] = {-INFINITY, -1e300, -9.3e9, -1e-9,    0,
                                     1e-9,      9.3e9,  1e300,  INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        for (size_t k = 0; k < sizeof seconds / sizeof seconds[0]; k++) {
            const int64_t sum = unix_time_after(times[i], seconds[k]);
            assert_true(sum >= -UNIX_TIME_MOST && sum <= UNIX_TIME_MOST);
            const double at_s = isnan(seconds[k]) ? 0 : seconds[k];
            if (fabs(at_s) < 1 && llabs(times[i] / 2) < UNIX_TIME_MOST / 2 - 1000)
                assert_true(sum == times[i] + llround(at_s * 1e9));
        }
    assert_true(unix_time_after(1600000000000000000, 0.5) == 1600000000500000000);
    assert_true(unix_time_seconds(1600000000000000000, 1600000000500000000) == 0.5);
    assert_true(fabs(unix_time_seconds(INT64_MIN, INT64_MAX) / 18446744073.7 - 1) < 1e-9);
    assert_true(unix_time_seconds(INT64_MAX, INT64_MIN) < -1.8e10);
}

static void a_sum_of_times_ends_where_64_bits_do(void **state)
{
    static const int64_t values[] = {
        INT64_MIN,           INT64_MIN + 1,       -8520336000000000000, -1,       0, 1,
        9214646399999999999, 9100000000000000000, INT64_MAX - 1,        INT64_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            const int64_t a = values[i], b = values[k];
            const bool above = b > 0 && a > INT64_MAX - b, below = b < 0 && a < INT64_MIN - b;
            assert_true(unix_time_sum(a, b) == (above ? INT64_MAX : below ? INT64_MIN : a + b));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_is_a_date_or_seconds),
        cmocka_unit_test(dates_become_nanoseconds_since_1970),
        cmocka_unit_test(nanoseconds_become_dates_also_before_1970),
        cmocka_unit_test(invalid_dates_are_refused),
        cmocka_unit_test(sums_of_times_do_not_overflow),
        cmocka_unit_test(a_sum_of_times_ends_where_64_bits_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
