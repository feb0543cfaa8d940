/*
 * test_feed_slots.c - several views of one client: rounds of frames from one line, their credit,
 * what is shared, and what a removed view leaves.
 */
#include <errno.h>

#include "tests/client/feed_fixture.h"

enum { MORE = 64, FLAGS_AT = 6 }; /* docs/protocol.md */

static void set_slot(struct fixture *r, int client, unsigned slot, const struct view *view,
                     uint32_t id)
{
    assert_int_equal(feed_set_view(&r->feed, &r->client[client], slot, view, id, false), 0);
}

/* Slot s of the client shows 16 << s columns, and has the number 10 + s. */
static void set_slots(struct fixture *r, int client, unsigned slots)
{
    for (unsigned s = 0; s < slots; s++)
        set_slot(r, client, s,
                 &(struct view){.low_hz = NAN, .high_hz = NAN, .columns = 16U << s, .detector = 1},
                 10 + s);
}

/* The next frame is that of this slot, of this newest line, with so many lines. */
static void expect(struct fixture *r, unsigned slot, uint64_t line, uint32_t merged, bool more)
{
    struct wire_header h;
    struct ws_message *f = read_frame(r, 0, &h);
    assert_int_equal(h.view, 10 + slot);
    assert_int_equal(h.columns, 16U << slot);
    assert_int_equal(h.line, line);
    assert_int_equal(h.merged, merged);
    assert_int_equal(f->data[FLAGS_AT] & MORE, more ? MORE : 0);
    ws_message_unref(f);
}

static void expect_round(struct fixture *r, uint64_t line, uint32_t merged)
{
    expect(r, 2, line, merged, true);
    expect(r, 1, line, merged, true);
    expect(r, 0, line, merged, false);
}

static void expect_silence(struct fixture *r, int client)
{
    assert_false(feed_ready(&r->client[client]));
    assert_null(feed_next_frame(&r->feed, &r->client[client]));
}

static void a_round_has_a_frame_of_each_slot_and_takes_one_credit(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 3);
    for (uint64_t line = 0; line < 20; line++) {
        feed_lines(r, 1);
        expect_round(r, line, 1);
        assert_int_equal(r->client[0].credit, 1);
        expect_silence(r, 0);
        feed_credit(&r->client[0], 1);
    }
}

static void lines_that_come_in_a_round_are_in_the_next_one_for_all_slots(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 3);
    feed_lines(r, 1);
    expect(r, 2, 0, 1, true);
    feed_lines(r, 2);
    expect(r, 1, 0, 1, true);
    feed_lines(r, 1);
    expect(r, 0, 0, 1, false);
    expect_round(r, 3, 3);
}

static void
a_client_without_credit_gets_two_rounds_and_then_none_however_long_it_waits(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 3);
    feed_lines(r, 1);
    expect_round(r, 0, 1);
    feed_lines(r, 1);
    expect_round(r, 1, 1);
    for (int i = 0; i < 50; i++) {
        feed_lines(r, 1);
        expect_silence(r, 0);
    }
    feed_credit(&r->client[0], 1);
    expect_round(r, 51, 50); /* no slot is ahead of another */
    expect_silence(r, 0);
}

static void a_new_view_alone_makes_a_round(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 2);
    feed_lines(r, 1);
    expect(r, 1, 0, 1, true);
    expect(r, 0, 0, 1, false);
    set_slots(r, 0, 3); /* the newest line is ready for all of them */
    expect_round(r, 0, 1);
    feed_credit(&r->client[0], 2);
    const struct view other = {.low_hz = NAN, .high_hz = NAN, .columns = 64, .detector = 0};
    set_slot(r, 0, 2, &other, 12);
    expect(r, 2, 0, 1, false);
    expect_silence(r, 0);
}

static void a_view_that_is_replaced_in_a_round_gives_no_old_frame(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 3);
    feed_lines(r, 1);
    expect(r, 2, 0, 1, true);
    const struct view other = {.low_hz = NAN, .high_hz = NAN, .columns = 33, .detector = 1};
    set_slot(r, 0, 1, &other, 77);
    expect(r, 0, 0, 1, false);
    const struct wire_header h = next_header(r, 0);
    assert_int_equal(h.view, 77);
    assert_int_equal(h.columns, 33);
    expect_silence(r, 0);
}

static void a_removed_view_sends_nothing_and_takes_no_credit(void **state)
{
    struct fixture *r = *state;
    set_slots(r, 0, 3);
    assert_int_equal(r->feed.view_count, 3);
    feed_lines(r, 1);
    expect(r, 2, 0, 1, true);
    feed_remove_view(&r->feed, &r->client[0], 1);
    feed_remove_view(&r->feed, &r->client[0], 0);
    feed_remove_view(&r->feed, &r->client[0], 6); /* there is none */
    assert_int_equal(r->feed.view_count, 1);
    assert_int_equal(r->client[0].credit, 2); /* the round had no last frame */
    expect_silence(r, 0);
    for (uint64_t line = 1; line < 9; line++) {
        feed_lines(r, 1);
        expect(r, 2, line, 1, false);
        feed_credit(&r->client[0], 1);
    }
    feed_remove_view(&r->feed, &r->client[0], 2);
    assert_false(feed_has_view(&r->client[0]));
    assert_int_equal(r->feed.view_count, 0);
}

static void equal_views_in_any_slots_are_rendered_and_encoded_once(void **state)
{
    struct fixture *r = *state;
    const struct view view = {.low_hz = NAN, .high_hz = NAN, .columns = 64, .detector = 1};
    const struct {
        int client;
        unsigned slot;
    } users[] = {{0, 5}, {0, 0}, {1, 3}, {2, 0}}; /* in the order of their frames */
    for (unsigned i = 0; i < 4; i++)
        set_slot(r, users[i].client, users[i].slot, &view, 100 + i);
    assert_int_equal(r->feed.view_count, 1);
    feed_lines(r, 1);
    const struct ws_message *first = NULL;
    for (unsigned i = 0; i < 4; i++) {
        struct wire_header h;
        struct ws_message *f = read_frame(r, users[i].client, &h);
        assert_int_equal(h.view, 100 + i);
        assert_int_equal(f->data[FLAGS_AT] & MORE, i == 0 ? MORE : 0);
        assert_true(!first || f == first);
        first = f;
        ws_message_unref(f);
    }
}

static void all_slots_count_as_different_views(void **state)
{
    struct fixture *r = *state; /* has three */
    const struct view fourth = {.low_hz = NAN, .high_hz = NAN, .columns = 7, .detector = 1};
    set_slots(r, 0, 3);
    assert_int_equal(feed_set_view(&r->feed, &r->client[0], 3, &fourth, 1, false), -EMFILE);
    feed_remove_view(&r->feed, &r->client[0], 1);
    set_slot(r, 0, 3, &fourth, 1);
}

static void traces_of_slots_are_kept_apart(void **state)
{
    struct fixture *r = *state;
    static const enum trace_function held[] = {TRACE_CLEAR_WRITE, TRACE_MAX_HOLD, TRACE_MIN_HOLD};
    static const double of_a_past_tone[] = {-90, 0, -90};
    feed_lines(r, 1);
    for (unsigned s = 0; s < 3; s++)
        set_slot(r, 0, s,
                 &(struct view){.low_hz = NAN,
                                .high_hz = NAN,
                                .columns = N,
                                .detector = 3, /* of merged lines the newest */
                                .trace = {.function = held[s]}},
                 s);
    feed_lines(r, 9);
    for (int s = 2; s >= 0; s--) {
        struct wire_header h;
        struct ws_message *f = read_frame(r, 0, &h);
        const double db =
            (double)h.level_offset_db + (double)h.level_step_db * f->data[WIRE_HEADER + 4];
        assert_int_equal(h.line, 9);
        assert_near(db, of_a_past_tone[s], 0.5);
        ws_message_unref(f);
    }
}

/* A coded frame names its slot: its changes begin with 'L' + slot. The base is the slot's own. */
static void coded_frames_name_their_slot(void **state)
{
    struct fixture *r = *state;
    const struct view view = {
        .low_hz = NAN, .high_hz = NAN, .columns = 64, .detector = 1, .coding = WIRE_RANGE};
    set_slot(r, 0, 0, &view, 1);
    set_slot(r, 0, 4, &view, 2);
    for (int line = 0; line < 3; line++) {
        feed_lines(r, 1);
        for (int i = 0; i < 2; i++) {
            const unsigned slot = i == 0 ? 4 : 0;
            struct ws_message *f = feed_next_frame(&r->feed, &r->client[0]);
            assert_non_null(f);
            const uint8_t *changes = line == 0 ? f->data + WIRE_HEADER : f->data;
            if (line == 0)
                assert_memory_equal(f->data, "FFTD", 4);
            assert_int_equal(changes[0], 'L' + slot);
            assert_int_equal(changes[1] & MORE, slot == 4 ? MORE : 0);
            ws_message_unref(f);
        }
        feed_credit(&r->client[0], 1);
    }
}

#define FIXTURE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_round_has_a_frame_of_each_slot_and_takes_one_credit),
        FIXTURE_TEST(lines_that_come_in_a_round_are_in_the_next_one_for_all_slots),
        FIXTURE_TEST(a_client_without_credit_gets_two_rounds_and_then_none_however_long_it_waits),
        FIXTURE_TEST(a_new_view_alone_makes_a_round),
        FIXTURE_TEST(a_view_that_is_replaced_in_a_round_gives_no_old_frame),
        FIXTURE_TEST(a_removed_view_sends_nothing_and_takes_no_credit),
        FIXTURE_TEST(equal_views_in_any_slots_are_rendered_and_encoded_once),
        FIXTURE_TEST(all_slots_count_as_different_views),
        FIXTURE_TEST(traces_of_slots_are_kept_apart),
        FIXTURE_TEST(coded_frames_name_their_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
