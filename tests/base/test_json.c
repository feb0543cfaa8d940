/* test_json.c - tests what is different between two JSON objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"

/* changes: NULL: they are unknown. */
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

static void a_member_that_is_gone_cannot_be_a_change(void **state)
{
    (void)state;
    differ("{\"a\":1,\"b\":2}", "{\"a\":1}", NULL);
    differ("{\"a\":1,\"b\":{\"c\":1,\"d\":2}}", "{\"a\":5,\"b\":{\"c\":1}}", NULL);
}

/* 2-, 3- and 4-byte characters; the quote before them shifts each to all places. */
static void an_excerpt_ends_with_a_whole_character(void **state)
{
    (void)state;
    static const char *const characters[] = {"x", "\u00e4", "\u20ac", "\U0001f4e1"};
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        for (size_t before = 0; before < 4; before++) {
            char text[300] = "", excerpt[JSON_EXCERPT];
            const size_t bytes = strlen(characters[i]);
            memset(text, '-', before);
            for (size_t at = before; at < before + 60 * bytes; at += bytes)
                memcpy(text + at, characters[i], bytes);
            json_t *value = json_string(text);
            value_excerpt(value, excerpt);
            json_t *shown = json_string(excerpt);
            const size_t length = strlen(excerpt);
            assert_non_null(shown); /* NULL: it is not UTF-8 */
            assert_in_range(length, 36, 39);
            assert_string_equal(excerpt + length - 3, "...");
            json_decref(shown);
            json_decref(value);
        }
}

static void numbers_are_written_in_the_fewest_digits_that_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"hz\":10000000000.000002,\"db\":-0.1,\"one\":1.0,\"count\":9223372036854775807}",
        "[0.0,-0.0,1e300,-1e-7,123456789012345.0,1,0,-5,0.30000000000000004,0.3]",
        "{\"0.10000000000000001\":\"\\\"0.10000000000000001\\\\\",\"b\":[{},[],null,true,\"\",0.1]"
        "}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *value = json_loads(texts[i], 0, NULL);
        assert_non_null(value);
        char *text = json_text(value, JSON_COMPACT), *wide = json_text(value, JSON_INDENT(1));
        json_t *again = json_loads(wide, 0, NULL);
        assert_true(json_equal(value, again));
        if (i == 1)
            assert_string_equal(text, "[0.0,-0.0,1e+300,-1e-07,123456789012345.0,1,0,-5,"
                                      "0.30000000000000004,0.3]");
        else
            assert_string_equal(text, texts[i]);
        free(text);
        free(wide);
        json_decref(value);
        json_decref(again);
    }
    assert_null(json_text(NULL, 0));
}

static void text_that_is_not_utf_8_keeps_its_ascii(void **state)
{
    (void)state;
    json_t *text = text_to_json("centre: \xe4\xff is not a frequency");
    assert_string_equal(json_string_value(text), "centre: ?? is not a frequency");
    json_decref(text);
}

/* Each fault is said in words of this project, without names of jansson. */
static void a_fault_says_what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *fault;
    } table[] = {
        {"{\"a\": \"\\u0000\"}",
         "a text contains the character NUL near '\"\\u0000\"' (line 1, column 14)"},
        {"{\"\\u0000\": 1}", "a key contains the character NUL"},
        {"{\"a\": 1, \"a\": 2}", "a key is given twice near '\"a\"' (line 1, column 12)"},
        {"{\"a\": 1", "it ends too early"},
        {"{} x", "more follows its end near 'x' (line 1, column 4)"},
        {"{\"a\": 99999999999999999999}", "a number is too large"},
        {"{\"a\": \"\xff\"}", "it is not UTF-8"},
        {"{\"a\":\n tru}", "the syntax is wrong near 'tru' (line 2, column 4)"},
        {"", "it ends too early (line 1, column 0)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        json_error_t why;
        char fault[JSON_FAULT];
        assert_null(json_loads(table[i].text, JSON_REJECT_DUPLICATES, &why));
        json_fault(&why, fault);
        if (strncmp(fault, table[i].fault, strlen(table[i].fault)) != 0)
            fail_msg("%s: %s", table[i].text, fault);
        assert_null(strstr(fault, "JSON_"));
        assert_non_null(strstr(fault, "(line "));
    }
}

static void a_text_of_deep_lists_is_nested_too_deeply(void **state)
{
    (void)state;
    json_error_t why;
    char deep[4096], fault[JSON_FAULT];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_null(json_loads(deep, 0, &why));
    assert_ptr_equal(strstr(json_fault(&why, fault), "it is nested too deeply"), fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_objects_have_no_changes),
        cmocka_unit_test(changed_and_new_members_are_named),
        cmocka_unit_test(objects_are_compared_member_by_member),
        cmocka_unit_test(a_member_that_is_gone_cannot_be_a_change),
        cmocka_unit_test(an_excerpt_ends_with_a_whole_character),
        cmocka_unit_test(numbers_are_written_in_the_fewest_digits_that_read_back),
        cmocka_unit_test(text_that_is_not_utf_8_keeps_its_ascii),
        cmocka_unit_test(a_fault_says_what_is_wrong_and_where),
        cmocka_unit_test(a_text_of_deep_lists_is_nested_too_deeply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
