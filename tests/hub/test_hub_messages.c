/* test_hub_messages.c - tests what waits for a hub, and what its viewers say. */
#include <stdlib.h>
#include <string.h>

#include "daemon/hub/inbox.h"
#include "daemon/hub/remote_request.h"
#include "daemon/hub/wish.h"
#include "tests/support/cmocka_all.h"

static size_t free_all(struct inbox_message *m)
{
    size_t count = 0;
    while (m) {
        struct inbox_message *next = m->next;
        free(m);
        m = next;
        count++;
    }
    return count;
}

static void messages_leave_in_the_order_in_which_they_came(void **state)
{
    (void)state;
    struct inbox *i = NULL;
    assert_int_equal(inbox_create(&i, INBOX_HUB_BYTES), 0);
    assert_true(inbox_put(i, "a", "one", 3));
    assert_true(inbox_put(i, "b.c", NULL, 0));
    struct inbox_message *m = inbox_take(i);
    assert_string_equal(m->subject, "a");
    assert_memory_equal(m->data, "one", 3);
    assert_string_equal(m->next->subject, "b.c");
    assert_int_equal(m->next->size, 0);
    assert_int_equal(free_all(m), 2);
    assert_null(inbox_take(i));
    inbox_destroy(i);
}

static void what_has_no_room_is_dropped_and_counted(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    struct inbox *i = NULL;
    uint8_t *data = calloc(1, SIZE);
    size_t put = 0;
    assert_int_equal(inbox_create(&i, INBOX_HUB_BYTES), 0);
    while (inbox_put(i, "a", data, SIZE))
        put++;
    assert_int_equal(put, INBOX_HUB_BYTES / SIZE - 1); /* subjects need room, too */
    assert_int_equal(inbox_dropped(i), 1);
    assert_int_equal(free_all(inbox_take(i)), put);
    assert_true(inbox_put(i, "a", data, SIZE));
    inbox_destroy(i);
    free(data);
}

static int read_wish(struct wish *w, const char *text, char error[256])
{
    error[0] = '\0';
    return wish_read(w, text, strlen(text), error, 256);
}

static void a_wish_has_each_radio_once(void **state)
{
    (void)state;
    struct wish w;
    char error[256];
    assert_int_equal(read_wish(&w, "{\"type\":\"want\",\"radios\":[3,1,3]}", error), 0);
    assert_int_equal(w.kind, WISH_WANT);
    assert_int_equal(w.count, 2);
    assert_int_equal(w.radios[0], 3);
    assert_int_equal(w.radios[1], 1);
    wish_finish(&w);
}

static void a_mistaken_wish_is_refused_with_one_line(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "[]",
                                        "{}",
                                        "{\"type\":\"set\"}",
                                        "{\"type\":\"want\"}",
                                        "{\"type\":\"want\",\"radios\":{}}",
                                        "{\"type\":\"want\",\"radios\":[0]}",
                                        "{\"type\":\"want\",\"radios\":[1.5]}",
                                        "{\"type\":\"want\",\"radios\":[4294967296]}",
                                        "{\"type\":\"hello\",\"token\":1}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wish w;
        char error[256];
        assert_true(read_wish(&w, cases[i], error) < 0);
        assert_true(error[0] && !strchr(error, '\n'));
        wish_finish(&w);
    }
}

static int read_request(struct remote_request *r, const char *text, char error[256])
{
    error[0] = '\0';
    return remote_request_read(r, text, strlen(text), error, 256);
}

static void a_request_has_settings_beside_its_token(void **state)
{
    (void)state;
    struct remote_request r;
    char error[256];
    assert_int_equal(read_request(&r,
                                  "{\"type\":\"set\",\"token\":\"t\",\"name\":\"a\","
                                  "\"center_hz\":5e6}",
                                  error),
                     0);
    assert_string_equal(r.token, "t");
    assert_string_equal(r.name, "a");
    assert_true(r.change.values.tuning.center_hz > 4.9e6);
    remote_request_finish(&r);
}

static void a_mistaken_request_is_refused_with_its_token_read(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"token\":\"t\"}",
        "{\"token\":\"t\",\"type\":\"hello\"}",
        "{\"token\":\"t\",\"type\":\"set\",\"center\":1}",
        "{\"token\":\"t\",\"type\":\"set\",\"center_hz\":\"x\"}",
        "{\"token\":\"t\",\"type\":\"set\",\"name\":1}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct remote_request r;
        char error[256];
        assert_true(read_request(&r, cases[i], error) < 0);
        assert_true(error[0] && !strchr(error, '\n'));
        assert_string_equal(r.token, "t");
        remote_request_finish(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_leave_in_the_order_in_which_they_came),
        cmocka_unit_test(what_has_no_room_is_dropped_and_counted),
        cmocka_unit_test(a_wish_has_each_radio_once),
        cmocka_unit_test(a_request_has_settings_beside_its_token),
        cmocka_unit_test(a_mistaken_request_is_refused_with_its_token_read),
        cmocka_unit_test(a_mistaken_wish_is_refused_with_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
