/*
 * test_feed_trace.c - traces of clients: what holds and averages show, for whom, and how long.
 */
#include "tests/client/feed_fixture.h"

/* Line k of the fixture has 0 dBFS in bin k, and -90 dBFS everywhere else. */
static void set_trace(struct fixture *r, int client, enum trace_function function, uint64_t count,
                      uint32_t columns, bool restart)
{
    const struct view view = {.low_hz = NAN,
                              .high_hz = NAN,
                              .columns = columns,
                              .detector = 1,
                              .trace = {.function = function, .count = count}};
    assert_int_equal(feed_set_view(&r->feed, &r->client[client], 0, &view, 1, restart), 0);
}

/* The level of every bin in the client's next frame. */
static struct wire_header read_levels(struct fixture *r, int client, double level[N])
{
    struct wire_header h;
    struct ws_message *f = read_frame(r, client, &h);
    assert_int_equal(h.columns, N);
    assert_false(h.flags & WIRE_DEFLATED);
    for (int i = 0; i < N; i++)
        level[i] = (double)h.level_offset_db + (double)h.level_step_db * f->data[WIRE_HEADER + i];
    ws_message_unref(f);
    feed_credit(&r->client[client], 1);
    return h;
}

/* Tones at full level from bin `from` up to `to` - 1, and nowhere else. */
static void check_tones(const double level[N], int from, int to)
{
    for (int i = 0; i < N; i++)
        assert_near(level[i], i >= from && i < to ? 0 : -90, 0.4);
}

static void max_hold_keeps_every_tone_since_it_was_asked_for(void **state)
{
    struct fixture *r = *state;
    double level[N];
    feed_lines(r, 3); /* the newest, line 2, is the first of the trace */
    set_trace(r, 0, TRACE_MAX_HOLD, 0, N, false);
    read_levels(r, 0, level);
    check_tones(level, 2, 3);
    feed_lines(r, 5);
    const struct wire_header h = read_levels(r, 0, level);
    check_tones(level, 2, 8);
    assert_int_equal(h.merged, 5); /* lines since the last frame, not those of the trace */
    assert_int_equal(h.line, 7);
}

static void another_zoom_keeps_the_trace_and_a_restart_ends_it(void **state)
{
    struct fixture *r = *state;
    double level[N];
    feed_lines(r, 1);
    set_trace(r, 0, TRACE_MAX_HOLD, 0, 16, false);
    feed_lines(r, 9);
    set_trace(r, 0, TRACE_MAX_HOLD, 0, N, false); /* more columns */
    read_levels(r, 0, level);
    check_tones(level, 0, 10);
    set_trace(r, 0, TRACE_MAX_HOLD, 0, N, true);
    read_levels(r, 0, level);
    check_tones(level, 9, 10);
    feed_lines(r, 1);
    set_trace(r, 0, TRACE_CLEAR_WRITE, 0, N, false);
    read_levels(r, 0, level);
    check_tones(level, 10, 11);
    assert_null(r->feed.traces.first);
}

static void each_client_has_a_trace_of_its_own(void **state)
{
    struct fixture *r = *state;
    double level[N];
    feed_lines(r, 1);
    set_trace(r, 0, TRACE_MAX_HOLD, 0, N, false);
    feed_lines(r, 4);
    set_trace(r, 1, TRACE_MAX_HOLD, 0, N, false);
    set_trace(r, 2, TRACE_MIN_HOLD, 0, N, false);
    feed_lines(r, 1);
    read_levels(r, 0, level);
    check_tones(level, 0, 6);
    read_levels(r, 1, level);
    check_tones(level, 4, 6);
    read_levels(r, 2, level); /* no bin has a tone twice */
    check_tones(level, 0, 0);
    feed_leave(&r->feed, &r->client[0]);
    assert_non_null(r->feed.traces.first);
}

static void an_average_divides_a_tone_by_the_lines(void **state)
{
    struct fixture *r = *state;
    double level[N];
    feed_lines(r, 1);
    set_trace(r, 0, TRACE_AVERAGE, 0, N, false);
    feed_lines(r, 9);
    read_levels(r, 0, level);
    for (int i = 0; i < 10; i++)
        assert_near(level[i], -10, 0.4); /* in one of ten lines */
    assert_near(level[10], -90, 0.4);
}

static void another_tuning_begins_the_trace_again(void **state)
{
    struct fixture *r = *state;
    double level[N];
    feed_lines(r, 1);
    set_trace(r, 0, TRACE_MAX_HOLD, 0, N, false);
    feed_lines(r, 4);
    r->center_hz = 200e6;
    feed_lines(r, 2);
    const struct wire_header h = read_levels(r, 0, level);
    check_tones(level, 5, 7);
    assert_near(h.center_hz, 200e6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(max_hold_keeps_every_tone_since_it_was_asked_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(another_zoom_keeps_the_trace_and_a_restart_ends_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(each_client_has_a_trace_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_average_divides_a_tone_by_the_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_tuning_begins_the_trace_again, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
