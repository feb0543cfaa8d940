/* test_radio_list.c - the list of radios for viewers: all once, then changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/hub/radio_list.h"

enum { COUNT = 3 };

static const struct link_reader_state broker = {.connected = true, .links = 1};
static struct radio radio[COUNT];
static struct radios radios;
static struct radio_list listed;
static uint64_t now_ns;

static json_t *announce(const char *form, double center_hz, int lines)
{
    json_t *a = json_pack(form, "center_hz", center_hz, "lines", lines);
    assert_non_null(a);
    return a;
}

/* After `seconds`, in which a line came if the radio's lines go on. */
static void pass(double seconds)
{
    now_ns += (uint64_t)(seconds * 1e9);
    for (int i = 0; i < COUNT; i++)
        radio[i].last_line_ns = (int64_t)now_ns - 200000000;
}

static void update(bool round)
{
    const struct radio_list_time now = {.clock_ns = now_ns, .unix_ns = (int64_t)now_ns};
    radio_list_update(&listed, &radios, &broker, 0, now, round);
}

static int setup(void **state)
{
    (void)state;
    now_ns = 1000000000000;
    memset(radio, 0, sizeof radio);
    radios = (struct radios){.prefix = "fftd", .used = COUNT, .count = COUNT};
    for (uint32_t i = 0; i < COUNT; i++) {
        radio[i] = (struct radio){
            .id = i + 1, .site = "lab", .state = RADIO_RUNNING, .lines = 1000, .skew_ms = 2};
        snprintf(radio[i].name, sizeof radio[i].name, "r%u", i + 1);
        radio[i].announce = announce("{sf si}", 100e6, 5);
        radios.all[i] = &radio[i];
    }
    pass(0);
    update(true);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++)
        json_decref(radio[i].announce);
    radio_list_finish(&listed);
    memset(&listed, 0, sizeof listed);
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Takes over the frame. */
static json_t *parsed(struct ws_message *f)
{
    assert_non_null(f);
    assert_true(f->text);
    json_t *list = json_loadb((const char *)f->data, f->size, 0, NULL);
    assert_non_null(list);
    ws_message_unref(f);
    return list;
}

/* The ids of the rows in a message as decimal digits. */
static long ids_in(const json_t *rows, const char *key)
{
    long ids = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        ids = 10 * ids + (long)json_integer_value(key ? json_object_get(row, key) : row);
    }
    return ids;
}

/* The ids of the rows that everybody is told with a new round. */
static long reported(void)
{
    update(true);
    json_t *changes = parsed(radio_list_message(&listed, listed.number - 1));
    assert_string_equal(json_string_value(json_object_get(changes, "type")), "changes");
    const long ids = ids_in(json_object_get(changes, "radios"), "id");
    json_decref(changes);
    return ids;
}

/* ---- tests ------------------------------------------------------------------------------- */

static void a_newcomer_and_one_that_missed_a_list_get_all(void **state)
{
    (void)state;
    update(true);
    update(true);
    const uint64_t had[] = {0, 1, listed.number - 2, listed.number + 5};
    for (size_t i = 0; i < sizeof had / sizeof had[0]; i++) {
        json_t *all = parsed(radio_list_message(&listed, had[i]));
        assert_string_equal(json_string_value(json_object_get(all, "type")), "radios");
        assert_int_equal(ids_in(json_object_get(all, "radios"), "id"), 123);
        assert_true(json_is_true(json_object_get(json_object_get(all, "broker"), "connected")));
        json_decref(all);
    }
}

static void lines_alone_are_sent_when_they_grew_by_a_tenth_in_a_minute_or_more(void **state)
{
    (void)state;
    radio[1].lines = 2000;
    radio[2].lines = 1050;
    for (int i = 0; i < 30; i++) {
        pass(1.9);
        assert_int_equal(reported(), 0);
    }
    pass(40);
    assert_int_equal(reported(), 2);
    pass(2);
    assert_int_equal(reported(), 0);
    radio[2].lines = 1101;
    pass(2);
    assert_int_equal(reported(), 3);
}

static void rows_of_many_radios_are_not_sent_all_at_once(void **state)
{
    (void)state;
    long most = 0, sum = 0;
    for (int i = 0; i < COUNT; i++)
        radio[i].lines = 5000;
    pass(59.5);
    for (int i = 0; i < 10; i++) {
        pass(1);
        const long ids = reported();
        sum += ids;
        most = ids > most ? ids : most;
    }
    assert_int_equal(sum, 1 + 2 + 3);
    assert_int_equal(most, 3);
}

static void a_state_is_sent_at_once_and_nothing_else_is(void **state)
{
    (void)state;
    radio[0].state = RADIO_STALLED;
    json_decref(radio[1].announce);
    radio[1].announce = announce("{sf si}", 101e6, 6);
    update(false);
    json_t *changes = parsed(radio_list_message(&listed, listed.number - 1));
    const json_t *row = json_array_get(json_object_get(changes, "radios"), 0);
    assert_int_equal(ids_in(json_object_get(changes, "radios"), "id"), 1);
    assert_string_equal(json_string_value(json_object_get(row, "state")), "stalled");
    json_decref(changes);
    assert_int_equal(reported(), 2); /* its frequency, with the round */
}

static void an_announcement_that_repeats_the_settings_changes_nothing(void **state)
{
    (void)state;
    json_decref(radio[0].announce);
    radio[0].announce = announce("{sf si}", 100e6, 500);
    pass(2);
    assert_int_equal(reported(), 0);
}

static void loss_is_sent_at_most_every_ten_seconds(void **state)
{
    (void)state;
    radio[1].missing = 5;
    pass(2);
    assert_int_equal(reported(), 0);
    pass(8);
    assert_int_equal(reported(), 2);
    radio[1].malformed = 1;
    pass(9);
    assert_int_equal(reported(), 0);
    pass(1);
    assert_int_equal(reported(), 2);
}

static void lines_that_stop_and_come_again_are_sent(void **state)
{
    (void)state;
    pass(10);
    radio[2].last_line_ns -= 2000000000;
    assert_int_equal(reported(), 0);
    radio[2].last_line_ns -= 2000000000;
    update(true);
    json_t *changes = parsed(radio_list_message(&listed, listed.number - 1));
    const json_t *row = json_array_get(json_object_get(changes, "radios"), 0);
    assert_int_equal(json_integer_value(json_object_get(row, "id")), 3);
    assert_int_equal(json_integer_value(json_object_get(row, "age_ms")), 4200);
    json_decref(changes);
    pass(10);
    assert_int_equal(reported(), 3);
}

static void a_skew_is_sent_when_it_moved_by_half_a_second(void **state)
{
    (void)state;
    pass(10);
    radio[0].skew_ms = 501;
    assert_int_equal(reported(), 0);
    radio[0].skew_ms = -499;
    assert_int_equal(reported(), 1);
}

static void a_radio_that_leaves_is_sent_and_so_is_the_new_one(void **state)
{
    (void)state;
    radio[1].id = 2 + RADIOS_MAX;
    update(false);
    json_t *changes = parsed(radio_list_message(&listed, listed.number - 1));
    assert_int_equal(ids_in(json_object_get(changes, "radios"), "id"), 2 + RADIOS_MAX);
    assert_int_equal(ids_in(json_object_get(changes, "left"), NULL), 2);
    json_decref(changes);
}

static void who_wants_a_radio_gets_its_row_as_it_is_in_each_round(void **state)
{
    (void)state;
    const uint32_t ids[] = {3, 1, 77};
    radio[2].lines = 1001;
    json_t *rows = parsed(radio_list_rows(&listed, &radios, ids, 3, 5));
    assert_string_equal(json_string_value(json_object_get(rows, "type")), "changes");
    const json_t *array = json_object_get(rows, "radios");
    assert_int_equal(ids_in(array, "id"), 31);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(array, 0), "lines")), 1001);
    json_decref(rows);
    radio[2].lines = 1002;
    assert_int_equal(reported(), 0);
    rows = parsed(radio_list_rows(&listed, &radios, ids, 3, 5));
    array = json_object_get(rows, "radios");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(array, 0), "lines")), 1002);
    json_decref(rows);
}

/* Its state, told meanwhile, must not go back. */
static void a_row_of_this_round_is_never_older_than_a_list(void **state)
{
    (void)state;
    const uint32_t id = 1;
    ws_message_unref(radio_list_rows(&listed, &radios, &id, 1, 5));
    radio[0].state = RADIO_STALLED;
    update(false);
    json_t *rows = parsed(radio_list_rows(&listed, &radios, &id, 1, 5));
    const json_t *row = json_array_get(json_object_get(rows, "radios"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "state")), "stalled");
    json_decref(rows);
}

static void a_row_that_is_no_longer_wanted_is_sent_again(void **state)
{
    (void)state;
    radio_list_recall(&listed, 2);
    radio_list_recall(&listed, 77); /* it left */
    pass(2);
    assert_int_equal(reported(), 0);
    pass(8);
    assert_int_equal(reported(), 2);
    pass(10);
    assert_int_equal(reported(), 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_newcomer_and_one_that_missed_a_list_get_all),
        T(lines_alone_are_sent_when_they_grew_by_a_tenth_in_a_minute_or_more),
        T(rows_of_many_radios_are_not_sent_all_at_once),
        T(a_state_is_sent_at_once_and_nothing_else_is),
        T(an_announcement_that_repeats_the_settings_changes_nothing),
        T(loss_is_sent_at_most_every_ten_seconds),
        T(lines_that_stop_and_come_again_are_sent),
        T(a_skew_is_sent_when_it_moved_by_half_a_second),
        T(a_radio_that_leaves_is_sent_and_so_is_the_new_one),
        T(who_wants_a_radio_gets_its_row_as_it_is_in_each_round),
        T(a_row_of_this_round_is_never_older_than_a_list),
        T(a_row_that_is_no_longer_wanted_is_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
