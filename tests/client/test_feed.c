/*
 * test_feed.c - tests the frames that clients of different speed get: which are shared, which lines
 * are merged, and that memory does not grow.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/client/feed_fixture.h"

static void a_fast_client_gets_every_line_in_its_own_frame(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 7);
    for (uint64_t i = 0; i < 100; i++) {
        feed_lines(r, 1);
        assert_true(feed_ready(&r->client[0]));
        const struct wire_header h = next_header(r, 0);
        assert_int_equal(h.line, i);
        assert_int_equal(h.merged, 1);
        assert_int_equal(h.view, 7);
        assert_int_equal(h.columns, 64);
        feed_credit(&r->client[0], 1);
    }
}

static void without_credit_a_client_gets_two_frames(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 1);
    feed_lines(r, 1);
    next_header(r, 0);
    feed_lines(r, 1);
    next_header(r, 0);
    feed_lines(r, 1);
    assert_false(feed_ready(&r->client[0]));
    assert_null(feed_next_frame(&r->feed, &r->client[0]));
    feed_credit(&r->client[0], 1);
    assert_int_equal(next_header(r, 0).line, 2);
}

static void credit_never_exceeds_two(void **state)
{
    struct fixture *r = *state;
    feed_credit(&r->client[0], 2); /* before the first view: no effect */
    assert_int_equal(r->client[0].credit, 0);
    set_view(r, 0, 64, 1);
    for (int i = 0; i < 50; i++)
        feed_credit(&r->client[0], 2);
    assert_int_equal(r->client[0].credit, 2);
    set_view(r, 0, 65, 2); /* another view gives no new credit */
    feed_lines(r, 1);
    next_header(r, 0);
    set_view(r, 0, 66, 3);
    assert_int_equal(r->client[0].credit, 1);
}

static void a_slow_client_gets_all_lines_merged_and_counted(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, N, 1);
    feed_lines(r, 2);
    next_header(r, 0);
    feed_lines(r, 1);
    next_header(r, 0); /* line 2; out of credit */
    feed_lines(r, 30);
    feed_credit(&r->client[0], 1);
    struct wire_header h;
    struct ws_message *f = read_frame(r, 0, &h);
    assert_int_equal(h.merged, 30);
    assert_int_equal(h.line, 32);
    assert_int_equal(h.first_sample, 3 * 10 * (N / 2));
    assert_int_equal(h.frames, 300);
    for (uint32_t bin = 0; bin < N; bin++) { /* max: has every tone since line 3 */
        const double db = h.level_offset_db + h.level_step_db * (float)f->data[WIRE_HEADER + bin];
        assert_near(db, bin >= 3 && bin <= 32 ? 0 : -90, 0.3);
    }
    ws_message_unref(f);
    assert_int_equal(r->feed.merged, 1 + 29);
}

static void clients_that_keep_up_share_one_frame(void **state)
{
    struct fixture *r = *state;
    for (int i = 0; i < 3; i++)
        set_view(r, i, 64, 10 + (uint32_t)i);
    assert_int_equal(r->feed.view_count, 1);
    feed_lines(r, 1);
    struct wire_header h[3];
    struct ws_message *f[3];
    for (int i = 0; i < 3; i++)
        f[i] = read_frame(r, i, &h[i]);
    assert_ptr_equal(f[0], f[1]);
    assert_ptr_equal(f[0], f[2]);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(h[i].view, 10 + i); /* each has its client's number */
        ws_message_unref(f[i]);
    }
}

static void set_coded_view(struct fixture *r, int client, uint32_t id)
{
    const struct view view = {.low_hz = NAN, .high_hz = NAN, .columns = 64, .coding = WIRE_RANGE};
    assert_int_equal(feed_set_view(&r->feed, &r->client[client], 0, &view, id, false), 0);
}

/* The client's next frame, which must have a base with the number of its view, or none. */
static struct ws_message *read_coded(struct fixture *r, int client, uint32_t base_of_view)
{
    struct ws_message *f = feed_next_frame(&r->feed, &r->client[client]);
    uint32_t view;
    assert_non_null(f);
    feed_credit(&r->client[client], 1);
    assert_int_equal(f->data[0], base_of_view ? 'F' : 'L');
    memcpy(&view, f->data + 12, sizeof view);
    if (base_of_view)
        assert_int_equal(view, base_of_view);
    return f;
}

static void range_coded_clients_share_frames_and_get_each_base_once(void **state)
{
    struct fixture *r = *state;
    set_coded_view(r, 0, 10);
    set_coded_view(r, 1, 11);
    set_view(r, 2, 64, 12); /* plain: a view of its own */
    assert_int_equal(r->feed.view_count, 2);
    feed_lines(r, 1);
    struct ws_message *f[] = {read_coded(r, 0, 10), read_coded(r, 1, 11)};
    assert_ptr_equal(f[0], f[1]);
    ws_message_unref(f[0]);
    ws_message_unref(f[1]);
    feed_lines(r, 1);
    set_coded_view(r, 3, 13); /* joins the others, and needs the base that they have */
    struct ws_message *next[] = {read_coded(r, 0, 0), read_coded(r, 1, 0), read_coded(r, 3, 13)};
    assert_ptr_equal(next[0], next[1]);
    assert_int_equal(next[2]->size, WIRE_HEADER + next[0]->size);
    assert_memory_equal(next[2]->data + WIRE_HEADER, next[0]->data, next[0]->size);
    for (int i = 0; i < 3; i++)
        ws_message_unref(next[i]);
    r->center_hz += 1e6; /* another base */
    feed_lines(r, 1);
    ws_message_unref(read_coded(r, 0, 10));
    set_coded_view(r, 1, 20); /* another number of the same view */
    ws_message_unref(read_coded(r, 1, 20));
    feed_lines(r, 1);
    ws_message_unref(read_coded(r, 0, 0));
    ws_message_unref(read_coded(r, 3, 13)); /* two lines behind: its base is the old one */
}

static void a_slow_client_does_not_change_the_frames_of_others(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 1);
    set_view(r, 1, 64, 2);
    for (uint64_t i = 0; i < 50; i++) {
        feed_lines(r, 1);
        const struct wire_header h = next_header(r, 0);
        assert_int_equal(h.merged, 1);
        assert_int_equal(h.line, i);
        feed_credit(&r->client[0], 1);
    }
    assert_int_equal(next_header(r, 1).merged, 50);
}

static void clients_that_stop_at_the_same_line_share_a_frame(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 1);
    set_view(r, 1, 64, 2);
    feed_lines(r, 9);
    struct wire_header h;
    struct ws_message *a = read_frame(r, 0, &h);
    struct ws_message *b = read_frame(r, 1, &h);
    assert_ptr_equal(a, b);
    assert_int_equal(h.merged, 9);
    ws_message_unref(a);
    ws_message_unref(b);
}

static void a_new_view_gets_the_newest_line_at_once(void **state)
{
    struct fixture *r = *state;
    feed_lines(r, 5);
    set_view(r, 0, 64, 1);
    assert_int_equal(next_header(r, 0).line, 4);
    assert_false(feed_ready(&r->client[0])); /* only once */
    set_view(r, 0, 32, 2);
    const struct wire_header h = next_header(r, 0);
    assert_int_equal(h.line, 4);
    assert_int_equal(h.columns, 32);
    assert_int_equal(h.view, 2);
}

static void a_new_view_discards_the_backlog_of_the_old_one(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 1);
    feed_lines(r, 20);
    set_view(r, 0, 64, 2); /* the same view with another number */
    const struct wire_header h = next_header(r, 0);
    assert_int_equal(h.view, 2);
    assert_int_equal(h.merged, 1);
    assert_int_equal(h.line, 19);
}

static void lines_of_different_centres_are_not_merged(void **state)
{
    struct fixture *r = *state;
    set_view(r, 0, 64, 1);
    feed_lines(r, 10);
    r->center_hz = 200e6;
    feed_lines(r, 3);
    const struct wire_header h = next_header(r, 0);
    assert_int_equal(h.merged, 3);
    assert_near(h.center_hz, 200e6, 0);
    assert_int_equal(h.line, 12);
}

static void distinct_views_are_limited_and_freed(void **state)
{
    struct fixture *r = *state;
    const struct view fourth = {.low_hz = NAN, .high_hz = NAN, .columns = 103, .detector = 1};
    for (int i = 0; i < 3; i++)
        set_view(r, i, 100 + (uint32_t)i, 1);
    assert_int_equal(feed_set_view(&r->feed, &r->client[3], 0, &fourth, 1, false), -EMFILE);
    assert_false(feed_has_view(&r->client[3]));
    assert_int_equal(feed_set_view(&r->feed, &r->client[0], 0, &fourth, 1, false),
                     0); /* in place of its own */
    assert_int_equal(r->feed.view_count, 3);
    feed_leave(&r->feed, &r->client[1]);
    set_view(r, 3, 104, 1);
    assert_int_equal(r->feed.view_count, 3);
}

static void a_refused_view_leaves_the_old_one(void **state)
{
    struct fixture *r = *state;
    const struct view other = {.low_hz = NAN, .high_hz = NAN, .columns = 5, .detector = 1};
    set_view(r, 0, 100, 1);
    set_view(r, 1, 101, 1);
    set_view(r, 2, 102, 1);
    set_view(r, 3, 100, 9);
    assert_int_equal(feed_set_view(&r->feed, &r->client[3], 0, &other, 10, false), -EMFILE);
    feed_lines(r, 1);
    assert_int_equal(next_header(r, 3).view, 9);
}

static void a_flat_view_is_deflated_and_a_small_one_is_not(void **state)
{
    struct fixture *r = *state;
    assert_int_equal(
        line_ring_configure(r->ring, &(struct line_shape){.n = 4096, .detectors = all_detectors}),
        0);
    set_view(r, 0, 4096, 1);
    feed_lines(r, 1);
    struct wire_header h;
    struct ws_message *f = read_frame(r, 0, &h);
    uint8_t levels[4096];
    uLongf size = sizeof levels;
    assert_int_equal(h.flags & WIRE_DEFLATED, WIRE_DEFLATED);
    assert_true(f->size < 1024);
    assert_int_equal(uncompress(levels, &size, f->data + WIRE_HEADER, f->size - WIRE_HEADER), Z_OK);
    assert_int_equal(size, 4096);
    assert_near(h.level_offset_db + h.level_step_db * (float)levels[0], 0, 0.3);
    assert_near(h.level_offset_db + h.level_step_db * (float)levels[1], -90, 0.3);
    ws_message_unref(f);
    set_view(r, 1, 64, 1);
    f = read_frame(r, 1, &h);
    assert_int_equal(h.flags & WIRE_DEFLATED, 0);
    assert_int_equal(f->size, WIRE_HEADER + 64);
    ws_message_unref(f);
}

/* Deflating noise saves too little, so it must be sent uncompressed. */
static void noise_is_sent_uncompressed(void **state)
{
    struct fixture *r = *state;
    assert_int_equal(
        line_ring_configure(r->ring, &(struct line_shape){.n = 4096, .detectors = all_detectors}),
        0);
    set_view(r, 0, 4096, 1);
    for (unsigned i = 0; i < 3; i++) {
        struct line *line = line_ring_acquire(r->ring, 0);
        describe_line(line, i);
        fill_with_noise(line, i);
        line_reset_pyramids(line);
        line_ring_publish(r->ring, line);
        feed_line(&r->feed, line_reader_next(&r->reader, 0, NULL));
        struct wire_header h;
        struct ws_message *f = read_frame(r, 0, &h);
        assert_int_equal(h.flags & WIRE_DEFLATED, 0);
        assert_int_equal(f->size, WIRE_HEADER + 4096);
        for (uint32_t k = 0; k < 4096; k++)
            assert_near(h.level_offset_db + h.level_step_db * (float)f->data[WIRE_HEADER + k],
                        10 * log10((double)r->feed.latest->detector[1][k]), 0.32);
        ws_message_unref(f);
        feed_credit(&r->client[0], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fast_client_gets_every_line_in_its_own_frame, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_credit_a_client_gets_two_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(credit_never_exceeds_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slow_client_gets_all_lines_merged_and_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(range_coded_clients_share_frames_and_get_each_base_once,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(clients_that_keep_up_share_one_frame, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slow_client_does_not_change_the_frames_of_others, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(clients_that_stop_at_the_same_line_share_a_frame, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_new_view_gets_the_newest_line_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_view_discards_the_backlog_of_the_old_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(lines_of_different_centres_are_not_merged, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(distinct_views_are_limited_and_freed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refused_view_leaves_the_old_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_flat_view_is_deflated_and_a_small_one_is_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(noise_is_sent_uncompressed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
