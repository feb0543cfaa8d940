/* test_query.c - tests the parameters of a query, and the negotiation of the body's type. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/base/reason.h"
#include "daemon/http/accept.h"
#include "daemon/http/query.h"

/* known: names that are apart by a space. */
static void check_error(const char *const pairs[], const char *known, const char *expected)
{
    struct query q = {0};
    struct reason why = {0};
    struct api_key keys[8] = {0};
    char names[64];
    snprintf(names, sizeof names, "%s", known);
    size_t count = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
        keys[count++].name = name;
    for (size_t i = 0; pairs[i]; i++)
        query_add(&q, pairs[i]);
    assert_int_equal(query_check(&q, count > 0 ? keys : NULL, &why), expected[0] ? -EINVAL : 0);
    assert_string_equal(why.sentence, expected);
}
#define CHECK(known, expected, ...)                                                                \
    check_error((const char *const[]){__VA_ARGS__, NULL}, known, expected)

static void known_parameters_pass_in_any_order(void **state)
{
    (void)state;
    CHECK("a bc d", "", "bc=1", "a=2");
    CHECK("a", "", "a");
    CHECK("", "", "");
    CHECK("", "", "", "");
}

static void an_unknown_parameter_is_named_with_the_known_ones(void **state)
{
    (void)state;
    CHECK("bc d", "\"b\": there is no such key (known: bc, d)", "bc=1", "b=1");
    CHECK("bc d", "\"bcd\": there is no such key; did you mean bc?", "bcd=1");
    CHECK("bc d", "\"BC\": there is no such key; did you mean bc?", "BC=1");
    CHECK("bc d", "\"\": there is no such key (known: bc, d)", "=1");
    CHECK("bc d", "\"bc, d\": there is no such key (known: bc, d)", "bc, d=1");
    CHECK("", "\"x\": there is no such key; this takes none", "x=1");
    CHECK("", "\"a??b\": there is no such key; this takes none", "a\n\xff\x62=1");
}

static void a_repeated_parameter_is_refused(void **state)
{
    (void)state;
    CHECK("a b", "a: given twice", "a=1", "b=1", "a=1");
}

static void an_overlong_value_is_refused_not_cut(void **state)
{
    (void)state;
    char pair[200] = "a=";
    memset(pair + 2, '1', QUERY_VALUE - 1);
    CHECK("a", "", pair);
    memset(pair + 2, '1', QUERY_VALUE);
    CHECK("a", "a: the value is too long", pair);
}

static void more_parameters_than_a_query_holds_are_still_refused(void **state)
{
    (void)state;
    CHECK("a", "a: given twice", "a", "a", "a", "a", "a", "a", "a", "a", "a", "b");
}

static void values_are_found_by_name(void **state)
{
    (void)state;
    struct query q = {0};
    query_add(&q, "a=b=c");
    query_add(&q, "empty");
    assert_string_equal(query_value(&q, "a"), "b=c");
    assert_string_equal(query_value(&q, "empty"), "");
    assert_null(query_value(&q, "b"));
}

/* The headers that Prometheus 2.42, a browser and curl send. RFC 9110, 12.5.1: weights,
 * specificity. */
static void the_weights_of_a_header_decide(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        bool openmetrics;
    } cases[] = {
        {"application/openmetrics-text;version=1.0.0,application/"
         "openmetrics-text;version=0.0.1;q=0.75,"
         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
         true},
        {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false},
        {"*/*", false},
        {"", false},
        {"application/openmetrics-text", true},
        {"APPLICATION/OpenMetrics-Text ; q=0.5", true},
        {"application/openmetrics-text;q=0", false},
        {"application/openmetrics-text;q=0.000", false},
        {"application/openmetrics-text;q=x", false},
        {"text/plain;q=0.9, application/openmetrics-text;q=0.5", false},
        {"application/openmetrics-text;q=0.5, text/*;q=0.9", false},
        {"application/openmetrics-text;q=0.5, text/*;q=0.9, text/plain;q=0.1", true},
        {"application/openmetrics-text-not", false},
        {"application/*", false},
        {",,, ;q=1,", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (accept_prefers(cases[i].header, "application/openmetrics-text", "text/plain") !=
            cases[i].openmetrics)
            fail_msg("Accept: %s", cases[i].header);
    }
    assert_true(accept_prefers("gzip, deflate, br", "gzip", "identity"));
    assert_false(accept_prefers("gzip;q=0, *", "gzip", "identity"));
    assert_false(accept_prefers("identity, gzip;q=0.5", "gzip", "identity"));
    assert_false(accept_prefers("x-gzip", "gzip", "identity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_parameters_pass_in_any_order),
        cmocka_unit_test(an_unknown_parameter_is_named_with_the_known_ones),
        cmocka_unit_test(a_repeated_parameter_is_refused),
        cmocka_unit_test(an_overlong_value_is_refused_not_cut),
        cmocka_unit_test(more_parameters_than_a_query_holds_are_still_refused),
        cmocka_unit_test(values_are_found_by_name),
        cmocka_unit_test(the_weights_of_a_header_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
