/* test_values.c - tests the values of calls as texts of options (daemon/api/values.h). */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/api/values.h"
#include "daemon/base/reason.h"

static int read_one(const char *json, char text[API_VALUE_TEXT], struct reason *why)
{
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    const int err = api_value_text("width", value, text, why);
    json_decref(value);
    return err;
}

static void values_of_json_are_those_of_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *json, *text;
    } good[] = {{"\"25 kHz\"", "25 kHz"},
                {"433920000.25", "433920000.25"},
                {"25000", "25000"},
                {"true", "true"},
                {"false", "false"}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[API_VALUE_TEXT];
        struct reason why = {0};
        assert_int_equal(read_one(good[i].json, text, &why), 0);
        assert_string_equal(text, good[i].text);
    }
}

static void other_values_of_json_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"null", "[1]", "{}", "\"1\\u007f\"", "\"1\\n\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[API_VALUE_TEXT];
        struct reason why = {0};
        assert_int_equal(read_one(bad[i], text, &why), -EINVAL);
        assert_string_equal(why.key, "width");
        assert_non_null(strstr(why.sentence, "not a text of one line, a number, true or false"));
        assert_null(strpbrk(why.sentence, "\n\177"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_json_are_those_of_the_file),
        cmocka_unit_test(other_values_of_json_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
