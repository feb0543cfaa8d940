/* test_outbox.c - tests what the outbox keeps, sends again and drops. */
#include <stdlib.h>
#include <string.h>

#include "daemon/sensor/outbox.h"
#include "tests/support/cmocka_all.h"

static struct outbox *o;

static int create(void **state)
{
    (void)state;
    return outbox_create(&o);
}

static int destroy(void **state)
{
    (void)state;
    outbox_destroy(o);
    return 0;
}

static bool push(enum outbox_kind kind, const char *text)
{
    return outbox_push(o, kind, text, strlen(text));
}

/* The next message is this one. Returns its id. */
static uint64_t expect(enum outbox_kind kind, const char *text)
{
    const struct outbox_message *m = outbox_next(o, 0);
    assert_non_null(m);
    assert_int_equal(m->kind, kind);
    assert_int_equal(m->size, strlen(text));
    assert_memory_equal(m->data, text, m->size);
    return m->id;
}

static void expect_none(void)
{
    assert_null(outbox_next(o, 0));
}

static struct outbox_state state_now(void)
{
    struct outbox_state s;
    outbox_state(o, &s);
    return s;
}

static void messages_are_sent_once_in_their_order(void **state)
{
    (void)state;
    outbox_set_up(o, true);
    push(OUTBOX_LINES, "a");
    push(OUTBOX_ANNOUNCE, "b");
    push(OUTBOX_EVENTS, "c");
    expect(OUTBOX_LINES, "a");
    expect(OUTBOX_ANNOUNCE, "b");
    expect(OUTBOX_EVENTS, "c");
    expect_none();
    assert_int_equal(state_now().messages, 3);
    assert_int_equal(state_now().bytes, 3);
}

static void what_is_not_confirmed_is_sent_again_after_a_loss(void **state)
{
    (void)state;
    outbox_set_up(o, true);
    push(OUTBOX_LINES, "a");
    push(OUTBOX_LINES, "b");
    push(OUTBOX_EVENTS, "c");
    outbox_confirm(o, expect(OUTBOX_LINES, "a"));
    expect(OUTBOX_LINES, "b");
    outbox_set_up(o, false);
    push(OUTBOX_LINES, "d");
    outbox_set_up(o, true);
    expect(OUTBOX_LINES, "b");
    expect(OUTBOX_EVENTS, "c");
    outbox_confirm(o, expect(OUTBOX_LINES, "d"));
    expect_none();
    assert_int_equal(state_now().again, 1);
    assert_int_equal(state_now().waiting, 0);
    assert_int_equal(state_now().links, 2);
}

static void a_message_that_was_not_sent_is_not_confirmed(void **state)
{
    (void)state;
    outbox_set_up(o, true);
    push(OUTBOX_LINES, "a");
    outbox_confirm(o, UINT64_MAX);
    expect(OUTBOX_LINES, "a");
}

static void what_describes_the_present_does_not_outlast_the_link(void **state)
{
    (void)state;
    assert_true(push(OUTBOX_STATUS, "before"));
    outbox_set_up(o, true);
    push(OUTBOX_STATUS, "now");
    expect(OUTBOX_STATUS, "now");
    push(OUTBOX_LEDGER, "late");
    outbox_set_up(o, false);
    outbox_set_up(o, true);
    expect_none();
    assert_int_equal(state_now().waiting, 0);
    assert_int_equal(state_now().dropped_events, 0);
}

static void lines_wait_up_to_their_limit(void **state)
{
    (void)state;
    outbox_set_up(o, true);
    assert_true(outbox_wants_line(o));
    for (int i = 0; i < OUTBOX_LINES_MAX; i++)
        assert_true(push(OUTBOX_LINES, "x"));
    assert_false(outbox_wants_line(o));
    assert_false(push(OUTBOX_LINES, "y"));
    assert_true(push(OUTBOX_EVENTS, "an event has room"));
}

static void events_without_room_are_counted(void **state)
{
    (void)state;
    enum { SIZE = OUTBOX_BYTES_MAX / 4 };
    char *event = calloc(1, SIZE);
    for (int i = 0; i < 4; i++)
        assert_true(outbox_push(o, OUTBOX_EVENTS, event, SIZE));
    assert_false(outbox_push(o, OUTBOX_EVENTS, event, SIZE));
    assert_int_equal(state_now().dropped_events, 1);
    free(event);
}

static void no_line_is_wanted_without_a_link(void **state)
{
    (void)state;
    assert_false(outbox_wants_line(o));
    outbox_set_up(o, true);
    outbox_set_up(o, false);
    assert_false(outbox_wants_line(o));
    assert_true(state_now().lost_ns >= state_now().back_ns);
}

static void a_wake_ends_one_wait(void **state)
{
    (void)state;
    outbox_wake(o);
    assert_null(outbox_next(o, 1000000)); /* a hang would end the test */
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, create, destroy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_are_sent_once_in_their_order),
        TEST(what_is_not_confirmed_is_sent_again_after_a_loss),
        TEST(a_message_that_was_not_sent_is_not_confirmed),
        TEST(what_describes_the_present_does_not_outlast_the_link),
        TEST(lines_wait_up_to_their_limit),
        TEST(events_without_room_are_counted),
        TEST(no_line_is_wanted_without_a_link),
        TEST(a_wake_ends_one_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
