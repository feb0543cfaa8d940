/* feed_fixture.h - sets up a feed with a few clients for tests. */
#ifndef FFTD_TESTS_CLIENT_FEED_FIXTURE_H
#define FFTD_TESTS_CLIENT_FEED_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/client/feed.h"
#include "tests/support/server/lines.h"

enum { N = 256, CLIENTS = 4 };

struct fixture {
    struct line_ring *ring;
    struct line_reader reader;
    struct feed feed;
    struct feed_client client[CLIENTS];
    uint64_t next;
    double center_hz;
};

static inline int set_up(void **state)
{
    struct fixture *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(line_ring_create(&r->ring, NULL, NULL), 0);
    assert_int_equal(
        line_ring_configure(r->ring, &(struct line_shape){.n = N, .detectors = all_detectors}), 0);
    line_reader_join(&r->reader, r->ring, false);
    feed_init(&r->feed, r->ring, 3);
    r->center_hz = 100e6;
    *state = r;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *r = *state;
    for (int i = 0; i < CLIENTS; i++)
        feed_leave(&r->feed, &r->client[i]);
    feed_finish(&r->feed);
    line_reader_leave(&r->reader);
    line_ring_destroy(r->ring);
    free(r);
    return 0;
}

/* Line k has its tone in bin k % N. */
static inline void feed_lines(struct fixture *r, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct line *line = line_ring_acquire(r->ring, 0);
        assert_non_null(line);
        describe_line(line, r->next);
        line->tuning.center_hz = r->center_hz;
        fill_line(line, 1e-9F);
        add_tone(line, (uint32_t)(r->next++ % N), 1);
        line_reset_pyramids(line);
        line_ring_publish(r->ring, line);
        feed_line(&r->feed, line_reader_next(&r->reader, 0, NULL));
    }
}

static inline void set_view(struct fixture *r, int client, uint32_t columns, uint32_t id)
{
    const struct view view = {.low_hz = NAN, .high_hz = NAN, .columns = columns, .detector = 1};
    assert_int_equal(feed_set_view(&r->feed, &r->client[client], 0, &view, id, false), 0);
}

/* The client's next frame and its header. The caller drops the frame. */
static inline struct ws_message *read_frame(struct fixture *r, int client, struct wire_header *h)
{
    struct ws_message *f = feed_next_frame(&r->feed, &r->client[client]);
    assert_non_null(f);
    assert_int_equal(wire_read_header(f->data, f->size, h), 0);
    return f;
}

static inline struct wire_header next_header(struct fixture *r, int client)
{
    struct wire_header h;
    ws_message_unref(read_frame(r, client, &h));
    return h;
}

#endif
