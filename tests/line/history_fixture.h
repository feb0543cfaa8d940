/* history_fixture.h - a small history, its lines, and what is read of it. */
#ifndef FFTD_TESTS_LINE_HISTORY_FIXTURE_H
#define FFTD_TESTS_LINE_HISTORY_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/line/history/history_thread.h"
#include "tests/support/server/lines.h"

enum { N = 256, LINES_MAX = 6000 };
static const float noise = 1e-9F; /* -90 dBFS */

struct fixture {
    struct history *history;
    struct line *line;
    uint64_t next;
};

static inline int set_up(void **state)
{
    struct fixture *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(history_create(&r->history, HISTORY_BYTES_MIN), 0);
    r->line = line_create(&(struct line_shape){.n = N, .detectors = all_detectors});
    assert_non_null(r->line);
    *state = r;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *r = *state;
    history_destroy(r->history);
    line_destroy(r->line);
    free(r);
    return 0;
}

static inline void add(struct fixture *r)
{
    history_add(r->history, r->line, false);
    r->next++;
}

/* Adds a line of noise, with a tone in one bin of all detectors (power 0: none). */
static inline void add_line(struct fixture *r, uint32_t bin, float power)
{
    describe_line(r->line, r->next);
    fill_line(r->line, noise);
    if (power > 0)
        add_tone(r->line, bin, power);
    add(r);
}

static inline struct history_query everything(unsigned detector)
{
    return (struct history_query){.low_hz = NAN,
                                  .high_hz = NAN,
                                  .columns = N,
                                  .detector = detector,
                                  .before = UINT64_MAX,
                                  .from_ns = INT64_MIN,
                                  .to_ns = INT64_MAX,
                                  .rows = 20000,
                                  .lines = 1,
                                  .levels = (size_t)1 << 30};
}

static inline struct history_result read_rows(struct fixture *r, const struct history_query *q)
{
    struct history_result result;
    assert_int_equal(history_read(r->history, q, &result), 0);
    return result;
}

static inline double level_of(const struct history_line *line, unsigned detector, uint32_t column)
{
    assert_true(column < line->row.columns);
    return line->row.offset_db[detector] +
           line->row.step_db[detector] * (float)line->levels[column];
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
