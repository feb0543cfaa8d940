/* test_replay_change.c - tests the changes of a replay, from a message and from a form. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>

#include "tests/server/messages.h"

static void a_replay_changes_its_fields_and_no_others(void **state)
{
    (void)state;
    struct replay_request now = {.speed = 4, .loop = true, .to_s = 30, .seeks = 6, .seek_s = 1};
    struct control m = message_accepted("{\"type\":\"replay\",\"paused\":true,\"speed\":0.5}");
    assert_int_equal(m.kind, CONTROL_REPLAY);
    replay_change_apply(&m.replay, &now);
    control_finish(&m);
    assert_true(now.paused && now.loop);
    assert_near(now.speed, 0.5, 0);
    assert_near(now.to_s, 30, 0);
    assert_int_equal(now.seeks, 6);
    m = message_accepted("{\"type\":\"replay\",\"position\":12.5,\"loop\":false,\"to\":0}");
    replay_change_apply(&m.replay, &now);
    control_finish(&m);
    assert_false(now.loop);
    assert_int_equal(now.seeks, 7);
    assert_near(now.seek_s, 12.5, 0);
    assert_near(now.to_s, 0, 0);
}

static void a_bad_replay_is_refused_by_its_field(void **state)
{
    (void)state;
    static const struct {
        const char *fields, *why;
    } table[] = {
        {"\"speed\":17", "speed: 17 is not a number from 0.1 to 16"},
        {"\"speed\":0.05", "speed: 0.05"},
        {"\"speed\":\"2\"", "speed: \"2\" is not"},
        {"\"paused\":1", "paused: 1 is not true or false"},
        {"\"position\":-1", "position: -1"},
        {"\"position\":2e9", "position: 2"},
        {"\"pos\":1", "\"pos\": expected paused, loop, speed"},
    };
    char text[100];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        snprintf(text, sizeof text, "{\"type\":\"replay\",%s}", table[i].fields);
        message_refused(text, table[i].why);
    }
    message_refused("{\"type\":\"replay\"}", "nothing is given");
}

static void a_replay_by_text_has_units(void **state)
{
    (void)state;
    struct replay_change change = {0};
    struct replay_request now = {0};
    char error[100];
    assert_int_equal(replay_change_add(&change, "position", "1500 ms", error, sizeof error), 0);
    assert_int_equal(replay_change_add(&change, "paused", "true", error, sizeof error), 0);
    assert_int_equal(replay_change_add(&change, "paused", "true", error, sizeof error), -EINVAL);
    assert_string_equal(error, "paused: given twice");
    assert_int_equal(replay_change_add(&change, "loop", "yes", error, sizeof error), -EINVAL);
    assert_string_equal(error, "loop: expected true or false");
    replay_change_apply(&change, &now);
    assert_true(now.paused);
    assert_near(now.seek_s, 1.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_changes_its_fields_and_no_others),
        cmocka_unit_test(a_bad_replay_is_refused_by_its_field),
        cmocka_unit_test(a_replay_by_text_has_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
