/* test_pairs.c - tests that lists of key=value are read and changed in place. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/pairs.h"

static void pairs_are_read_in_order_without_their_spaces(void **state)
{
    (void)state;
    struct pair pair;
    const char *at = " LNA = 20 ,TIA=8,x=";
    assert_true(pairs_next(&at, &pair));
    assert_string_equal(pair.key, "LNA");
    assert_string_equal(pair.value, "20");
    assert_true(pairs_next(&at, &pair));
    assert_string_equal(pair.key, "TIA");
    assert_true(pairs_next(&at, &pair));
    assert_string_equal(pair.value, "");
    assert_false(pairs_next(&at, &pair));
    at = "auto";
    assert_false(pairs_next(&at, &pair));
}

static void a_value_is_replaced_or_appended(void **state)
{
    (void)state;
    char list[24] = "LNA=20,TIA=8";
    assert_int_equal(pairs_set(list, sizeof list, "LNA", "5.5"), 0);
    assert_string_equal(list, "LNA=5.5,TIA=8");
    assert_int_equal(pairs_set(list, sizeof list, "VGA", "30"), 0);
    assert_string_equal(list, "LNA=5.5,TIA=8,VGA=30");
    assert_int_equal(pairs_set(list, sizeof list, "TIA", "12.75"), -ENOSPC);
    assert_string_equal(list, "LNA=5.5,TIA=8,VGA=30");
    char none[8] = "";
    assert_int_equal(pairs_set(none, sizeof none, "a", "1"), 0);
    assert_string_equal(none, "a=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_read_in_order_without_their_spaces),
        cmocka_unit_test(a_value_is_replaced_or_appended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
