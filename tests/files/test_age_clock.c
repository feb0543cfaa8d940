/* test_age_clock.c - from which time ages count while the clock of the computer is wrong. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/files/age_clock.h"

static const int64_t s_ns = 1000000000, day_ns = INT64_C(86400) * 1000000000;
static const int64_t t0 = INT64_C(1800000000) * 1000000000; /* 2027-01-15 */

static char folder[64], file[128];
static int64_t unix_time, running;
static bool synchronised;
static struct age_clock *c;

static int64_t fake_unix(void)
{
    return unix_time;
}

static int64_t fake_running(void)
{
    return running;
}

static bool fake_synchronised(int64_t unix_ns)
{
    return synchronised && unix_ns == unix_time;
}

static const struct age_clock_source fake = {fake_unix, fake_running, fake_synchronised};

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fftd-age-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/%s", folder, AGE_CLOCK_FILE);
    unix_time = t0;
    running = 100 * s_ns;
    synchronised = false;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    age_clock_destroy(c);
    c = NULL;
    unlink(file);
    return rmdir(folder);
}

/* A start of the process, of a computer that was off meanwhile. */
static void start(int64_t unix_ns, int64_t newest_ns)
{
    age_clock_destroy(c);
    unix_time = unix_ns;
    running = 7 * s_ns;
    assert_int_equal(age_clock_create(&c, folder, newest_ns, &fake), 0);
}

static void pass(int64_t ns)
{
    unix_time += ns;
    running += ns;
}

#define assert_time(a, b) assert_true((a) == (b))

static void a_right_clock_goes_on_for_months_and_over_restarts(void **state)
{
    (void)state;
    start(t0, INT64_MIN);
    for (int day = 0; day < 200; day++) {
        assert_time(age_clock_now_ns(c), t0 + day * day_ns);
        assert_time(age_clock_stamp_ns(c), t0 + day * day_ns);
        pass(day_ns);
    }
    for (int off = 1; off <= 30; off += 29) { /* days: the start after it believes them */
        const int64_t before = unix_time;
        start(unix_time + off * day_ns, INT64_MIN);
        assert_time(age_clock_now_ns(c), before);
        assert_time(age_clock_stamp_ns(c), unix_time);
        start(unix_time, INT64_MIN);
        assert_time(age_clock_now_ns(c), unix_time);
    }
}

/* Of the file: a link, a second name, a FIFO, a folder. */
static void nothing_but_its_own_file_is_written_and_nothing_waited_for(void **state)
{
    char other[128], text[16] = "";
    (void)state;
    snprintf(other, sizeof other, "%s/other", folder);
    for (int kind = 0; kind < 4; kind++) {
        FILE *f = fopen(other, "w+");
        assert_non_null(f);
        fputs("precious", f);
        fflush(f);
        assert_int_equal(kind == 0   ? symlink(other, file)
                         : kind == 1 ? link(other, file)
                         : kind == 2 ? mkfifo(file, 0600)
                                     : mkdir(file, 0700),
                         0);
        start(t0, INT64_MIN);
        assert_time(age_clock_now_ns(c), t0);
        age_clock_destroy(c);
        c = NULL;
        fclose(f);
        f = fopen(other, "r");
        assert_non_null(f);
        assert_non_null(fgets(text, sizeof text, f));
        fclose(f);
        assert_string_equal(text, "precious");
        remove(file);
        unlink(other);
    }
}

static void a_start_that_is_ahead_counts_from_the_newest_and_runs_on(void **state)
{
    const int64_t ahead[] = {day_ns, 40 * day_ns, 730 * day_ns, 36500 * day_ns};
    (void)state;
    for (size_t i = 0; i < sizeof ahead / sizeof ahead[0]; i++) {
        age_clock_destroy(c);
        c = NULL;
        unlink(file);
        start(t0 + ahead[i], t0);
        assert_time(age_clock_now_ns(c), t0);
        pass(5 * day_ns);
        assert_time(age_clock_now_ns(c), t0 + 5 * day_ns);
    }
}

static void starts_far_ahead_are_never_believed_however_many(void **state)
{
    (void)state;
    start(t0, INT64_MIN);
    age_clock_now_ns(c);
    for (int i = 0; i < 5; i++) {
        start(t0 + 730 * day_ns, t0 + 730 * day_ns); /* things of the future are there by now */
        assert_time(age_clock_now_ns(c), t0 + i * s_ns);
        assert_time(age_clock_stamp_ns(c), t0 + i * s_ns);
        pass(s_ns);
    }
    start(t0 + 60 * s_ns, t0 + 730 * day_ns); /* the clock is right again */
    assert_time(age_clock_now_ns(c), t0 + 5 * s_ns);
    assert_time(age_clock_stamp_ns(c), unix_time);
    start(unix_time, INT64_MIN);
    assert_time(age_clock_now_ns(c), unix_time);
}

static void a_dead_clock_neither_stops_ages_nor_spoils_the_next_start(void **state)
{
    const int64_t dead[] = {5 * s_ns, INT64_C(946684800) * s_ns}; /* 1970, 2000 */
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        age_clock_destroy(c);
        c = NULL;
        unlink(file);
        start(t0, INT64_MIN);
        age_clock_now_ns(c);
        start(dead[i], INT64_MIN);
        assert_time(age_clock_now_ns(c), t0);
        pass(3 * day_ns);
        assert_time(age_clock_now_ns(c), t0 + 3 * day_ns);
        assert_time(age_clock_stamp_ns(c), t0 + 3 * day_ns);
        start(t0 + 4 * day_ns, INT64_MIN);
        assert_time(age_clock_now_ns(c), t0 + 3 * day_ns); /* a day is not proved yet */
        assert_time(age_clock_stamp_ns(c), t0 + 4 * day_ns);
        start(t0 + 4 * day_ns, INT64_MIN);
        assert_time(age_clock_now_ns(c), t0 + 4 * day_ns);
    }
}

static void a_jump_while_it_runs_changes_nothing(void **state)
{
    (void)state;
    start(t0, INT64_MIN);
    age_clock_now_ns(c);
    unix_time += 730 * day_ns;
    pass(60 * s_ns);
    assert_time(age_clock_now_ns(c), t0 + 60 * s_ns);
    unix_time -= 730 * day_ns;
    pass(60 * s_ns);
    assert_time(age_clock_now_ns(c), t0 + 120 * s_ns);
    unix_time = 3 * s_ns;
    pass(60 * s_ns);
    assert_time(age_clock_now_ns(c), t0 + 180 * s_ns);
}

static void a_synchronised_clock_is_believed_at_once(void **state)
{
    (void)state;
    start(t0, INT64_MIN);
    age_clock_now_ns(c);
    synchronised = true;
    start(t0 + 300 * day_ns, INT64_MIN);
    assert_time(age_clock_now_ns(c), t0 + 300 * day_ns);
    synchronised = false; /* it goes on from there */
    unix_time += 730 * day_ns;
    pass(s_ns);
    assert_time(age_clock_now_ns(c), t0 + 300 * day_ns + s_ns);
}

/* What the system says is of its own time: a time that differs is that of a preloaded library. */
static void the_system_does_not_vouch_for_another_time(void **state)
{
    (void)state;
    assert_false(age_clock_system.synchronised(clock_unix_ns() + 730 * day_ns));
    assert_false(age_clock_system.synchronised(clock_unix_ns() - 5 * s_ns));
    assert_false(age_clock_system.synchronised(0));
    assert_false(age_clock_system.synchronised(INT64_MAX));
    assert_false(age_clock_system.synchronised(INT64_MIN));
}

static void write_text(const char *text)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Then the newest thing is what is known. */
static void a_file_that_says_nothing_is_passed_over(void **state)
{
    static const char *const bad[] = {"",
                                      "fftd-clock",
                                      "fftd-clock 1 5",
                                      "fftd-clock 1 99999999999999999999999 1\n",
                                      "fftd-clock 1 -5 -5\n",
                                      "fftd-clock 2 1900000000000000000 1900000000000000000\n",
                                      "fftd-clock 1 1900000000000000000 1900000000000000000",
                                      "fftd-clock 1 9223372036854775807 9223372036854775807\n",
                                      "\xff\xfe\x00\x01"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_text(bad[i]);
        start(t0 + 100 * day_ns, t0);
        assert_time(age_clock_now_ns(c), t0);
        age_clock_destroy(c);
        c = NULL;
    }
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0);
    start(t0 + 100 * day_ns, t0);
    assert_time(age_clock_now_ns(c), t0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_right_clock_goes_on_for_months_and_over_restarts),
        TEST(a_start_that_is_ahead_counts_from_the_newest_and_runs_on),
        TEST(starts_far_ahead_are_never_believed_however_many),
        TEST(a_dead_clock_neither_stops_ages_nor_spoils_the_next_start),
        TEST(a_jump_while_it_runs_changes_nothing),
        TEST(a_synchronised_clock_is_believed_at_once),
        TEST(the_system_does_not_vouch_for_another_time),
        TEST(a_file_that_says_nothing_is_passed_over),
        TEST(nothing_but_its_own_file_is_written_and_nothing_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
