/* test_reason.c - the reason of a failure. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"

static void a_reason_has_code_sentence_and_key(void **state)
{
    struct reason why = {0};
    (void)state;
    assert_int_equal(reason_key(&why, -EINVAL, "gain", "gain: %d is not a gain", 7), -EINVAL);
    assert_int_equal(why.code, -EINVAL);
    assert_string_equal(why.sentence, "gain: 7 is not a gain");
    assert_string_equal(why.key, "gain");
    reason_add(&why, ": try %s", "auto");
    assert_string_equal(why.sentence, "gain: 7 is not a gain: try auto");
    assert_int_equal(why.code, -EINVAL);
}

static void nobody_need_read_it(void **state)
{
    (void)state;
    assert_int_equal(reason_set(NULL, -EIO, "lost"), -EIO);
    assert_int_equal(reason_key(NULL, -EIO, "key", "lost"), -EIO);
    reason_add(NULL, "more");
}

static void a_sentence_ends_within_its_room(void **state)
{
    struct reason why = {.key = "after"};
    char text[2 * sizeof why.sentence] = "";
    (void)state;
    memset(text, 'x', sizeof text - 1);
    reason_set(&why, -EINVAL, "%s", text);
    assert_int_equal(strlen(why.sentence), sizeof why.sentence - 1);
    reason_add(&why, "%s", text);
    assert_int_equal(strlen(why.sentence), sizeof why.sentence - 1);
    assert_string_equal(why.key, "after");
}

static void a_sentence_is_one_line_whatever_is_put_into_it(void **state)
{
    struct reason why = {0};
    (void)state;
    reason_set(&why, -EINVAL, "%s", "line 1\nline 2\x1b[31m \x7f\u00e9");
    assert_string_equal(why.sentence, "line 1?line 2?[31m ?\u00e9");
    reason_add(&why, ": %s", "\ttab");
    assert_string_equal(why.sentence, "line 1?line 2?[31m ?\u00e9: ?tab");
}

static void a_key_is_one_line_or_none(void **state)
{
    struct reason why = {0};
    (void)state;
    reason_key(&why, -EINVAL, "a\nb", "given twice");
    assert_string_equal(why.key, "");
    reason_name(&why, "gain.LNA");
    assert_string_equal(why.key, "gain.LNA");
    assert_string_equal(why.sentence, "given twice");
    reason_name(NULL, "gain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reason_has_code_sentence_and_key),
        cmocka_unit_test(nobody_need_read_it),
        cmocka_unit_test(a_sentence_ends_within_its_room),
        cmocka_unit_test(a_sentence_is_one_line_whatever_is_put_into_it),
        cmocka_unit_test(a_key_is_one_line_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
