/* test_channel_output.c - blocks from one writer to readers that keep pace, lag, and leave. */
#include "tests/support/cmocka_all.h"

#include "daemon/channel/channel_output.h"

enum { KEPT = 4 };

static struct channel_output *output(bool waits)
{
    struct channel_output *o;
    assert_int_equal(channel_output_create(&o, KEPT, waits, NULL, NULL), 0);
    return o;
}

/* Puts blocks with these indices. */
static void put(struct channel_output *o, uint64_t first, uint64_t end)
{
    for (uint64_t index = first; index < end; index++) {
        struct channel_block *b = channel_block_create(&(struct fft_iq){0}, 1);
        assert_non_null(b);
        b->index = index;
        channel_output_put(o, b);
    }
}

/* The index of the next block; -1: there is none. */
static int take(struct channel_output *o, struct channel_cursor *c)
{
    bool closed;
    struct channel_block *b = channel_output_take(o, c, &closed);
    const int index = b ? (int)b->index : -1;
    channel_block_unref(b);
    return index;
}

static void a_reader_that_lags_skips_the_oldest_blocks_and_learns_how_many(void **state)
{
    (void)state;
    struct channel_output *o = output(false);
    struct channel_cursor c;
    put(o, 0, 2);
    channel_output_join(o, &c);
    assert_int_equal(take(o, &c), -1); /* it begins at the next one */
    put(o, 2, 3);
    assert_int_equal(take(o, &c), 2);
    put(o, 3, 10);
    assert_true(channel_output_has_room(o, 0));
    assert_int_equal(take(o, &c), 6);
    assert_int_equal(c.skipped, 3);
    channel_output_leave(o, &c);
    channel_output_unref(o);
}

static void a_writer_that_waits_waits_for_the_slowest_of_those_who_joined(void **state)
{
    (void)state;
    struct channel_output *o = output(true);
    struct channel_cursor fast, slow;
    channel_output_join(o, &fast);
    channel_output_join(o, &slow);
    put(o, 0, KEPT);
    assert_false(channel_output_has_room(o, 0));
    assert_int_equal(take(o, &fast), 0);
    assert_false(channel_output_has_room(o, 0));
    assert_int_equal(take(o, &slow), 0);
    assert_true(channel_output_has_room(o, 0));
    put(o, KEPT, KEPT + 1);
    for (int i = 1; i <= KEPT; i++)
        assert_int_equal(take(o, &fast), i);
    assert_false(channel_output_has_room(o, 0));
    channel_output_leave(o, &slow); /* nobody waits for one that has left */
    assert_true(channel_output_has_room(o, 0));
    assert_int_equal(fast.skipped, 0);
    channel_output_leave(o, &fast);
    channel_output_unref(o);
}

static void a_writer_waits_for_its_only_reader_from_the_first_block_on(void **state)
{
    (void)state;
    struct channel_output *o = output(true);
    struct channel_cursor c = {0};
    put(o, 0, KEPT);
    assert_false(channel_output_has_room(o, 0));
    assert_int_equal(take(o, &c), 0);
    assert_true(channel_output_has_room(o, 0));
    channel_output_unref(o);
}

static void blocks_outlive_the_output(void **state)
{
    (void)state;
    struct channel_output *o = output(false);
    struct channel_cursor c = {0};
    bool closed;
    put(o, 7, 8);
    struct channel_block *b = channel_output_take(o, &c, &closed);
    assert_false(closed);
    channel_output_close(o);
    assert_null(channel_output_take(o, &c, &closed));
    assert_true(closed);
    channel_output_unref(o);
    assert_int_equal(b->index, 7);
    channel_block_unref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_that_lags_skips_the_oldest_blocks_and_learns_how_many),
        cmocka_unit_test(a_writer_that_waits_waits_for_the_slowest_of_those_who_joined),
        cmocka_unit_test(a_writer_waits_for_its_only_reader_from_the_first_block_on),
        cmocka_unit_test(blocks_outlive_the_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
