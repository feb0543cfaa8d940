/* test_outgoing.c - tests turns: websocket frames, their bounds, and what sockets take. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/live/outgoing.h"
#include "daemon/wire/ws_message.h"

/* RFC 6455, 5.7: "Hello", 256 bytes and 64 KiB of binary data, each in one unmasked frame. */
static void heads_are_those_of_the_standard(void **state)
{
    static const uint8_t hello[] = {0x81, 0x05}, medium[] = {0x82, 0x7e, 0x01, 0x00},
                         large[] = {0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0};
    uint8_t head[WEBSOCKET_HEAD];
    (void)state;
    assert_int_equal(websocket_head(head, true, 5), sizeof hello);
    assert_memory_equal(head, hello, sizeof hello);
    assert_int_equal(websocket_head(head, false, 256), sizeof medium);
    assert_memory_equal(head, medium, sizeof medium);
    assert_int_equal(websocket_head(head, false, 65536), sizeof large);
    assert_memory_equal(head, large, sizeof large);
}

/* 5.2: the minimal number of bytes must be used. */
static void a_head_is_as_short_as_it_can_be(void **state)
{
    uint8_t head[WEBSOCKET_HEAD];
    (void)state;
    assert_int_equal(websocket_head(head, false, 125), 2);
    assert_int_equal(websocket_head(head, false, 126), 4);
    assert_int_equal(websocket_head(head, false, 65535), 4);
    assert_int_equal(websocket_head(head, false, 65536), 10);
}

static struct outgoing *create(void)
{
    struct outgoing *o = calloc(1, sizeof *o);
    assert_non_null(o);
    return o;
}

static bool add_bytes(struct outgoing *o, size_t size)
{
    struct ws_message *f = ws_message_create(size);
    assert_non_null(f);
    memset(f->data, 'x', size);
    const bool added = outgoing_add(o, f);
    ws_message_unref(f);
    return added;
}

static void a_message_is_copied_only_where_a_turn_has_room_for_it(void **state)
{
    struct outgoing *o = create();
    (void)state;
    const struct outgoing_turn *t = outgoing_begin(o, NULL, -1);
    assert_false(add_bytes(o, OUTGOING_TURN_BYTES));
    assert_int_equal(t->size, 0);
    assert_true(add_bytes(o, OUTGOING_TURN_BYTES - WEBSOCKET_HEAD));
    assert_true(t->size <= OUTGOING_TURN_BYTES);
    assert_false(add_bytes(o, 1));
    outgoing_clear_turn(o);
    assert_true(add_bytes(o, 1));
    assert_int_equal(t->size, 3);
    free(o);
}

static void a_slice_ends_where_the_largest_turn_would_not_fit(void **state)
{
    struct outgoing *o = create();
    (void)state;
    for (; !outgoing_is_full(o); assert_true(add_bytes(o, OUTGOING_TURN_BYTES - WEBSOCKET_HEAD)))
        outgoing_begin(o, NULL, -1);
    assert_in_range(o->count, OUTGOING_BYTES / OUTGOING_TURN_BYTES - 1,
                    OUTGOING_BYTES / OUTGOING_TURN_BYTES);
    outgoing_clear(o);
    for (; !outgoing_is_full(o); assert_true(add_bytes(o, 1)))
        outgoing_begin(o, NULL, -1);
    assert_int_equal(o->count, OUTGOING_TURNS);
    free(o);
}

/* ---- sending ----------------------------------------------------------------------------- */

enum { PAIRS = 3 };

struct pairs {
    int near[PAIRS], far[PAIRS];
};

static void open_pairs(struct pairs *p)
{
    for (int i = 0; i < PAIRS; i++) {
        int both[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both), 0);
        p->near[i] = both[0];
        p->far[i] = both[1];
    }
}

static void close_pairs(const struct pairs *p)
{
    for (int i = 0; i < PAIRS; i++) {
        close(p->near[i]);
        close(p->far[i]);
    }
}

static void a_turn_says_what_its_socket_took(void **state)
{
    struct outgoing *o = create();
    struct pairs p;
    (void)state;
    open_pairs(&p);
    char filler[4096] = "";
    while (send(p.near[0], filler, sizeof filler, 0) > 0)
        ;
    shutdown(p.far[1], SHUT_RDWR);
    for (int i = 0; i < 3; i++) {
        outgoing_begin(o, NULL, p.near[i]);
        assert_true(add_bytes(o, 10));
    }
    outgoing_begin(o, NULL, -1); /* a turn without bytes sends nothing */
    for (uint32_t i = 0; i < o->count; i++)
        outgoing_turn_send(&o->turns[i]);
    assert_int_equal(o->turns[0].sent, 0); /* full */
    assert_int_equal(o->turns[1].sent, -EPIPE);
    assert_int_equal(o->turns[2].sent, 12);
    assert_int_equal(o->turns[3].sent, 0);
    close_pairs(&p);
    free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_those_of_the_standard),
        cmocka_unit_test(a_head_is_as_short_as_it_can_be),
        cmocka_unit_test(a_message_is_copied_only_where_a_turn_has_room_for_it),
        cmocka_unit_test(a_slice_ends_where_the_largest_turn_would_not_fit),
        cmocka_unit_test(a_turn_says_what_its_socket_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
