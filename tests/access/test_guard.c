/* test_guard.c - tests which Host and Origin headers are allowed. */
#include "tests/support/cmocka_all.h"

#include "daemon/access/guard.h"

static void literals_and_localhost_are_hosts(void **state)
{
    (void)state;
    static const char *const good[] = {
        "127.0.0.1",   "127.0.0.1:8010", "192.168.1.20:80", "[::1]",       "[::1]:8010",
        "[fe80::1]:9", "localhost",      "localhost:8010",  "LocalHost:1", "0.0.0.0:8010"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!guard_host(good[i], NULL))
            fail_msg("%s was refused", good[i]);
    }
}

static void names_and_malformed_hosts_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "evil.example",
                                      "evil.example:8010",
                                      "127.0.0.1.evil.example",
                                      ":8010",
                                      "127.0.0.1:",
                                      "127.0.0.1:80x",
                                      "127.0.0.1:123456",
                                      "[::1",
                                      "::1",
                                      "[127.0.0.1]",
                                      "[localhost]",
                                      "localhost ",
                                      "localhost/x",
                                      "127.0.0.1,localhost",
                                      "localhost:80:80",
                                      "[::1]x",
                                      "user@localhost",
                                      "localhost.evil.example",
                                      "1.2.3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (guard_host(bad[i], NULL))
            fail_msg("%s was accepted", bad[i]);
    }
}

static void configured_names_are_hosts_in_any_case_and_port(void **state)
{
    (void)state;
    const char *names = "radio.example, sdr.local";
    assert_true(guard_host("radio.example", names));
    assert_true(guard_host("Radio.Example:8443", names));
    assert_true(guard_host("sdr.local:1", names));
    assert_false(guard_host("example", names));
    assert_false(guard_host("xsdr.local", names));
    assert_false(guard_host("sdr.local.evil.example", names));
    assert_false(guard_host("evil\"x", "evil\"x")); /* must never be in a header of an answer */
}

static void only_names_of_this_machine_are_local(void **state)
{
    (void)state;
    static const char *const local[] = {"localhost", "LocalHost:8010", "127.0.0.1:8010",
                                        "127.1.2.3", "[::1]",          "[::1]:80"};
    static const char *const other[] = {"sdr.example.org",
                                        "127.evil.example",
                                        "192.0.2.1:8010",
                                        "[2001:db8::1]",
                                        "localhost.evil",
                                        "",
                                        "[::1",
                                        "0.0.0.0"};
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        assert_true(guard_host_is_local(local[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(guard_host_is_local(other[i]));
}

static void the_same_origin_is_allowed(void **state)
{
    (void)state;
    assert_true(guard_origin(NULL, "127.0.0.1:8010", NULL));
    assert_true(guard_origin("http://127.0.0.1:8010", "127.0.0.1:8010", NULL));
    assert_true(guard_origin("http://LOCALHOST:8010", "localhost:8010", NULL));
    assert_true(guard_origin("http://[::1]:8010", "[::1]:8010", NULL));
    assert_true(guard_origin("http://10.0.0.1", "10.0.0.1", NULL));
    assert_true(guard_origin("http://10.0.0.1", "10.0.0.1:80", NULL));
    assert_true(guard_origin("https://radio.example", "radio.example", NULL));
    assert_true(guard_origin("https://radio.example", "radio.example:443", NULL));
}

static void foreign_origins_and_null_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"null",
                                      "",
                                      "http://evil.example",
                                      "http://127.0.0.1",
                                      "http://127.0.0.1:8011",
                                      "https://127.0.0.1",
                                      "http://127.0.0.1:8010.evil.example",
                                      "http://127.0.0.1:8010/",
                                      "http://x@127.0.0.1:8010",
                                      "ftp://127.0.0.1:8010",
                                      "127.0.0.1:8010",
                                      "http://127.0.0.1:8010, http://evil.example"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (guard_origin(bad[i], "127.0.0.1:8010", NULL))
            fail_msg("%s was accepted", bad[i]);
    }
}

static void configured_origins_are_allowed_as_a_whole(void **state)
{
    (void)state;
    const char *list = "https://maps.example , http://lab.example:8080";
    assert_true(guard_origin("https://maps.example", "127.0.0.1:8010", list));
    assert_true(guard_origin("http://lab.example:8080", "127.0.0.1:8010", list));
    assert_false(guard_origin("http://lab.example", "127.0.0.1:8010", list));
    assert_false(guard_origin("http://maps.example", "127.0.0.1:8010", list));
    assert_false(guard_origin("null", "127.0.0.1:8010", list));
    assert_false(guard_origin("", "127.0.0.1:8010", ",,"));
}

static void a_host_without_the_port_of_the_origin_differs_from_a_foreign_one(void **state)
{
    (void)state;
    assert_true(guard_host_lacks_port("https://sdr.example:8443", "sdr.example"));
    assert_true(guard_host_lacks_port("http://SDR.example:8080", "sdr.example"));
    assert_true(guard_host_lacks_port("http://[::1]:8080", "[::1]"));
    assert_false(guard_host_lacks_port("https://evil.example:8443", "sdr.example"));
    assert_false(guard_host_lacks_port("https://sdr.example:8443", "sdr.example:443"));
    assert_false(guard_host_lacks_port("https://sdr.example", "sdr.example"));
    assert_false(guard_host_lacks_port("null", "sdr.example"));
    assert_false(guard_host_lacks_port("ftp://sdr.example:8443", "sdr.example"));
    assert_false(guard_host_lacks_port("http://[1.2.3.4]:80", "1.2.3.4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_localhost_are_hosts),
        cmocka_unit_test(names_and_malformed_hosts_are_refused),
        cmocka_unit_test(configured_names_are_hosts_in_any_case_and_port),
        cmocka_unit_test(only_names_of_this_machine_are_local),
        cmocka_unit_test(the_same_origin_is_allowed),
        cmocka_unit_test(foreign_origins_and_null_are_refused),
        cmocka_unit_test(configured_origins_are_allowed_as_a_whole),
        cmocka_unit_test(a_host_without_the_port_of_the_origin_differs_from_a_foreign_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
