/* test_json.c - tests what is different between two JSON objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/base/json.h"

/* changes: NULL: they cannot be told. */
static void differ(const char *before_text, const char *now_text, const char *changes_text)
{
    json_t *before = json_loads(before_text, 0, NULL);
    json_t *now = json_loads(now_text, 0, NULL);
    json_t *expected = changes_text ? json_loads(changes_text, 0, NULL) : NULL;
    json_t *changes = json_find_changes(before, now);
    assert_true(changes_text ? json_equal(changes, expected) : !changes);
    json_decref(before);
    json_decref(now);
    json_decref(expected);
    json_decref(changes);
}

static void equal_objects_have_no_changes(void **state)
{
    (void)state;
    differ("{}", "{}", "{}");
    differ("{\"a\":1,\"b\":{\"c\":[1,2]}}", "{\"b\":{\"c\":[1,2]},\"a\":1}", "{}");
}

static void changed_and_new_members_are_named(void **state)
{
    (void)state;
    differ("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3,\"c\":4}", "{\"b\":3,\"c\":4}");
    differ("{\"a\":null}", "{\"a\":0.5}", "{\"a\":0.5}");
    differ("{\"a\":0.5}", "{\"a\":null}", "{\"a\":null}");
    differ("{\"a\":[1,2]}", "{\"a\":[1]}", "{\"a\":[1]}");
}

static void objects_are_compared_member_by_member(void **state)
{
    (void)state;
    differ("{\"a\":{\"b\":1,\"c\":{\"d\":1,\"e\":2}}}", "{\"a\":{\"b\":1,\"c\":{\"d\":1,\"e\":3}}}",
           "{\"a\":{\"c\":{\"e\":3}}}");
    differ("{\"a\":{\"b\":1}}", "{\"a\":null}", "{\"a\":null}");
    differ("{\"a\":null}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}");
    differ("{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":2}]}", "{\"a\":[{\"b\":2}]}");
}

static void a_member_that_is_gone_cannot_be_told(void **state)
{
    (void)state;
    differ("{\"a\":1,\"b\":2}", "{\"a\":1}", NULL);
    differ("{\"a\":1,\"b\":{\"c\":1,\"d\":2}}", "{\"a\":5,\"b\":{\"c\":1}}", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_objects_have_no_changes),
        cmocka_unit_test(changed_and_new_members_are_named),
        cmocka_unit_test(objects_are_compared_member_by_member),
        cmocka_unit_test(a_member_that_is_gone_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
