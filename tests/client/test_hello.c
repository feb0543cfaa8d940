/* test_hello.c - tests the first message of a client. */
#include "tests/support/cmocka_all.h"

#include "tests/client/messages.h"

static void hello_may_ask_for_changes_of_the_status(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"hello\"}");
    assert_false(m.status_changes);
    control_finish(&m);
    m = message_accepted("{\"type\":\"hello\",\"status\":\"full\"}");
    assert_false(m.status_changes);
    control_finish(&m);
    m = message_accepted("{\"type\":\"hello\",\"status\":\"changes\"}");
    assert_true(m.status_changes);
    control_finish(&m);
    message_refused("{\"type\":\"hello\",\"status\":\"few\"}",
                    "status: \"few\" is not full or changes");
    message_refused("{\"type\":\"hello\",\"status\":true}", "status: true is not full or changes");
}

static void hello_may_contain_a_token(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"hello\"}");
    assert_null(m.token);
    control_finish(&m);
    m = message_accepted("{\"type\":\"hello\",\"token\":\"let me in\"}");
    assert_string_equal(m.token, "let me in");
    control_finish(&m);
    message_refused("{\"type\":\"hello\",\"token\":5}", "token");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_may_contain_a_token),
        cmocka_unit_test(hello_may_ask_for_changes_of_the_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
