/* test_replay_change.c - tests the changes of a replay. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/control/replay_change.h"

/* The row of a key, and its number in *i. */
static const struct config_option *row_of(const char *key, unsigned *i)
{
    for (*i = 0; replay_keys[*i].key; ++*i)
        if (strcmp(replay_keys[*i].key, key) == 0)
            return &replay_keys[*i];
    fail_msg("there is no key %s", key);
    return NULL;
}

static int add(struct replay_change *change, const char *key, const char *text)
{
    unsigned i;
    const struct config_option *o = row_of(key, &i);
    change->fields |= 1U << i;
    return option_parse(o, text, &change->values);
}

static struct replay_change changed(const char *const pairs[][2], size_t count)
{
    struct replay_change change = {0};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(add(&change, pairs[i][0], pairs[i][1]), 0);
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

static void a_bad_value_is_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"speed", "17"},     {"speed", "0.05"},    {"speed", "-0.5"}, {"speed", ""},
        {"speed", "nan"},    {"paused", "2"},      {"loop", "maybe"}, {"position", "-1"},
        {"position", "2e9"}, {"position", "1 Hz"}, {"from", ""},      {"to", "x"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct replay_change change = {0};
        if (add(&change, bad[i][0], bad[i][1]) != -EINVAL)
            fail_msg("%s=%s was taken", bad[i][0], bad[i][1]);
    }
}

static void a_replay_by_text_has_units(void **state)
{
    (void)state;
    struct replay_change change = {0};
    struct replay_request now = {.speed = 1};
    assert_int_equal(add(&change, "position", "1500 ms"), 0);
    assert_int_equal(add(&change, "paused", "on"), 0);
    assert_int_equal(add(&change, "speed", "0"), 0);
    replay_change_apply(&change, &now);
    assert_true(now.paused);
    assert_near(now.seek_s, 1.5, 0);
    assert_near(now.speed, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_changes_its_fields_and_no_others),
        cmocka_unit_test(a_bad_value_is_refused),
        cmocka_unit_test(a_replay_by_text_has_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
