/* test_replay_change.c - tests the changes of a replay. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/control/replay_change.h"

static struct replay_change changed(const char *const pairs[][2], size_t count)
{
    struct replay_change change = {0};
    struct reason why = {0};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(replay_change_add(&change, pairs[i][0], pairs[i][1], &why), 0);
    return change;
}

static void a_replay_changes_its_fields_and_no_others(void **state)
{
    (void)state;
    struct replay_request now = {.speed = 4, .loop = true, .to_s = 30, .seeks = 6, .seek_s = 1};
    struct replay_change c =
        changed((const char *const[][2]){{"paused", "true"}, {"speed", "0.5"}}, 2);
    replay_change_apply(&c, &now);
    assert_true(now.paused && now.loop);
    assert_near(now.speed, 0.5, 0);
    assert_near(now.to_s, 30, 0);
    assert_int_equal(now.seeks, 6);
    c = changed((const char *const[][2]){{"position", "12.5"}, {"loop", "false"}, {"to", "0"}}, 3);
    replay_change_apply(&c, &now);
    assert_false(now.loop);
    assert_int_equal(now.seeks, 7);
    assert_near(now.seek_s, 12.5, 0);
    assert_near(now.to_s, 0, 0);
}

static void a_bad_replay_is_refused_by_its_field(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *why;
    } table[] = {
        {"speed", "17", "speed: expected a number from 0.1 to 16"},
        {"speed", "0.05", "speed: expected"},
        {"paused", "2", "paused: expected true or false"},
        {"position", "-1", "position: expected"},
        {"position", "2e9", "position: expected"},
        {"pos", "1", "\"pos\": expected paused, loop, speed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct replay_change change = {0};
        struct reason why = {0};
        assert_int_equal(replay_change_add(&change, table[i].key, table[i].text, &why), -EINVAL);
        if (!strstr(why.sentence, table[i].why))
            fail_msg("%s=%s was refused with \"%s\"", table[i].key, table[i].text, why.sentence);
    }
}

static void a_replay_by_text_has_units(void **state)
{
    (void)state;
    struct replay_change change = {0};
    struct replay_request now = {0};
    struct reason why = {0};
    assert_int_equal(replay_change_add(&change, "position", "1500 ms", &why), 0);
    assert_int_equal(replay_change_add(&change, "paused", "on", &why), 0);
    assert_int_equal(replay_change_add(&change, "paused", "true", &why), -EINVAL);
    assert_string_equal(why.sentence, "paused: given twice");
    assert_int_equal(replay_change_add(&change, "loop", "maybe", &why), -EINVAL);
    assert_string_equal(why.sentence, "loop: expected true or false");
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
