/*
 * test_dsp_thread.c - counter-coded samples through ring, engine and lines: where did each one go?
 */
#include "tests/support/dsp/dsp_rig.h"

#include <stdlib.h>
#include <string.h>

/* Of the first samples: those whose number has 32767 or -32768 in a half. */
static uint64_t at_a_rail(uint64_t samples)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < samples; i++)
        count += (i & 0xffff) == 0x7fff || (i & 0xffff) == 0x8000;
    return count;
}

static void a_recording_is_seen_whole_but_for_its_tail(void **state)
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
        struct bench b;
        struct settings w = bench_wanted();
        w.n = cases[i].n;
        w.overlap = cases[i].overlap;
        bench_start(&b, &w, true, &no_limits);
        bench_write(&b, cases[i].samples);
        const struct ledger ledger = bench_finish(&b);
        bench_conserves(&b, &ledger);
        assert_int_equal(ledger.frames, cases[i].frames);
        assert_int_equal(ledger.lost[LOSS_TAIL] + ledger.seen, cases[i].samples);
        assert_true(ledger.lost[LOSS_TAIL] < cases[i].n);
        assert_int_equal(ledger.clipped, at_a_rail(ledger.seen));
        bench_clean_up(&b);
    }
}

static void losses_are_counted_by_cause_and_no_frame_spans_one(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, true, &no_limits);
    srand(1);
    uint64_t lost[LOSS_CAUSES] = {0};
    for (int i = 0; i < 100; i++) {
        bench_write(&b, (uint32_t)(rand() % 5000));
        const enum loss cause = (enum loss)(rand() % LOSS_TAIL);
        const uint32_t samples = (uint32_t)(rand() % 300 + 1);
        bench_lose(&b, cause, samples);
        lost[cause] += samples;
    }
    const struct ledger ledger = bench_finish(&b); /* also the loss behind the last sample */
    bench_conserves(&b, &ledger);
    for (int cause = 0; cause < LOSS_TAIL; cause++)
        assert_int_equal(ledger.lost[cause], lost[cause]);
    assert_true(ledger.lost[LOSS_TAIL] > 0);
    assert_in_range(b.gaps, 50, 100);
    bench_clean_up(&b);
}

static void in_real_time_a_slow_engine_costs_counted_overruns(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, false, &no_limits);
    probe.delay_ms = 1; /* a batch of 10 frames takes longer than it lasts, and the writer has no
                           clock at all */
    bench_write(&b, 3000000);
    const struct ledger ledger = bench_finish(&b);
    bench_conserves(&b, &ledger);
    assert_true(ledger.lost[LOSS_OVERRUN] > 0);
    assert_true(ledger.seen > 0);
    bench_clean_up(&b);
}

static void lines_have_the_wanted_frames_times_and_positions(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, true, &no_limits);
    bench_write(&b, 128 * 10 * 3 + 128);
    bench_lose(&b, LOSS_GAP, 1000);
    bench_write(&b, 128 * 10 + 128);
    bench_finish(&b);
    /* Three full lines, then the mark, then one more. */
    assert_int_equal(b.lines_seen, 4);
    assert_int_equal(b.last->frames, 10);
    assert_int_equal(b.last->first_sample, 128 * 10 * 3 + 128 + 1000);
    assert_int_equal(b.last->sample_count, 128 * 9 + 256);
    assert_int_equal(b.last->time_ns, 5000000000 + 1000 * (int64_t)b.last->first_sample);
    assert_true(b.last->gap_before);
    assert_near(b.last->tuning.center_hz, 100e6, 0);
    assert_string_equal(b.last->engine, "probe");
    bench_clean_up(&b);
}

static void an_engine_that_fails_is_replaced_and_its_spans_are_done_again(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, true, &no_limits);
    probe.fail_after = 20;
    bench_write(&b, 128 * 5000 + 128);
    struct dsp_status report;
    const struct ledger ledger = bench_finish(&b);
    dsp_thread_status(b.pipeline, &report);
    assert_int_equal(ledger.frames, 5000);
    assert_int_equal(b.frames, 5000);
    assert_int_equal(ledger.seen, 128 * 5000 + 128);
    assert_int_equal(report.fallbacks, 1);
    assert_non_null(strstr(report.engine_note, "probe failed"));
    assert_string_equal(b.last->engine, "cpu");
    bench_clean_up(&b);
}

static void an_epoch_follows_another_without_loss(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, true, &no_limits);
    bench_write(&b, 10000);
    bench_end_epoch(&b);
    bench_push_epoch(&b, true);
    bench_write(&b, 10000);
    const struct ledger ledger = bench_finish(&b);
    bench_conserves(&b, &ledger);
    assert_int_equal(b.last->epoch, 1);
    assert_int_equal(ledger.events[LOSS_TAIL], 2);
    bench_clean_up(&b);
}

static void what_is_in_flight_at_a_stop_stays_readable_until_the_engine_is_done(void **state)
{
    (void)state;
    struct bench b;
    const struct settings w = bench_wanted();
    bench_start(&b, &w, false, &no_limits);
    probe.delay_ms = 20;
    bench_write(&b, 600000); /* some 460 batches, ten seconds of them */
    bench_end_epoch(&b);
    struct dsp_status report = {0};
    while (report.ledger.frames == 0) {
        uv_sleep(2);
        dsp_thread_status(b.pipeline, &report);
    }
    dsp_thread_stop(b.pipeline);
    dsp_thread_destroy(b.pipeline); /* closes the engine, if that is not done yet */
    b.pipeline = NULL;
    assert_true(probe.unfinished > 0);
    assert_int_equal(probe.jumps, 0);
    bench_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_is_seen_whole_but_for_its_tail),
        cmocka_unit_test(losses_are_counted_by_cause_and_no_frame_spans_one),
        cmocka_unit_test(in_real_time_a_slow_engine_costs_counted_overruns),
        cmocka_unit_test(lines_have_the_wanted_frames_times_and_positions),
        cmocka_unit_test(an_engine_that_fails_is_replaced_and_its_spans_are_done_again),
        cmocka_unit_test(an_epoch_follows_another_without_loss),
        cmocka_unit_test(what_is_in_flight_at_a_stop_stays_readable_until_the_engine_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
