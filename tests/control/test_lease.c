/* test_lease.c - tests who has the control lease, for how long, and the messages about it. */
#include "tests/support/cmocka_all.h"

#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/control/lease.h"
#include "tests/client/messages.h"

static const uint64_t second = 1000000000;

static int refusal(const struct lease *l, const struct lease_user *user, uint64_t now_ns,
                   const char *because)
{
    struct reason why = {0};
    const int err = lease_check(l, user, now_ns, &why);
    assert_string_equal(why.sentence, because);
    return err;
}

static void the_first_user_has_it_until_it_ends(void **state)
{
    (void)state;
    struct lease l = {.period_s = 30};
    const struct lease_user ann = {&l, "192.0.2.1", "Ann"}, bob = {&second, "192.0.2.9", ""};
    assert_int_equal(refusal(&l, &bob, 5 * second, ""), 0);
    lease_hold(&l, &ann, 5 * second);
    assert_near(lease_seconds(&l, 15 * second), 20, 1e-9);
    assert_true(lease_is_of(&l, &ann, 15 * second));
    assert_false(lease_is_of(&l, &bob, 15 * second));
    assert_int_equal(refusal(&l, &ann, 15 * second, ""), 0);
    assert_int_equal(
        refusal(&l, &bob, 15 * second + 1, "Ann (192.0.2.1) controls the radio, for 20 s more"),
        -EBUSY);
    lease_hold(&l, &ann, 15 * second); /* a change renews it */
    assert_near(lease_seconds(&l, 35 * second), 10, 1e-9);
    assert_int_equal(refusal(&l, &bob, 45 * second, ""), 0);
    assert_false(lease_is_of(&l, &ann, 45 * second));
}

static void requests_of_one_address_are_one_user_and_keep_its_name(void **state)
{
    (void)state;
    struct lease l = {.period_s = 30};
    const struct lease_user named = {NULL, "192.0.2.1", "scan.sh"}, plain = {NULL, "192.0.2.1", ""},
                            page = {&l, "192.0.2.1", ""}, other = {NULL, "192.0.2.9", ""};
    lease_hold(&l, &named, second);
    assert_true(lease_is_of(&l, &plain, second));
    assert_false(lease_is_of(&l, &page, second));
    assert_false(lease_is_of(&l, &other, second));
    lease_hold(&l, &plain, second);
    assert_string_equal(l.user.name, "scan.sh");
    lease_hold(&l, &other, second);
    assert_int_equal(
        refusal(&l, &plain, second, "192.0.2.9 over HTTP controls the radio, for 30 s more"),
        -EBUSY);
}

static void without_a_period_nobody_has_it(void **state)
{
    (void)state;
    struct lease l = {.period_s = 0};
    const struct lease_user ann = {&l, "192.0.2.1", "Ann"}, bob = {&second, "192.0.2.9", ""};
    lease_hold(&l, &ann, second);
    assert_false(lease_is_of(&l, &ann, second));
    assert_int_equal(refusal(&l, &bob, second, ""), 0);
}

static void names_are_short_and_of_one_line(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"hello\",\"name\":\"Jürgen\"}");
    assert_string_equal(m.name, "Jürgen");
    control_finish(&m);
    message_refused("{\"type\":\"hello\",\"name\":\"a\\nb\"}", "name: ");
    message_refused("{\"type\":\"hello\",\"name\":7}", "name: 7 is not a text");
    message_refused("{\"type\":\"hello\",\"name\":\"123456789012345678901234567890123\"}",
                    "at most 32 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_user_has_it_until_it_ends),
        cmocka_unit_test(requests_of_one_address_are_one_user_and_keep_its_name),
        cmocka_unit_test(without_a_period_nobody_has_it),
        cmocka_unit_test(names_are_short_and_of_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
