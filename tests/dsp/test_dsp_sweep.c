/* test_dsp_sweep.c - dwells in the dsp thread: what makes a line, what does not, and the ledger. */
#include "daemon/stream/sweep.h"
#include "tests/support/dsp/dsp_fixture.h"

/* Five dwells of 1 MS/s and 256 points; 4 frames of 256 samples, 128 apart, in each. */
enum { DWELLS = 5, DWELL = 256 + 3 * 128, SETTLE = 100 };

static struct sweep_plan plan;

static void start(struct dsp_fixture *b, bool lossless)
{
    struct settings w = dsp_fixture_settings();
    w.average = 4;
    w.sweep.span = (struct span){100e6, 102.4e6};
    assert_int_equal(
        sweep_plan_init(&plan, &w, &(struct sweep_radio){w.n, RATE, SWEEP_USABLE}, NULL), 0);
    assert_int_equal(plan.dwells, DWELLS);
    assert_int_equal(plan.dwell_samples, DWELL);
    dsp_fixture_start(b, &w, lossless, &no_limits);
}

/* Settling is a loss and a mark, as sources report it. */
static void tune(struct dsp_fixture *b, uint32_t dwell)
{
    struct iq_mark mark = {.tuning_changed = true};
    mark.tuning.center_hz = sweep_center_hz(&plan, dwell);
    mark.tuning.rate_hz = RATE;
    mark.lost[LOSS_RETUNE] = SETTLE;
    mark.events[LOSS_RETUNE] = 1;
    iq_ring_mark(b->epoch->ring, &mark);
    b->number += SETTLE;
}

static void dwell(struct dsp_fixture *b, uint32_t number)
{
    tune(b, number);
    dsp_fixture_write(b, DWELL);
}

static void sweep(struct dsp_fixture *b, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++)
        dwell(b, i);
}

static void finish(struct dsp_fixture *b, uint64_t lines, struct ledger *ledger)
{
    *ledger = dsp_fixture_finish(b);
    b->frames = ledger->frames; /* a line has the frames of one dwell */
    dsp_fixture_conserves(b, ledger);
    assert_int_equal(ledger->produced, b->number);
    assert_int_equal(ledger->lines, lines);
    assert_int_equal(ledger->lost[LOSS_OVERRUN], 0);
}

static uint64_t incomplete(struct dsp_fixture *b)
{
    struct dsp_status status;
    dsp_thread_status(b->pipeline, &status);
    return status.sweep.incomplete;
}

static void a_line_spans_all_dwells_and_its_time_includes_settling(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct ledger ledger;
    struct dsp_status status;
    start(&b, true);
    sweep(&b, 0, DWELLS - 1);
    sweep(&b, 0, DWELLS - 1);
    finish(&b, 2, &ledger);
    const uint64_t period = DWELLS * (DWELL + SETTLE);
    assert_int_equal(b.last->n, plan.bins);
    assert_int_equal(b.last->dwells, DWELLS);
    assert_int_equal(b.last->frames, 4);
    assert_int_equal(b.last->first_sample, period + SETTLE);
    assert_int_equal(b.last->sample_count, period - SETTLE);
    assert_int_equal(b.last->position, UINT64_MAX);
    assert_near((double)b.last->time_ns, 5e9 + 1000.0 * (double)(period + SETTLE), 0);
    assert_near(b.last->tuning.center_hz - b.last->tuning.rate_hz / 2, 100e6, 0.01);
    assert_near(b.last->tuning.rate_hz, 2.4e6, 2.0 * RATE / 256);
    assert_int_equal(b.gaps, 0); /* settling is part of a sweep */
    assert_int_equal(ledger.frames, 2 * DWELLS * 4);
    assert_int_equal(ledger.lost[LOSS_TAIL], 0);
    assert_int_equal(ledger.lost[LOSS_RETUNE], 2 * DWELLS * SETTLE);
    dsp_thread_status(b.pipeline, &status);
    assert_int_equal(status.sweep.samples, period);
    dsp_fixture_clean_up(&b);
}

static void a_loss_within_a_dwell_costs_frames_but_no_line(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct ledger ledger;
    start(&b, true);
    sweep(&b, 0, 2);
    tune(&b, 3);
    dsp_fixture_write(&b, 300); /* one frame */
    dsp_fixture_lose(&b, LOSS_OVERFLOW, 50);
    dsp_fixture_write(&b, DWELL - 300); /* one more */
    dwell(&b, 4);
    finish(&b, 1, &ledger);
    assert_int_equal(b.last->frames, 2); /* of the dwell that has the fewest */
    assert_int_equal(ledger.frames, 4 * 4 + 2);
    assert_int_equal(incomplete(&b), 0);
    dsp_fixture_clean_up(&b);
}

static void a_dwell_without_a_frame_costs_its_sweep_alone(void **state)
{
    (void)state;
    for (uint32_t lost = 0; lost < DWELLS; lost++) {
        struct dsp_fixture b;
        struct ledger ledger;
        start(&b, true);
        sweep(&b, 0, DWELLS - 1);
        for (uint32_t i = 0; i < DWELLS; i++) {
            tune(&b, i);
            dsp_fixture_write(&b, i == lost ? 255 : DWELL);
        }
        sweep(&b, 0, DWELLS - 1);
        finish(&b, 2, &ledger);
        assert_int_equal(incomplete(&b), 1);
        assert_int_equal(ledger.lost[LOSS_TAIL], 255);
        assert_int_equal(b.gaps, 1);
        dsp_fixture_clean_up(&b);
    }
}

/* A change of the gain, or a device that was away, makes the source start with the first dwell. */
static void a_sweep_that_starts_again_leaves_the_old_one_out(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct ledger ledger;
    start(&b, true);
    sweep(&b, 0, 2);
    const uint64_t first = b.number + SETTLE;
    sweep(&b, 0, DWELLS - 1);
    finish(&b, 1, &ledger);
    assert_int_equal(b.last->first_sample, first);
    assert_int_equal(b.last->frames, 4);
    assert_int_equal(incomplete(&b), 1);
    dsp_fixture_clean_up(&b);
}

/* Between a request and its effect, samples of other centres may come. */
static void samples_of_other_centres_are_seen_but_not_shown(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct ledger ledger;
    start(&b, true);
    dsp_fixture_write(&b, 1000); /* at 100 MHz, the lower edge */
    sweep(&b, 0, DWELLS - 1);
    finish(&b, 1, &ledger);
    assert_int_equal(b.last->first_sample, 1000 + SETTLE);
    assert_int_equal(b.last->frames, 4);
    dsp_fixture_clean_up(&b);
}

static void without_a_free_block_two_sweeps_become_one_line(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct ledger ledger;
    struct line *held[64];
    start(&b, false);
    for (int i = 0; i < 64; i++) {
        sweep(&b, 0, DWELLS - 1);
        held[i] = line_reader_next(&b.reader, 5000, NULL);
        assert_non_null(held[i]);
    }
    const uint64_t first = b.number + SETTLE;
    sweep(&b, 0, DWELLS - 1);
    dsp_fixture_wait_for_frames(&b, 65 * DWELLS * 4);
    for (int i = 0; i < 64; i++)
        line_unref(b.lines, held[i]);
    sweep(&b, 0, DWELLS - 1);
    b.lines_seen = 64;
    finish(&b, 65, &ledger);
    assert_int_equal(ledger.folded, 1);
    assert_int_equal(b.last->first_sample, first);
    assert_int_equal(b.last->frames, 8);
    assert_int_equal(incomplete(&b), 0);
    dsp_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_spans_all_dwells_and_its_time_includes_settling),
        cmocka_unit_test(a_loss_within_a_dwell_costs_frames_but_no_line),
        cmocka_unit_test(a_dwell_without_a_frame_costs_its_sweep_alone),
        cmocka_unit_test(a_sweep_that_starts_again_leaves_the_old_one_out),
        cmocka_unit_test(samples_of_other_centres_are_seen_but_not_shown),
        cmocka_unit_test(without_a_free_block_two_sweeps_become_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
