/* test_archive_past.c - the past of the waterfall goes on in the archive: paged to its start. */
#include "tests/archive/archive_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/read/archive_past.h"

static const struct fixture_levels noise = {-90, -80, -110};
enum { LINES = 15000, PEAK = 777, PAGE = 97 }; /* 25 minutes */

struct fixture {
    struct archive_fixture fixture;
    struct history *history;
};

static int set_up(void **state)
{
    static struct fixture f;
    archive_fixture_init(&f.fixture);
    archive_fixture_start(&f.fixture);
    assert_int_equal(history_create(&f.history, HISTORY_BYTES_MIN), 0);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    archive_fixture_remove(&f->fixture);
    history_destroy(f->history);
    return 0;
}

static struct history_query query_of(unsigned detector, uint64_t before)
{
    return (struct history_query){.low_hz = NAN,
                                  .high_hz = NAN,
                                  .columns = 16,
                                  .detector = detector,
                                  .before = before,
                                  .from_ns = INT64_MIN,
                                  .to_ns = INT64_MAX,
                                  .rows = PAGE,
                                  .lines = 1,
                                  .levels = 1 << 18};
}

static struct history_result read_past(const struct fixture *f, const struct history_query *q)
{
    struct history_result result;
    const struct past_source past = {.history = f->history, .folder = f->fixture.folder};
    assert_int_equal(archive_past_read(&past, q, &result), 0);
    return result;
}

static double strongest(const struct history_line *line, uint32_t *column)
{
    double max = -INFINITY;
    for (uint32_t i = 0; i < line->row.columns; i++) {
        const double db =
            (double)(line->row.offset_db[1] + line->row.step_db[1] * (float)line->levels[i]);
        if (db > max)
            *column = i;
        max = fmax(max, db);
    }
    return max;
}

/* Every time of the archive is in some row, numbers do not overlap, and the peak is where it was.
 */
static void pages_lead_to_the_start_of_the_archive(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < LINES; i++)
        archive_fixture_add(&f->fixture, &noise, 41,
                            i == PEAK ? &(struct fixture_levels){-60, -10, -70} : NULL);
    archive_fixture_stop(&f->fixture);
    uint64_t before = UINT64_MAX;
    int64_t after_ns = fixture_start_ns + LINES * f->fixture.line_ns;
    bool oldest = false;
    int peaks = 0, rows = 0;
    int64_t shortest_ns = INT64_MAX, longest_ns = 0;
    while (!oldest) {
        const struct history_query q = query_of(1, before);
        struct history_result page = read_past(f, &q);
        assert_true(page.rows > 0 && page.rows <= PAGE);
        for (uint32_t i = 0; i < page.rows; i++) {
            const struct history_row *row = &page.line[i].row;
            const int64_t end_ns =
                row->time_ns + ((int64_t)(row->line - row->first_line) + 1) * 1000;
            uint32_t column = 0;
            assert_true((int64_t)row->line < 0 && row->first_line <= row->line);
            assert_true(before == UINT64_MAX || row->line < before);
            assert_true(row->archived && row->lines >= 1);
            assert_in_range(llabs(end_ns - after_ns), 0, 1000); /* rows follow each other */
            assert_int_equal(row->columns, 16);
            if (strongest(&page.line[i], &column) > -10.4) {
                const int64_t peak_ns = fixture_start_ns + PEAK * f->fixture.line_ns;
                assert_true(row->time_ns <= peak_ns && peak_ns < after_ns);
                assert_int_equal(column, 41 / 4);
                peaks++;
            }
            shortest_ns = end_ns - row->time_ns < shortest_ns ? end_ns - row->time_ns : shortest_ns;
            longest_ns = end_ns - row->time_ns > longest_ns ? end_ns - row->time_ns : longest_ns;
            before = row->first_line;
            after_ns = row->time_ns;
            rows++;
        }
        oldest = page.oldest;
        history_result_finish(&page);
    }
    assert_true(after_ns == fixture_start_ns);
    assert_int_equal(peaks, 1);
    assert_int_equal(rows, 3000 + 1200); /* 300 s in rows of 100 ms, 1200 s in rows of 1 s */
    assert_true(shortest_ns == 100000000 && longest_ns == 1000000000);
    const struct history_query q = query_of(1, before);
    struct history_result none = read_past(f, &q);
    assert_true(none.rows == 0 && none.oldest);
    history_result_finish(&none);
}

/* The rows of an earlier run are before line 0, and the first line of this one follows a break. */
static void rows_of_the_memory_come_first(void **state)
{
    struct fixture *f = *state;
    archive_fixture_add_noise(&f->fixture, 40);
    struct line_reader reader;
    line_reader_join(&reader, f->fixture.lines, true);
    archive_fixture_add_noise(&f->fixture, 20);
    for (int i = 0; i < 20; i++) {
        struct line *line = line_reader_next(&reader, 1000, NULL);
        history_add(f->history, line, false);
        line_unref(f->fixture.lines, line);
    }
    line_reader_leave(&reader);
    archive_fixture_stop(&f->fixture);
    const struct history_query q = query_of(0, UINT64_MAX);
    struct history_result all = read_past(f, &q);
    assert_int_equal(all.rows, 60);
    assert_true(all.oldest);
    for (uint32_t i = 0; i < all.rows; i++) {
        assert_int_equal(all.line[i].row.archived, i >= 20);
        assert_true(all.line[i].row.time_ns ==
                    fixture_start_ns + (59 - (int64_t)i) * f->fixture.line_ns);
        assert_near(all.line[i].row.offset_db[0], -90, 0.3);
    }
    assert_int_equal(all.line[19].row.line, 40);
    assert_true((int64_t)all.line[20].row.line < 0);
    struct history_query page = query_of(0, UINT64_MAX);
    page.rows = 20; /* all of the memory, and no room for more */
    struct history_result recent = read_past(f, &page);
    assert_int_equal(recent.rows, 20);
    assert_false(recent.oldest);
    page = query_of(0, recent.line[19].row.first_line);
    struct history_result rest = read_past(f, &page);
    assert_int_equal(rest.rows, 40);
    assert_true(rest.oldest && rest.line[0].row.line == all.line[20].row.line);
    history_result_finish(&recent);
    history_result_finish(&rest);
    history_result_finish(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pages_lead_to_the_start_of_the_archive, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_the_memory_come_first, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
