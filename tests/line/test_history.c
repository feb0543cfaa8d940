/* test_history.c - the history of lines, held against plain sums over all lines. */
#include "tests/line/history_fixture.h"

#include <malloc.h>

/* ---- rows ------------------------------------------------------------------------------- */

static void the_newest_rows_are_the_lines(void **state)
{
    struct fixture *r = *state;
    for (uint32_t i = 0; i < 20; i++)
        add_line(r, i, 1e-3F);
    const struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.rows, 20);
    assert_true(result.oldest);
    for (uint32_t i = 0; i < 20; i++) {
        const struct history_line *line = &result.line[i];
        assert_int_equal(line->row.line, 19 - i);
        assert_int_equal(line->row.lines, 1);
        assert_int_equal(line->row.time_ns, 1700000000000000000 + (int64_t)(19 - i) * 50000000);
        assert_true(line->finest);
        for (uint32_t k = 0; k < N; k++)
            assert_near(level_of(line, 1, k), k == 19 - i ? -30 : -90, 0.13);
    }
    history_result_finish(&result);
}

/* Bin k covers (k - n/2 +- 1/2) of a bin from the centre. */
static void a_row_has_the_frequencies_of_its_bins(void **state)
{
    struct fixture *r = *state;
    add_line(r, 40, 1e-3F);
    struct history_query q = everything(1);
    const double bin_hz = 2.4e6 / N;
    q.low_hz = 100e6 + (40 - N / 2.0 - 0.5) * bin_hz;
    q.high_hz = q.low_hz + bin_hz;
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.rows, 1);
    assert_int_equal(result.line[0].row.columns, 1);
    assert_near(result.line[0].row.low_hz, q.low_hz, 1e-3);
    assert_near(result.line[0].row.column_hz, bin_hz, 1e-6);
    assert_near(level_of(&result.line[0], 1, 0), -30, 0.13);
    history_result_finish(&result);
}

/* As view_render divides them: the same columns, and their largest bins. */
static void columns_are_those_of_a_view(void **state)
{
    struct fixture *r = *state;
    describe_line(r->line, 0);
    fill_with_noise(r->line, 7);
    line_reset_pyramids(r->line);
    history_add(r->history, r->line, false);
    for (uint32_t columns = 1; columns < 120; columns += 13) {
        struct history_query q = everything(1);
        struct view_grid grid;
        float power[N];
        q.columns = columns;
        q.low_hz = 99.3e6;
        q.high_hz = 100.7e6;
        view_make_grid(view_of(q.low_hz, q.high_hz, columns, 1), r->line, &grid);
        view_render(&grid, r->line, 1, power);
        struct history_result result = read_rows(r, &q);
        assert_int_equal(result.rows, 1);
        const struct history_line *line = &result.line[0];
        assert_int_equal(line->row.columns, grid.columns);
        assert_near(line->row.low_hz, grid.low_hz, 1e-3);
        assert_near(line->row.column_hz, grid.column_hz, 1e-6);
        for (uint32_t i = 0; i < grid.columns; i++)
            assert_near(level_of(line, 1, i), 10 * log10(power[i]),
                        line->row.step_db[1] / 2 + 0.01);
        history_result_finish(&result);
    }
}

/* ---- thinning --------------------------------------------------------------------------- */

/* The levels of all lines in a row, computed from the lines. */
struct truth {
    float mean, max, min;
};

static float power_of(uint64_t line, unsigned detector)
{
    unsigned seed = (unsigned)(line * 4 + detector) * 2654435761U;
    return powf(10, -3 - 5 * (float)(rand_r(&seed) % 1000) / 1000);
}

static struct truth combine(uint64_t first, uint64_t last)
{
    struct truth t = {0, 0, INFINITY};
    for (uint64_t i = first; i <= last; i++) {
        t.mean += power_of(i, 0) / (float)(last - first + 1);
        t.max = fmaxf(t.max, power_of(i, 1));
        t.min = fminf(t.min, power_of(i, 2));
    }
    return t;
}

static void add_random_lines(struct fixture *r, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        describe_line(r->line, r->next);
        fill_line(r->line, noise);
        for (unsigned d = 0; d < 3; d++)
            r->line->detector[d][100] = power_of(r->next, d);
        add(r);
    }
}

static void check_thinned(struct fixture *r, uint32_t lines)
{
    for (unsigned d = 0; d < 3; d++) {
        struct history_query q = everything(d);
        q.lines = lines;
        struct history_result result = read_rows(r, &q);
        uint64_t next = r->next;
        assert_true(result.rows > 10);
        for (uint32_t i = 0; i < result.rows; i++) {
            const struct history_row *row = &result.line[i].row;
            assert_int_equal(row->line, next - 1); /* no line is missing, none is in two rows */
            assert_int_equal(row->line - row->first_line + 1, row->lines);
            next = row->first_line;
            const struct truth t = combine(row->first_line, row->line);
            const float wanted = d == 0 ? t.mean : d == 1 ? t.max : t.min;
            /* Half a step where it is stored; a combination of rows is rounded once more. */
            assert_near(level_of(&result.line[i], d, 100), 10 * log10(wanted),
                        (lines > 1 ? 1 : 0.5) * row->step_db[d] + 0.01);
        }
        history_result_finish(&result);
    }
}

static void old_rows_are_folds_of_all_their_lines(void **state)
{
    struct fixture *r = *state;
    add_random_lines(r, LINES_MAX);
    check_thinned(r, 1);
}

static void rows_of_several_lines_are_folds_too(void **state)
{
    struct fixture *r = *state;
    add_random_lines(r, LINES_MAX);
    check_thinned(r, 3);
    check_thinned(r, 10);
    check_thinned(r, 64);
}

/* One line of LINES_MAX has a tone in one bin. */
static void a_burst_of_one_line_is_visible_at_every_age_and_resolution(void **state)
{
    struct fixture *r = *state;
    add_line(r, 77, 1e-2F);
    for (uint64_t age = 0; age < LINES_MAX; age++) {
        if ((age & (age + 1)) == 0) { /* 0, 1, 3, 7, ... */
            for (uint32_t columns = 1; columns <= N; columns *= 4) {
                struct history_query q = everything(1);
                q.columns = columns;
                struct history_result result = read_rows(r, &q);
                const struct history_line *last = &result.line[result.rows - 1];
                assert_int_equal(last->row.first_line, 0);
                assert_near(level_of(last, 1, 77 * columns / N), -20, 0.13);
                history_result_finish(&result);
            }
        }
        add_line(r, 0, 0);
    }
}

/* All bytes that are allocated. */
static size_t allocated(void)
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static void the_memory_keeps_its_bound_and_the_past_becomes_coarse(void **state)
{
    struct fixture *r = *state;
    struct history_state now;
    const size_t page = 4096, before = allocated();
    history_destroy(r->history);
    const size_t without = allocated();
    assert_true(before - without <= HISTORY_BYTES_MIN + page);
    assert_int_equal(history_create(&r->history, HISTORY_BYTES_MIN), 0);
    add_random_lines(r, LINES_MAX);
    const struct history_query q = everything(0);
    struct history_result result = read_rows(r, &q);
    history_state(r->history, &now);
    assert_true(allocated() - without <=
                HISTORY_BYTES_MIN + page + q.rows * sizeof *result.line + 2 * result.level_count);
    assert_int_equal(now.bytes, HISTORY_BYTES_MIN);
    assert_true(now.rows * N * 3 < now.bytes);
    assert_int_equal(result.line[0].row.lines, 1);
    assert_int_equal(result.line[result.rows - 1].row.lines, 64);
    for (uint32_t i = 1; i < result.rows; i++)
        assert_true(result.line[i].row.lines >= result.line[i - 1].row.lines);
    history_result_finish(&result);
}

/* A line has more bins than the store has columns: a column is the largest of 2, 4, ... bins. */
static void a_line_too_long_for_the_store_keeps_its_peaks(void **state)
{
    struct fixture *r = *state;
    const uint32_t n = 100000;
    line_destroy(r->line);
    r->line = line_create(&(struct line_shape){.n = n, .detectors = all_detectors});
    assert_true(n * HISTORY_DETECTORS * sizeof(float) > HISTORY_BYTES_MIN); /* one line of it */
    for (uint64_t i = 0; i < 500; i++)
        add_line(r, 54321, 1e-4F);
    struct history_query q = everything(1);
    const double bin_hz = 2.4e6 / n;
    q.low_hz = 100e6 + (54321.0 - n / 2.0 - 0.4) * bin_hz;
    q.high_hz = q.low_hz + 0.8 * bin_hz;
    struct history_result result = read_rows(r, &q);
    assert_true(result.rows > 0);
    assert_int_equal(result.line[0].row.columns, 1);
    assert_near(level_of(&result.line[0], 1, 0), -40, 0.13);
    history_result_finish(&result);
}

/* ---- queries ---------------------------------------------------------------------------- */

static void a_query_is_limited_by_line_time_rows_and_levels(void **state)
{
    struct fixture *r = *state;
    add_random_lines(r, 100);
    struct history_query q = everything(1);
    q.before = 50;
    q.rows = 7;
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.rows, 7);
    assert_int_equal(result.line[0].row.line, 49);
    assert_false(result.oldest);
    history_result_finish(&result);
    q.levels = 3 * N + 5;
    result = read_rows(r, &q);
    assert_int_equal(result.rows, 3);
    history_result_finish(&result);
    q = everything(1);
    q.from_ns = 1700000000000000000 + 20 * 50000000LL;
    q.to_ns = 1700000000000000000 + 30 * 50000000LL;
    result = read_rows(r, &q);
    assert_int_equal(result.rows, 10);
    assert_int_equal(result.line[0].row.line, 29);
    history_result_finish(&result);
}

/* ---- the thread ------------------------------------------------------------------------- */

static void the_thread_stores_every_line_of_a_lossless_ring(void **state)
{
    (void)state;
    struct line_ring *ring;
    struct history_thread *thread;
    const struct line_shape shape = {.n = N, .detectors = all_detectors};
    assert_int_equal(line_ring_create(&ring, NULL, NULL), 0);
    assert_int_equal(history_thread_start(&thread, ring, 8 << 20, true), 0);
    assert_int_equal(line_ring_configure(ring, &shape), 0);
    for (uint64_t i = 0; i < 500; i++) {
        struct line *line = line_ring_acquire(ring, 60000);
        assert_non_null(line);
        describe_line(line, i);
        fill_line(line, noise);
        line_reset_pyramids(line);
        line_ring_publish(ring, line);
    }
    line_ring_close(ring);
    struct history_state now = {0};
    while (now.lines < 500)
        history_state(history_thread_store(thread), &now);
    assert_int_equal(now.lines, 500);
    history_thread_stop(thread);
    line_ring_destroy(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(the_newest_rows_are_the_lines),
        WITH_FIXTURE(a_row_has_the_frequencies_of_its_bins),
        WITH_FIXTURE(columns_are_those_of_a_view),
        WITH_FIXTURE(old_rows_are_folds_of_all_their_lines),
        WITH_FIXTURE(rows_of_several_lines_are_folds_too),
        WITH_FIXTURE(a_burst_of_one_line_is_visible_at_every_age_and_resolution),
        WITH_FIXTURE(the_memory_keeps_its_bound_and_the_past_becomes_coarse),
        WITH_FIXTURE(a_line_too_long_for_the_store_keeps_its_peaks),
        WITH_FIXTURE(a_query_is_limited_by_line_time_rows_and_levels),
        cmocka_unit_test(the_thread_stores_every_line_of_a_lossless_ring),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
