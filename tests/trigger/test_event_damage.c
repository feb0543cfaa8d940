/* test_event_damage.c - a database of events that is damaged, or that somebody else wrote. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/trigger/event_log.h"

static char folder[64], path[128];
static struct event_store *store;
static struct event_log *event_log;

/* Event i lasts from second 10 i to 10 i + 5. */
static void add_event(unsigned i)
{
    struct event e = {.type = "level",
                      .exact = true,
                      .time_ns = i * 10000000000LL,
                      .duration_s = 5,
                      .recording = i + 1,
                      .peak_dbfs = -20.0 - i};
    snprintf(e.trigger, sizeof e.trigger, i % 3 ? "often" : "third");
    event_store_add(store, &e);
}

static int start_with(const struct event_limits *limits, struct reason *why)
{
    const struct event_log_config config = {.folder = folder, .limits = *limits, .events = store};
    return event_log_start(&event_log, &config, why);
}

static void start(uint64_t max, double max_age_s)
{
    struct reason why = {0};
    assert_int_equal(event_store_create(&store), 0);
    if (start_with(&(struct event_limits){max, max_age_s}, &why) < 0)
        fail_msg("%s", why.sentence);
}

static void stop(void)
{
    event_log_destroy(event_log);
    event_store_destroy(store);
    event_log = NULL;
    store = NULL;
}

static void await_stored(uint64_t count)
{
    struct event_log_state state;
    for (int tries = 0; tries < 60000; tries++) {
        event_log_state(event_log, &state);
        if (state.stored >= count)
            break;
        event_log_wake(event_log);
        uv_sleep(1);
    }
    assert_int_equal(state.stored, count);
}

static json_t *find(const struct event_filter *filter)
{
    json_t *list = NULL;
    struct reason why = {0};
    if (event_log_find(event_log, store, filter, &list, &why) < 0)
        fail_msg("%s", why.sentence);
    return list;
}

static uint64_t id_at(const json_t *list, size_t i)
{
    return (uint64_t)json_integer_value(json_object_get(json_array_get(list, i), "id"));
}

/* The ids are first, first + step, ... last. */
static void expect_ids(const struct event_filter *filter, uint64_t first, uint64_t step,
                       uint64_t last)
{
    json_t *list = find(filter);
    const size_t count = last < first ? 0 : (size_t)((last - first) / step) + 1;
    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(id_at(list, i), first + i * step);
    json_decref(list);
}

static const struct event_filter all = {EVENT_FILTER_ALL, .limit = 1000};

static void a_damaged_file_is_kept_under_another_name(void **state)
{
    static const char text[] = "these are the minutes of a meeting, and no database at all";
    char got[100] = "", aside[160];
    (void)state;
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    start(0, 0);
    add_event(0);
    stop();
    start(0, 0);
    expect_ids(&all, 1, 1, 1);
    stop();
    snprintf(aside, sizeof aside, "%s.damaged-1", path);
    f = fopen(aside, "r");
    assert_non_null(f);
    assert_non_null(fgets(got, sizeof got, f));
    fclose(f);
    assert_string_equal(got, text);
    unlink(aside);
}

static void alter(const char *sql)
{
    sqlite3 *db;
    char *error = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s", error);
    sqlite3_close(db);
}

#define ROW(id, json) "INSERT OR REPLACE INTO event VALUES (" id ", 'often', 0, 5, 0, " json ");"

static void rows_that_are_no_events_are_left_out(void **state)
{
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < 10; i++)
        add_event(i);
    stop();
    alter(ROW("2", "'{'") ROW("3", "x'00ff'") ROW("4", "17") ROW("5", "'[1]'") ROW("6", "''")
              ROW("7", "'{\"id\": 8}'") ROW("8", "printf('{\"id\": 8%.*c}', 9000000, ' ')"));
    start(0, 0);
    json_t *list = find(&all);
    assert_int_equal(json_array_size(list), 3);
    assert_int_equal(id_at(list, 0), 1);
    assert_int_equal(id_at(list, 1), 9);
    assert_int_equal(id_at(list, 2), 10);
    json_decref(list);
    stop();
}

/* With the largest id, the next insert would fail, and the limit would delete all that is good. */
static void impossible_ids_cost_no_event(void **state)
{
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < 5; i++)
        add_event(i);
    stop();
    alter(ROW("9223372036854775807", "'{\"id\": 9223372036854775807}'") ROW("-7", "'{}'")
              ROW("0", "'{}'") ROW("9007199254740992", "'{}'"));
    start(100, 0);
    add_event(5);
    await_stored(1);
    expect_ids(&all, 1, 1, 6);
    stop();
    alter(ROW("4503599627370490", "'{}'")); /* ids cannot go on after it: the file is kept aside */
    start(0, 0);
    add_event(0);
    expect_ids(&all, 1, 1, 1);
    stop();
    char aside[160];
    snprintf(aside, sizeof aside, "%s.damaged-1", path);
    assert_int_equal(unlink(aside), 0);
}

static void a_link_or_a_fifo_is_left_alone(void **state)
{
    struct reason why = {0};
    char target[160];
    (void)state;
    snprintf(target, sizeof target, "%s/target", folder);
    assert_int_equal(event_store_create(&store), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i ? mkfifo(path, 0600) : symlink(target, path), 0);
        assert_true(start_with(&(struct event_limits){0}, &why) < 0);
        assert_non_null(strstr(why.sentence, path));
        assert_int_equal(access(target, F_OK), -1);
        unlink(path);
    }
    stop();
}

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fftd-events-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/events.sqlite", folder);
    return 0;
}

static int teardown(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    char clock_file[128];
    snprintf(clock_file, sizeof clock_file, "%s/" AGE_CLOCK_FILE, folder);
    unlink(clock_file);
    return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_damaged_file_is_kept_under_another_name),
        TEST(rows_that_are_no_events_are_left_out),
        TEST(impossible_ids_cost_no_event),
        TEST(a_link_or_a_fifo_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
