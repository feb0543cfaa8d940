/* test_history_breaks.c - rows of the history around breaks and changes of settings. */
#include "tests/line/history_fixture.h"

static void a_retuned_radio_leaves_older_rows_with_their_frequencies(void **state)
{
    struct fixture *r = *state;
    for (uint32_t i = 0; i < 10; i++) {
        describe_line(r->line, r->next);
        fill_line(r->line, noise);
        r->line->tuning.center_hz = i < 6 ? 100e6 : 433e6;
        r->line->gap_before = i == 6;
        add(r);
    }
    const struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.rows, 10);
    for (uint32_t i = 0; i < 10; i++) {
        const struct history_row *row = &result.line[i].row;
        const double centre = row->line < 6 ? 100e6 : 433e6;
        assert_near(row->low_hz, centre - 1.2e6 - 2.4e6 / N / 2, 1e-3);
        assert_int_equal(row->breaks, row->line == 6 ? HISTORY_RETUNE : 0);
    }
    history_result_finish(&result);
}

static void no_coarse_row_combines_two_tunings(void **state)
{
    struct fixture *r = *state;
    const uint32_t retuned = 1002;
    for (uint32_t i = 0; i < LINES_MAX; i++) {
        describe_line(r->line, r->next);
        fill_line(r->line, noise);
        r->line->tuning.center_hz = i < retuned ? 100e6 : 433e6;
        add(r);
    }
    const struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    uint64_t next = LINES_MAX;
    for (uint32_t i = 0; i < result.rows; i++) {
        const struct history_row *row = &result.line[i].row;
        assert_int_equal(row->line, next - 1);
        next = row->first_line;
        assert_true(row->first_line >= retuned || row->line < retuned);
        assert_near(row->low_hz + 1.2e6, row->line < retuned ? 100e6 : 433e6, 1e4);
    }
    assert_int_equal(next, 0);
    history_result_finish(&result);
}

static void the_kind_of_a_break_stays_visible_in_coarse_rows(void **state)
{
    struct fixture *r = *state;
    uint64_t lost = 0;
    for (uint32_t i = 0; i < LINES_MAX; i++) {
        describe_line(r->line, r->next);
        fill_line(r->line, noise);
        lost += i == 5 ? 1234 : 0;
        r->line->ledger.lost[LOSS_OVERRUN] = lost;
        r->line->gap_before = i == 5;
        add(r);
    }
    const struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    for (uint32_t i = 0; i < result.rows; i++) {
        const struct history_row *row = &result.line[i].row;
        const bool has_it = row->first_line <= 5 && row->line >= 5;
        assert_int_equal(row->breaks, has_it ? HISTORY_LOSS : 0);
        assert_int_equal(row->lost, has_it ? 1234 : 0);
    }
    assert_true(result.line[result.rows - 1].row.breaks == HISTORY_LOSS);
    history_result_finish(&result);
}

static void a_recording_that_begins_again_is_a_loop_and_a_gap_alone_a_restart(void **state)
{
    struct fixture *r = *state;
    for (uint32_t i = 0; i < 4; i++) {
        describe_line(r->line, r->next);
        fill_line(r->line, noise);
        r->line->gap_before = i > 1;
        r->line->time_ns -= i == 2 ? 10000000000 : 0;
        add(r);
    }
    const struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.line[1].row.breaks, HISTORY_LOOP);
    assert_int_equal(result.line[0].row.breaks, HISTORY_RESTART);
    history_result_finish(&result);
}

static void an_fft_of_another_size_leaves_older_rows_readable(void **state)
{
    struct fixture *r = *state;
    add_line(r, 3, 1e-3F);
    line_destroy(r->line);
    r->line = line_create(&(struct line_shape){.n = 64, .detectors = FFT_DETECTOR_MAX});
    add_line(r, 5, 1e-3F);
    struct history_query q = everything(1);
    struct history_result result = read_rows(r, &q);
    assert_int_equal(result.rows, 2);
    assert_int_equal(result.line[0].row.columns, 64);
    assert_true(result.line[0].row.breaks & HISTORY_PLAN);
    assert_near(level_of(&result.line[0], 1, 5), -30, 0.13);
    assert_int_equal(result.line[1].row.columns, N);
    assert_near(level_of(&result.line[1], 1, 3), -30, 0.13);
    history_result_finish(&result);
    q.detector = 0; /* only the first line has it */
    result = read_rows(r, &q);
    assert_int_equal(result.rows, 1);
    history_result_finish(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_retuned_radio_leaves_older_rows_with_their_frequencies),
        WITH_FIXTURE(no_coarse_row_combines_two_tunings),
        WITH_FIXTURE(the_kind_of_a_break_stays_visible_in_coarse_rows),
        WITH_FIXTURE(a_recording_that_begins_again_is_a_loop_and_a_gap_alone_a_restart),
        WITH_FIXTURE(an_fft_of_another_size_leaves_older_rows_readable),
    };
    return cmocka_run_group_tests_name("history breaks", tests, NULL, NULL);
}
