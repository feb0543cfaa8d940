/* test_peers.c - tests the keys of addresses, and the accounts that limit wrong tokens. */
#include "tests/support/cmocka_all.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "daemon/access/peers.h"

static const uint64_t second = 1000000000;

static struct address of(const char *text)
{
    struct address a = {.bits = 99};
    if (!address_parse(text, &a))
        fail_msg("%s is not an address", text);
    return a;
}

static void has_text(const char *text, const char *expected)
{
    char into[ADDRESS_TEXT];
    const struct address a = of(text);
    assert_string_equal(address_text(&a, into), expected);
}

static bool share_a_key(const char *one, const char *other)
{
    const struct address a = of(one);
    const struct address b = of(other);
    return address_same(&a, &b);
}

/* ---- addresses -------------------------------------------------------------------------- */

static void an_ipv4_address_is_a_key_of_its_own(void **state)
{
    (void)state;
    has_text("192.0.2.1", "192.0.2.1");
    has_text("192.0.2.1:8010", "192.0.2.1");
    has_text("::ffff:192.0.2.1", "192.0.2.1");
    assert_true(share_a_key("192.0.2.1", "::ffff:192.0.2.1"));
    assert_false(share_a_key("192.0.2.1", "192.0.2.2"));
}

static void of_an_ipv6_address_the_first_64_bits_are_the_key(void **state)
{
    (void)state;
    has_text("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64");
    has_text("[2001:db8::7]:8010", "2001:db8::/64");
    assert_true(share_a_key("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"));
    assert_false(share_a_key("2001:db8:1:2::1", "2001:db8:1:3::1"));
}

static void loopback_is_local_and_other_addresses_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool local;
    } cases[] = {{"127.0.0.1", true},        {"127.9.9.9", true}, {"::1", true},
                 {"::ffff:127.0.0.1", true}, {"::2", false},      {"128.0.0.1", false},
                 {"::ffff:10.0.0.1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct address a = of(cases[i].text);
        assert_int_equal(address_is_local(&a), cases[i].local);
    }
    assert_false(share_a_key("::1", "::2"));
    has_text("::1", "::1");
}

static void a_text_that_is_no_address_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",         "unknown",   "1.2.3",     "1.2.3.4.5", "_hidden",
                                      "1.2.3.4x", "[1.2.3.4]", "2001:db8:", "[::1",      "::1]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct address a = {.bits = 32};
        if (address_parse(bad[i], &a))
            fail_msg("\"%s\" is taken for an address", bad[i]);
    }
}

static void sockets_give_the_keys_of_their_texts(void **state)
{
    (void)state;
    const struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/x"};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    inet_pton(AF_INET6, "2001:db8::9", &v6.sin6_addr);
    inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr);
    const struct address a6 = address_from_socket((const struct sockaddr *)&v6);
    const struct address a4 = address_from_socket((const struct sockaddr *)&v4);
    const struct address unix_socket = address_from_socket((const struct sockaddr *)&local);
    const struct address b6 = of("2001:db8::1");
    const struct address b4 = of("192.0.2.1");
    assert_true(address_same(&a6, &b6));
    assert_true(address_same(&a4, &b4));
    assert_true(address_is_local(&unix_socket));
}

/* ---- accounts --------------------------------------------------------------------------- */

static void wrong_tokens_make_their_address_wait_and_no_other(void **state)
{
    (void)state;
    struct peers p;
    const struct address guesser = of("192.0.2.1");
    const struct address other = of("192.0.2.2");
    assert_int_equal(peers_init(&p, 4), 0);
    struct peer *peer = peer_ref(&p, &guesser, second);
    for (int i = 0; i < PEER_ATTEMPTS; i++) {
        assert_int_equal(peer_wait_ms(peer, second), 0);
        peer_count_wrong_token(peer, false, second);
    }
    assert_int_equal(peer_wait_ms(peer, second), PEER_ATTEMPT_S * 1000);
    assert_int_equal(peer_wait_ms(peer, 2 * second), (PEER_ATTEMPT_S - 1) * 1000);
    struct peer *quick = peer_ref(&p, &other, second);
    assert_int_equal(peer_wait_ms(quick, second), 0);
    peer_unref(&p, quick, second);
    peer_unref(&p, peer, second);
    peers_finish(&p);
}

static void a_new_connection_of_the_same_address_waits_too(void **state)
{
    (void)state;
    struct peers p;
    const struct address guesser = of("2001:db8::1");
    const struct address neighbour = of("2001:db8::2");
    assert_int_equal(peers_init(&p, 4), 0);
    for (int i = 0; i < PEER_ATTEMPTS; i++) {
        struct peer *peer = peer_ref(&p, &guesser, second);
        peer_count_wrong_token(peer, false, second);
        peer_unref(&p, peer, second);
    }
    struct peer *peer = peer_ref(&p, &neighbour, second);
    assert_true(peer_wait_ms(peer, second) > 0);
    assert_int_equal(peer_wait_ms(peer, (1 + PEER_ATTEMPT_S) * second), 0);
    peer_unref(&p, peer, second);
    peers_finish(&p);
}

/* In an hour, PEER_ATTEMPTS and then one in PEER_ATTEMPT_S; here at a guess in a millisecond. */
static void an_address_compares_a_bounded_number_of_tokens_an_hour(void **state)
{
    (void)state;
    struct peers p;
    const struct address guesser = of("192.0.2.1");
    assert_int_equal(peers_init(&p, 1), 0);
    unsigned compared = 0;
    for (uint64_t now = 0; now < 3600 * second; now += second / 1000) {
        struct peer *peer = peer_ref(&p, &guesser, now);
        if (peer_wait_ms(peer, now) == 0) {
            peer_count_wrong_token(peer, false, now);
            compared++;
        }
        peer_unref(&p, peer, now);
    }
    assert_in_range(compared, 3600 / PEER_ATTEMPT_S, PEER_ATTEMPTS + 3600 / PEER_ATTEMPT_S);
    peers_finish(&p);
}

/* More addresses guess than there are accounts: the oldest is forgotten, the held ones stay. */
static void addresses_beyond_the_table_replace_the_oldest(void **state)
{
    (void)state;
    struct peers p;
    char text[32];
    const struct address first = of("10.0.0.0");
    assert_int_equal(peers_init(&p, 2), 0);
    struct peer *held = peer_ref(&p, &first, 0);
    peer_count_wrong_token(held, false, 0);
    const uint64_t end = 3 * (uint64_t)PEERS_WAITING;
    for (unsigned i = 1; i <= end; i++) {
        snprintf(text, sizeof text, "10.%u.%u.%u", i >> 16, i >> 8 & 255, i & 255);
        const struct address a = of(text);
        struct peer *peer = peer_ref(&p, &a, i);
        assert_ptr_not_equal(peer, held);
        for (int k = 0; k < PEER_ATTEMPTS; k++)
            peer_count_wrong_token(peer, false, i);
        peer_unref(&p, peer, i);
    }
    const struct address last = of(text);
    struct peer *peer = peer_ref(&p, &last, end);
    assert_true(peer_wait_ms(peer, end) > 0); /* not forgotten */
    peer_unref(&p, peer, end);
    assert_ptr_equal(peer_ref(&p, &first, 0), held);
    peers_finish(&p);
}

/* ---- shares ----------------------------------------------------------------------------- */

static void one_after_another_finds_some_of_what_is_left(void **state)
{
    (void)state;
    static const uint32_t expected[] = {8, 4, 2, 1, 1, 0};
    uint32_t all = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        uint32_t own = 0;
        while (share_allows(16, all, own)) {
            own++;
            all++;
        }
        assert_int_equal(own, expected[i]);
    }
    assert_int_equal(all, 16);
    assert_true(share_allows(16, 15, 0));
    assert_true(share_allows(1, 0, 0));
    assert_false(share_allows(1, 1, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ipv4_address_is_a_key_of_its_own),
        cmocka_unit_test(of_an_ipv6_address_the_first_64_bits_are_the_key),
        cmocka_unit_test(loopback_is_local_and_other_addresses_are_not),
        cmocka_unit_test(a_text_that_is_no_address_is_refused),
        cmocka_unit_test(sockets_give_the_keys_of_their_texts),
        cmocka_unit_test(wrong_tokens_make_their_address_wait_and_no_other),
        cmocka_unit_test(a_new_connection_of_the_same_address_waits_too),
        cmocka_unit_test(an_address_compares_a_bounded_number_of_tokens_an_hour),
        cmocka_unit_test(addresses_beyond_the_table_replace_the_oldest),
        cmocka_unit_test(one_after_another_finds_some_of_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
