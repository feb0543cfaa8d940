/*
 * test_dsp_thread.c - accounts for every counter-coded sample through ring, engine and lines.
 */
#include "tests/support/dsp/dsp_fixture.h"

#include <stdlib.h>
#include <string.h>

/* Samples among the first ones whose number has 32767 or -32768 in I or Q. */
static uint64_t at_a_rail(uint64_t samples)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < samples; i++)
        count += (i & 0xffff) == 0x7fff || (i & 0xffff) == 0x8000;
    return count;
}

static void all_of_a_recording_but_its_tail_is_seen(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double overlap;
        uint32_t samples;
        uint64_t frames;
    } cases[] = {
        {256, 50, 128 * 1001 + 128, 1001},
        {256, 50, 128 * 1001 + 255, 1001},
        {256, 0, 256 * 300 + 17, 300},
        {64, 98.5, 5000, 4937},
        {4096, 75, 100000, 94},
        {65536, 50, 65535, 0},
        {65536, 50, 65536, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dsp_fixture b;
        struct settings w = dsp_fixture_settings();
        w.n = cases[i].n;
        w.overlap = cases[i].overlap;
        dsp_fixture_start(&b, &w, true, &no_limits);
        dsp_fixture_write(&b, cases[i].samples);
        const struct ledger ledger = dsp_fixture_finish(&b);
        dsp_fixture_conserves(&b, &ledger);
        assert_int_equal(ledger.frames, cases[i].frames);
        assert_int_equal(ledger.lost[LOSS_TAIL] + ledger.seen, cases[i].samples);
        assert_true(ledger.lost[LOSS_TAIL] < cases[i].n);
        assert_int_equal(ledger.clipped, at_a_rail(ledger.seen));
        dsp_fixture_clean_up(&b);
    }
}

static void losses_are_counted_by_cause_and_no_frame_spans_one(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    srand(1);
    uint64_t lost[LOSS_CAUSES] = {0};
    for (int i = 0; i < 100; i++) {
        dsp_fixture_write(&b, (uint32_t)(rand() % 5000));
        const enum loss cause = (enum loss)(rand() % LOSS_TAIL);
        const uint32_t samples = (uint32_t)(rand() % 300 + 1);
        dsp_fixture_lose(&b, cause, samples);
        lost[cause] += samples;
    }
    const struct ledger ledger =
        dsp_fixture_finish(&b); /* includes the loss after the last sample */
    dsp_fixture_conserves(&b, &ledger);
    for (int cause = 0; cause < LOSS_TAIL; cause++)
        assert_int_equal(ledger.lost[cause], lost[cause]);
    assert_true(ledger.lost[LOSS_TAIL] > 0);
    assert_in_range(b.gaps, 50, 100);
    dsp_fixture_clean_up(&b);
}

static void in_real_time_a_slow_engine_causes_counted_overruns(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, false, &no_limits);
    probe.delay_ms = 1; /* a batch of 10 frames takes longer than it lasts, and the writer has no
                           clock at all */
    dsp_fixture_write(&b, 3000000);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_true(ledger.lost[LOSS_OVERRUN] > 0);
    assert_true(ledger.seen > 0);
    dsp_fixture_clean_up(&b);
}

static void lines_have_the_expected_frames_times_and_positions(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 128 * 10 * 3 + 128);
    dsp_fixture_lose(&b, LOSS_GAP, 1000);
    dsp_fixture_write(&b, 128 * 10 + 128);
    dsp_fixture_finish(&b);
    /* Three full lines, then the mark, then one more. */
    assert_int_equal(b.lines_seen, 4);
    assert_int_equal(b.last->frames, 10);
    assert_int_equal(b.last->first_sample, 128 * 10 * 3 + 128 + 1000);
    assert_int_equal(b.last->sample_count, 128 * 9 + 256);
    assert_int_equal(b.last->time_ns, 5000000000 + 1000 * (int64_t)b.last->first_sample);
    assert_true(b.last->gap_before);
    assert_near(b.last->tuning.center_hz, 100e6, 0);
    assert_string_equal(b.last->engine, "probe");
    dsp_fixture_clean_up(&b);
}

static void a_corrected_time_loses_nothing_and_cuts_no_frame(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 128 * 10 * 2 + 77);
    const struct iq_mark mark = {.continues = true, .has_time = true, .time_ns = 9000000000};
    iq_ring_mark(b.epoch->ring, &mark);
    dsp_fixture_write(&b, 128 * 10 * 3 + 128 - 77);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.lines_seen, 5);
    assert_int_equal(b.gaps, 0);
    assert_int_equal(ledger.frames, 50);
    assert_int_equal(ledger.lost[LOSS_TAIL], 0);
    assert_int_equal(b.last->frames, 10);
    assert_int_equal(b.last->first_sample, 128 * 10 * 4);
    assert_int_equal(b.last->time_ns, 9000000000 + 1000 * (128 * 10 * 2 - 77));
    dsp_fixture_clean_up(&b);
}

static void a_corrected_time_at_a_loss_cuts_like_the_loss(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 128 * 10 + 77);
    const struct iq_mark mark = {.continues = true, .has_time = true, .time_ns = 9000000000};
    iq_ring_mark(b.epoch->ring, &mark);
    dsp_fixture_lose(&b, LOSS_OVERFLOW, 1000);
    iq_ring_mark(b.epoch->ring, &(struct iq_mark){.continues = true});
    dsp_fixture_write(&b, 128 * 10 + 128);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.gaps, 1);
    assert_int_equal(b.last->first_sample, 128 * 10 + 77 + 1000);
    assert_int_equal(b.last->time_ns, 9000000000 + 1000 * 1000);
    dsp_fixture_clean_up(&b);
}

static void a_failed_engine_is_replaced_and_its_spans_are_repeated(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    probe.fail_after = 20;
    dsp_fixture_write(&b, 128 * 5000 + 128);
    struct dsp_status report;
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_thread_status(b.pipeline, &report);
    assert_int_equal(ledger.frames, 5000);
    assert_int_equal(b.frames, 5000);
    assert_int_equal(ledger.seen, 128 * 5000 + 128);
    assert_int_equal(report.fallbacks, 1);
    assert_non_null(strstr(report.engine_note, "probe failed"));
    assert_string_equal(b.last->engine, "cpu");
    dsp_fixture_clean_up(&b);
}

static void one_epoch_follows_another_without_loss(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 10000);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, true);
    dsp_fixture_write(&b, 10000);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.last->epoch, 1);
    assert_int_equal(ledger.events[LOSS_TAIL], 2);
    dsp_fixture_clean_up(&b);
}

static void spans_in_flight_stay_readable_until_the_engine_stops(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, false, &no_limits);
    probe.delay_ms = 20;
    dsp_fixture_write(&b, 600000); /* about 460 batches: ten seconds of work */
    dsp_fixture_end_epoch(&b);
    struct dsp_status report = {0};
    while (report.ledger.frames == 0) {
        uv_sleep(2);
        dsp_thread_status(b.pipeline, &report);
    }
    dsp_thread_stop(b.pipeline);
    dsp_thread_destroy(b.pipeline); /* closes the engine, if it is still open */
    b.pipeline = NULL;
    assert_true(probe.unfinished > 0);
    assert_int_equal(probe.jumps, 0);
    dsp_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_recording_but_its_tail_is_seen),
        cmocka_unit_test(losses_are_counted_by_cause_and_no_frame_spans_one),
        cmocka_unit_test(in_real_time_a_slow_engine_causes_counted_overruns),
        cmocka_unit_test(lines_have_the_expected_frames_times_and_positions),
        cmocka_unit_test(a_corrected_time_loses_nothing_and_cuts_no_frame),
        cmocka_unit_test(a_corrected_time_at_a_loss_cuts_like_the_loss),
        cmocka_unit_test(a_failed_engine_is_replaced_and_its_spans_are_repeated),
        cmocka_unit_test(one_epoch_follows_another_without_loss),
        cmocka_unit_test(spans_in_flight_stay_readable_until_the_engine_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
