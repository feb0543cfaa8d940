/* test_event_log.c - the database of events: what it keeps, what a failure costs, what it finds. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/trigger/event_log.h"

static char folder[64], path[128];
static _Atomic int64_t ahead_ns; /* of the clock of this computer; read by the log's thread */

int64_t __real_clock_unix_ns(void); /* NOLINT(bugprone-reserved-identifier): the linker's names */
int64_t __wrap_clock_unix_ns(void); /* NOLINT(bugprone-reserved-identifier) */
int64_t __wrap_clock_unix_ns(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return __real_clock_unix_ns() + ahead_ns;
}

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

/* ---- what it keeps ----------------------------------------------------------------------- */

static void events_and_ids_go_on_after_a_restart(void **state)
{
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < 7; i++)
        add_event(i);
    stop(); /* which writes the rest */
    start(0, 0);
    add_event(7);
    expect_ids(&all, 1, 1, 8);
    assert_int_equal(event_store_count(store), 1);
    json_t *list = find(&all), *old = json_array_get(list, 2), *new = json_array_get(list, 7);
    assert_string_equal(json_string_value(json_object_get(old, "trigger")), "often");
    assert_true(json_real_value(json_object_get(old, "peak_dbfs")) == -22.0);
    assert_true(json_is_null(json_object_get(old, "recording"))); /* ids are of one run */
    assert_int_equal(json_integer_value(json_object_get(new, "recording")), 8);
    json_decref(list);
    stop();
}

static void an_event_that_lasts_is_stored_once_with_its_end(void **state)
{
    struct event e = {.type = "level", .open = true, .trigger = "t"};
    (void)state;
    start(0, 0);
    event_store_add(store, &e);
    await_stored(1);
    e.open = false;
    e.duration_s = 3;
    event_store_update(store, &e);
    add_event(1);
    stop();
    start(0, 0);
    expect_ids(&all, 1, 1, 2);
    json_t *list = find(&all), *one = json_array_get(list, 0);
    assert_true(json_number_value(json_object_get(one, "duration_s")) == 3.0);
    assert_true(json_is_false(json_object_get(one, "open")));
    json_decref(list);
    stop();
}

static void an_event_of_a_run_that_was_killed_lasts_no_more(void **state)
{
    struct event e = {.type = "level", .open = true, .trigger = "t"};
    (void)state;
    start(0, 0);
    event_store_add(store, &e);
    stop(); /* nothing has ended it */
    start(0, 0);
    json_t *list = find(&all);
    assert_true(json_is_false(json_object_get(json_array_get(list, 0), "open")));
    json_decref(list);
    stop();
}

static void the_oldest_of_too_many_are_deleted(void **state)
{
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < 30; i++)
        add_event(i);
    stop();
    start(10, 0);
    add_event(30);
    stop();
    start(0, 0);
    expect_ids(&all, 22, 1, 31);
    stop();
}

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* The time of an event may be that of an old recording: its age is that of its row. */
static void those_that_are_too_old_are_deleted_at_the_start(void **state)
{
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < 9; i++)
        add_event(i);
    stop();
    run_sql("UPDATE event SET stored_ns = stored_ns - 3601000000000 WHERE id < 5");
    start(0, 3600);
    event_log_stop(event_log);
    expect_ids(&all, 5, 1, 9);
    stop();
}

/* Nor do events that such a start stored stay for ever, or go at once. */
static void a_clock_that_is_wrong_deletes_none(void **state)
{
    const int64_t wrong_s[] = {0, 86400, 0, 63072000, 63072000, 0, -1800000000, -900000000, 0};
    unsigned count = 0;
    (void)state;
    for (size_t i = 0; i < sizeof wrong_s / sizeof wrong_s[0]; i++) {
        ahead_ns = wrong_s[i] * 1000000000;
        start(0, 3600);
        add_event(count++);
        await_stored(1);
        ahead_ns = -ahead_ns; /* and jumps while it runs */
        add_event(count++);
        await_stored(2);
        stop();
    }
    ahead_ns = 0;
    start(0, 3600);
    expect_ids(&all, 1, 1, count);
    stop();
    run_sql("UPDATE event SET stored_ns = (strftime('%s') - 3601) * 1000000000 WHERE id < 5");
    start(0, 3600);
    event_log_stop(event_log);
    expect_ids(&all, 5, 1, count);
    stop();
}

/* ---- failures ---------------------------------------------------------------------------- */

static void a_full_disk_costs_only_what_leaves_the_memory(void **state)
{
    enum { BEFORE = 10, DURING = EVENTS_KEPT + 100 };
    struct rlimit old, none;
    struct event_log_state now;
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < BEFORE; i++)
        add_event(i);
    await_stored(BEFORE);
    getrlimit(RLIMIT_FSIZE, &old);
    none = (struct rlimit){1, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0); /* every write fails with EFBIG */
    for (unsigned i = 0; i < DURING; i++)
        add_event(i);
    do {
        event_log_wake(event_log);
        uv_sleep(1);
        event_log_state(event_log, &now);
    } while (now.errors < 2);
    assert_int_equal(now.stored, BEFORE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    await_stored(BEFORE + EVENTS_KEPT);
    stop();
    start(0, 0);
    expect_ids(&(struct event_filter){EVENT_FILTER_ALL, .limit = BEFORE}, 1, 1, BEFORE);
    json_t *list = find(&(struct event_filter){EVENT_FILTER_ALL, .after = BEFORE, .limit = 1});
    assert_int_equal(id_at(list, 0), BEFORE + 101);
    json_decref(list);
    stop();
}

static void two_runs_do_not_write_the_same_file(void **state)
{
    struct event_log *other;
    struct reason why = {0};
    (void)state;
    start(0, 0);
    const struct event_log_config config = {.folder = folder, .events = store};
    assert_int_equal(event_log_start(&other, &config, &why), -EBUSY);
    assert_non_null(strstr(why.sentence, "another fftd stores its events there"));
    add_event(0);
    await_stored(1); /* the locks of the first one are still there */
    stop();
}

/* ---- what it finds ----------------------------------------------------------------------- */

/* The same events, once all in the memory, once all in the file, once in both. */
static void filters_find_the_same_in_memory_and_file(void **state)
{
    enum { COUNT = 30 };
    (void)state;
    for (unsigned in_file = 0; in_file <= COUNT; in_file += COUNT / 2) {
        start(0, 0);
        for (unsigned i = 0; i < in_file; i++)
            add_event(i);
        stop();
        start(0, 0);
        for (unsigned i = in_file; i < COUNT; i++)
            add_event(i);
        struct event_filter f = {EVENT_FILTER_ALL, .newest = true, .limit = 4};
        expect_ids(&f, 27, 1, 30);
        f.newest = false;
        expect_ids(&f, 1, 1, 4);
        f.after = 13;
        expect_ids(&f, 14, 1, 17);
        f.trigger = "third"; /* ids 1, 4, ... */
        expect_ids(&f, 16, 3, 25);
        f = (struct event_filter){EVENT_FILTER_ALL, .trigger = "third", .newest = true, .limit = 6};
        expect_ids(&f, 13, 3, 28);
        f.limit = 100;
        f.from_ns = 125 * 1000000000LL; /* event 12, with id 13, ends then */
        f.to_ns = 240 * 1000000000LL;   /* event 24, with id 25, begins then */
        expect_ids(&f, 13, 3, 25);
        f.from_ns++;
        f.to_ns--;
        expect_ids(&f, 16, 3, 22);
        f.trigger = "never";
        expect_ids(&f, 1, 1, 0);
        stop();
        unlink(path);
    }
}

static void more_events_than_the_memory_keeps_are_found(void **state)
{
    enum { COUNT = EVENTS_KEPT + 500 };
    (void)state;
    start(0, 0);
    for (unsigned i = 0; i < COUNT; i++) {
        add_event(i);
        if (i % 1000 == 999)
            await_stored(i + 1);
    }
    for (uint64_t after = 0; after < COUNT; after += 1000)
        expect_ids(&(struct event_filter){EVENT_FILTER_ALL, .after = after, .limit = 1000},
                   after + 1, 1, after + 1000 < COUNT ? after + 1000 : COUNT);
    expect_ids(&(struct event_filter){EVENT_FILTER_ALL, .newest = true, .limit = EVENTS_KEPT + 5},
               496, 1, COUNT);
    stop();
}

/* ---- fixtures ---------------------------------------------------------------------------- */

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
        TEST(events_and_ids_go_on_after_a_restart),
        TEST(an_event_that_lasts_is_stored_once_with_its_end),
        TEST(an_event_of_a_run_that_was_killed_lasts_no_more),
        TEST(the_oldest_of_too_many_are_deleted),
        TEST(those_that_are_too_old_are_deleted_at_the_start),
        TEST(a_clock_that_is_wrong_deletes_none),
        TEST(a_full_disk_costs_only_what_leaves_the_memory),
        TEST(two_runs_do_not_write_the_same_file),
        TEST(filters_find_the_same_in_memory_and_file),
        TEST(more_events_than_the_memory_keeps_are_found),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
