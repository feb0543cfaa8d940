/* test_frame_log.c - tests the recent frames of a radio: where viewers begin, and who is too late.
 */
#include <string.h>

#include "daemon/hub/frame_log.h"
#include "tests/support/cmocka_all.h"

enum { SIZE = 380 };
static const int64_t second_ns = 1000000000;
static struct frame_log frames;
static uint64_t all_bytes;
static int64_t clock_ns; /* Unix time at which frames come */

static int setup(void **state)
{
    (void)state;
    all_bytes = 0;
    clock_ns = 1000 * second_ns;
    frames = (struct frame_log){.all_bytes = &all_bytes};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    frame_log_finish(&frames);
    assert_int_equal(all_bytes, 0);
    return 0;
}

static bool add(bool complete)
{
    return frame_log_add(&frames, ws_message_create(SIZE), complete, clock_ns, FRAME_LOG_BYTES);
}

/* Complete frames, with so many others after each. */
static void add_runs(int complete, int others)
{
    for (int i = 0; i < complete; i++) {
        assert_true(add(true));
        for (int k = 0; k < others; k++)
            assert_true(add(false));
    }
}

static struct frame_cursor begin(int64_t past_s)
{
    return frame_log_start(&frames, clock_ns, past_s * second_ns);
}

/* Reads what there is. Returns the number of frames. */
static int read_all(struct frame_cursor *c, uint64_t *dropped)
{
    int count = 0;
    for (struct ws_message *f; (f = frame_log_next(&frames, c, dropped)); count++)
        ws_message_unref(f);
    return count;
}

static void read_one(struct frame_cursor *c, uint64_t *dropped)
{
    ws_message_unref(frame_log_next(&frames, c, dropped));
}

static void a_viewer_that_is_overtaken_goes_on_with_a_complete_frame(void **state)
{
    (void)state;
    struct frame_cursor at = {0};
    uint64_t dropped = 0;
    add_runs(10, 1);
    read_one(&at, &dropped);
    assert_int_equal(dropped, 18);
    assert_int_equal(at.next, 19);
    add_runs(7, 1); /* FRAME_LOG_RUNS complete frames may wait for it */
    assert_int_equal(read_all(&at, &dropped), 1 + 14);
    assert_int_equal(dropped, 18);
}

static void
a_viewer_that_wants_the_past_gets_all_frames_of_that_time_and_then_live_ones(void **state)
{
    (void)state;
    uint64_t dropped = 0;
    for (int i = 0; i < 100; i++) { /* 200 frames in 100 s */
        clock_ns += second_ns;
        add_runs(1, 1);
    }
    struct frame_cursor at = begin(60), all = begin(3600), live = begin(0);
    assert_int_equal(at.next, 200 - 2 * 61); /* those of 60 s ago, too */
    assert_int_equal(all.next, 0);
    assert_int_equal(live.next, 198);
    assert_int_equal(read_all(&at, &dropped), 122);
    add_runs(3, 1);
    assert_int_equal(read_all(&at, &dropped), 6);
    assert_int_equal(dropped, 0);
    add_runs(9, 1); /* it has caught up: now it may be too late, as others */
    assert_int_equal(read_all(&at, &dropped), 2);
    assert_int_equal(dropped, 16);
}

static void the_past_begins_with_a_complete_frame_also_where_the_clock_was_set_back(void **state)
{
    (void)state;
    uint64_t dropped = 0;
    for (int i = 0; i < 100; i++) {
        clock_ns += i == 50 ? -3600 * second_ns : second_ns;
        add_runs(1, 9);
    }
    for (int64_t past_s = 0; past_s < 200; past_s++) {
        struct frame_cursor at = begin(past_s);
        const uint64_t from = at.next;
        assert_int_equal(from % 10, 0);
        assert_int_equal(read_all(&at, &dropped), 1000 - from);
    }
    assert_int_equal(dropped, 0);
}

static void a_viewer_in_the_past_is_not_too_late_while_it_catches_up(void **state)
{
    (void)state;
    uint64_t dropped = 0, count = 0;
    add_runs(100, 1);
    struct frame_cursor at = begin(3600);
    for (; at.next < frames.end; count += 2) { /* twice as fast as frames come */
        add_runs(1, 0);
        read_one(&at, &dropped);
        read_one(&at, &dropped);
    }
    assert_int_equal(dropped, 0);
    assert_int_equal(count, frames.end);
}

static void what_the_log_loses_of_the_past_is_not_counted(void **state)
{
    (void)state;
    uint64_t dropped = 0;
    add_runs(100, 1);
    struct frame_cursor at = begin(3600);
    read_one(&at, &dropped);
    frame_log_clear(&frames);
    add_runs(1, 1);
    assert_int_equal(read_all(&at, &dropped), 2);
    assert_int_equal(dropped, 2); /* of the newest run when it began: those were live */
}

static void a_viewer_that_never_catches_up_counts_as_too_late_in_the_end(void **state)
{
    (void)state;
    uint64_t dropped = 0;
    add_runs(100, 1);
    struct frame_cursor at = begin(3600);
    for (int i = 0; i < 1000; i++) { /* as fast as frames come, and no faster */
        add_runs(1, 0);
        read_one(&at, &dropped);
    }
    assert_true(dropped > 0);
    assert_true(frames.end - at.next < 10);
}

static void the_log_is_bounded_without_complete_frames(void **state)
{
    (void)state;
    uint64_t count = 1;
    assert_false(add(false)); /* nobody could read it */
    assert_true(add(true));
    while (add(false))
        count++;
    assert_true(count > FRAME_LOG_BYTES / (2 * SIZE) && count < FRAME_LOG_BYTES / SIZE);
    assert_int_equal(all_bytes, 0);
    assert_false(add(false));
    add_runs(1, 0);
    assert_int_equal(frames.end - frames.first, 1);
}

static void a_log_has_minutes_within_its_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < 20 * 600; i++) /* 20 frames a second, one of 40 complete */
        assert_true(add(i % 40 == 0));
    assert_true(frames.bytes <= FRAME_LOG_BYTES && frames.bytes > FRAME_LOG_BYTES * 9 / 10);
    assert_true(frames.end - frames.first > 20 * 300);
    assert_int_equal(all_bytes, frames.bytes);
    frame_log_trim(&frames, FRAME_LOG_BYTES / 2);
    assert_true(frames.bytes <= FRAME_LOG_BYTES / 2);
    assert_int_equal(begin(3600).next, frames.first);
    assert_int_equal(frames.first % 40, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_viewer_that_is_overtaken_goes_on_with_a_complete_frame),
        T(a_viewer_that_wants_the_past_gets_all_frames_of_that_time_and_then_live_ones),
        T(the_past_begins_with_a_complete_frame_also_where_the_clock_was_set_back),
        T(a_viewer_in_the_past_is_not_too_late_while_it_catches_up),
        T(what_the_log_loses_of_the_past_is_not_counted),
        T(a_viewer_that_never_catches_up_counts_as_too_late_in_the_end),
        T(the_log_is_bounded_without_complete_frames),
        T(a_log_has_minutes_within_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
