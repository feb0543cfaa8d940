/*
 * test_dsp.c - lines of the dsp thread: positions and times, limits, new plans, and the end.
 */
#include "daemon/base/clock.h"
#include "tests/support/dsp/dsp_fixture.h"

static void a_time_belongs_to_the_sample_it_was_reported_for(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 256);
    iq_ring_mark(b.epoch->ring, &(struct iq_mark){.has_time = true, .time_ns = 9000000000});
    dsp_fixture_lose(&b, LOSS_GAP, 500);
    dsp_fixture_write(&b, 256);
    dsp_fixture_finish(&b);
    assert_int_equal(b.last->first_sample, 256 + 500);
    assert_int_equal(b.last->position, 256);
    assert_int_equal(b.last->time_ns, 9000000000 + 500 * 1000);
    dsp_fixture_clean_up(&b);
}

/* Holds a line in every block of the line ring, so that none is free. */
static void hold_all(struct dsp_fixture *b, struct line *held[64])
{
    dsp_fixture_write(b, 128);
    for (int i = 0; i < 64; i++) {
        dsp_fixture_write(b, 128 * 10);
        held[i] = line_reader_next(&b->reader, 5000, NULL);
        assert_non_null(held[i]);
    }
}

static void lines_fold_across_a_loss_but_not_across_a_change_of_tuning(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct line *held[64];
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, false, &no_limits);
    hold_all(&b, held);
    const uint64_t begin = b.number - 128; /* the next line's first sample */
    dsp_fixture_write(&b, 128 * 10);
    dsp_fixture_lose(&b, LOSS_OVERFLOW, 1000);
    dsp_fixture_write(&b, 128 * 4 + 128);
    iq_ring_mark(b.epoch->ring, &(struct iq_mark){.tuning_changed = true,
                                                  .tuning = {.center_hz = 7e6, .rate_hz = RATE},
                                                  .events[LOSS_RETUNE] = 1});
    dsp_fixture_write(&b, 256);
    dsp_fixture_wait_for_frames(&b, 64 * 10 + 10 + 4);
    for (uint32_t i = 0; i < 64; i++)
        line_unref(b.lines, held[i]);
    struct line *folded = line_reader_next(&b.reader, 5000, NULL);
    assert_non_null(folded);
    assert_int_equal(folded->frames, 14);
    assert_int_equal(folded->first_sample, begin);
    assert_int_equal(folded->position, UINT64_MAX);
    assert_int_equal(folded->sample_count, 128 * 14 + 256 + 1000);
    assert_int_equal(folded->time_ns, 5000000000 + 1000 * (int64_t)begin);
    assert_near(folded->tuning.center_hz, 100e6, 0);
    line_unref(b.lines, folded);
    b.lines_seen = 64 + 1;
    const struct ledger ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.produced, b.number);
    assert_int_equal(ledger.folded, 1);
    assert_near(b.last->tuning.center_hz, 7e6, 0);
    assert_int_equal(b.last->frames, 1);
    assert_int_equal(b.last->position, b.last->first_sample - 1000);
    dsp_fixture_clean_up(&b);
}

static void limits_end_at_the_exact_line_and_sample(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.max_lines = 7});
    dsp_fixture_write(&b, 128 * 10 * 7 + 128);
    dsp_fixture_take_lines(&b, true);
    struct ledger ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.lines, 7);
    assert_int_equal(ledger.frames, 70);
    dsp_fixture_clean_up(&b);

    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.max_seconds = 0.010});
    dsp_fixture_write(&b, 20000);
    dsp_fixture_take_lines(&b, true);
    ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.produced, 10000);
    assert_int_equal(ledger.seen, 128 * 76 + 256); /* whole frames below 10,000 */
    assert_int_equal(ledger.lost[LOSS_TAIL], 10000 - 9984);
    dsp_fixture_clean_up(&b);

    /* The duration counts the seconds of all epochs, at any rate. */
    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.max_seconds = 0.010});
    dsp_fixture_write(&b, 4000);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, true);
    dsp_fixture_write(&b, 20000);
    dsp_fixture_take_lines(&b, true);
    ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.produced, 10000);
    dsp_fixture_clean_up(&b);
}

static void a_loss_right_after_the_limit_is_not_counted(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.max_seconds = 0.010});
    dsp_fixture_write(&b, 5000);
    dsp_fixture_write(&b, 5000);
    dsp_fixture_lose(&b, LOSS_GAP, 1000);
    dsp_fixture_write(&b, 5000);
    dsp_fixture_take_lines(&b, true);
    const struct ledger ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.produced, 10000);
    assert_int_equal(ledger.lost[LOSS_GAP], 0);
    dsp_fixture_clean_up(&b);
}

/* The first line has no gap before it. A mark with an unknown loss is a gap, too. */
static void lines_after_marks_and_new_epochs_report_a_gap(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    for (int i = 0; i < 4; i++) {
        if (i == 3) {
            dsp_fixture_end_epoch(&b);
            dsp_fixture_push_epoch(&b, true);
        } else {
            iq_ring_mark(b.epoch->ring, &(struct iq_mark){.events[LOSS_OVERFLOW] = 1});
        }
        dsp_fixture_write(&b, 128 * 20 + 128);
        iq_ring_mark(b.epoch->ring, &(struct iq_mark){.has_time = true}); /* not a gap */
        dsp_fixture_write(&b, 128 * 20 + 128);
    }
    dsp_fixture_finish(&b);
    assert_int_equal(b.lines_seen, 4 * 4);
    assert_int_equal(b.gaps, 3);
    dsp_fixture_clean_up(&b);
}

/* The status includes pending samples, across epochs. */
static void the_status_counts_pending_samples(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct dsp_status report;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    for (uint64_t epoch = 0; epoch < 2; epoch++) {
        dsp_fixture_write(&b, 128 * 10 + 128 + 99);
        dsp_fixture_lose(&b, LOSS_GAP, 1000);
        dsp_fixture_wait_for_frames(&b, 10 * (epoch + 1));
        dsp_thread_status(b.pipeline, &report);
        assert_int_equal(report.ledger.produced, b.number);
        assert_int_equal(report.ledger.lost[LOSS_GAP], 1000 * (epoch + 1));
        assert_int_equal(report.ledger.events[LOSS_GAP], epoch + 1);
        assert_int_equal(report.ledger.seen, (128 * 10 + 128) * (epoch + 1));
        dsp_fixture_end_epoch(&b);
        if (epoch == 0)
            dsp_fixture_push_epoch(&b, true);
    }
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    dsp_fixture_clean_up(&b);
}

static void a_plan_too_large_for_the_ring_waits_for_the_next_ring(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 128 * 10 + 128);
    dsp_fixture_wait_for_frames(&b, 10);
    w.n = b.settings.n = 262144; /* 8 frames of it are more than a second */
    exchange_request(b.exchange, &w);
    dsp_fixture_write(&b, 300000);
    for (int tries = 0; tries < 12000 && b.lines_seen < 200; tries++) {
        uv_sleep(5);
        dsp_fixture_take_lines(&b, false);
    }
    assert_true(b.lines_seen >= 200); /* the old plan continues */
    assert_int_equal(b.last->n, 256);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, true);
    dsp_fixture_write(&b, 300000);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.last->n, 262144);
    dsp_fixture_clean_up(&b);
}

static void a_new_plan_loses_no_sample(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 50000);
    w.n = 1024;
    w.overlap = 75;
    exchange_request(b.exchange, &w);
    dsp_fixture_write(&b, 50000);
    w.n = 64;
    w.overlap = 0;
    exchange_request(b.exchange, &w);
    dsp_fixture_write(&b, 50000);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_true(ledger.lost[LOSS_TAIL] < 1024);
    assert_int_equal(b.last->n, 64);
    dsp_fixture_clean_up(&b);
}

static bool was_refused(const struct dsp_status *r, uint32_t unused)
{
    (void)unused;
    return r->refused[0] != '\0';
}

static bool has_size(const struct dsp_status *r, uint32_t n)
{
    return r->n == n;
}

static bool has_lines_of(const struct dsp_status *r, uint32_t frames)
{
    return r->frames_per_line == frames;
}

static bool is_in_epoch(const struct dsp_status *r, uint32_t epoch)
{
    return r->epoch == epoch;
}

static struct dsp_status wait_until(struct dsp_fixture *b,
                                    bool (*holds)(const struct dsp_status *, uint32_t),
                                    uint32_t number)
{
    struct dsp_status report = {.epoch = UINT32_MAX};
    for (int tries = 0; tries < 12000 && !holds(&report, number); tries++) {
        uv_sleep(5);
        dsp_fixture_take_lines(b, false);
        dsp_thread_status(b->pipeline, &report);
    }
    assert_true(holds(&report, number));
    return report;
}

static void a_plan_without_memory_leaves_the_old_one_active(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 50000);
    wait_until(&b, has_size, 256);
    probe.no_memory_for = w.n = 1024;
    exchange_request(b.exchange, &w);
    struct dsp_status report = wait_until(&b, was_refused, 0);
    assert_string_equal(
        report.refused,
        "no memory for fft-size 1024, overlap 50: it stays fft-size 256, overlap 50");
    assert_int_equal(report.n, 256);
    assert_string_equal(report.engine_note, ""); /* the engine did not fail */
    dsp_fixture_write(&b, 50000);
    w.average = 7; /* other settings do not wait for that memory */
    exchange_request(b.exchange, &w);
    report = wait_until(&b, has_lines_of, 7);
    assert_int_equal(report.n, 256);
    assert_true(was_refused(&report, 0));
    dsp_fixture_write(&b, 50000);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, true); /* still requested, still no memory: also for a new stream */
    dsp_fixture_write(&b, 50000);
    report = wait_until(&b, is_in_epoch, 1);
    assert_int_equal(report.n, 256);
    assert_int_equal(report.frames_per_line, 7);
    w.n = 512;
    exchange_request(b.exchange, &w);
    report = wait_until(&b, has_size, 512);
    assert_string_equal(report.refused, "");
    dsp_fixture_write(&b, 50000);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);         /* what the probe engine saw, to the sample */
    assert_true(ledger.lost[LOSS_TAIL] < 1024); /* after the last frames of two epochs */
    assert_int_equal(b.last->n, 512);
    assert_string_equal(b.last->engine, "probe");
    dsp_fixture_clean_up(&b);
}

/* A reader stalls before a plan with lines of another size. The dsp thread is not stuck and can
 * stop.
 */
static void a_plan_that_waits_for_a_reader_beats_and_can_be_stopped(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct dsp_status report;
    struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, true, &no_limits);
    uint32_t *into = iq_ring_write_begin(b.epoch->ring, 100);
    for (uint32_t i = 0; i < 128 * 10 + 128; i++)
        into[i] = b.number++;
    iq_ring_write_end(b.epoch->ring, b.number);
    dsp_fixture_wait_for_frames(&b, 10);
    w.n = 1024;
    exchange_request(b.exchange, &w);
    uv_sleep(500);
    const uint64_t since = clock_now_ns();
    do { /* until a later step */
        uv_sleep(10);
        dsp_thread_status(b.pipeline, &report);
        assert_int_equal(report.n, 256);
    } while (report.beat_age_ns >= clock_now_ns() - since);
    dsp_fixture_end_epoch(&b);
    dsp_thread_stop(b.pipeline);
    dsp_fixture_take_lines(&b, true);
    assert_int_equal(b.lines_seen, 1);
    assert_int_equal(line_reader_missed(&b.reader), 0);
    dsp_fixture_clean_up(&b);
}

static void a_stop_counts_the_samples_left_unanalysed(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct dsp_status report;
    const struct settings w = dsp_fixture_settings();
    dsp_fixture_start(&b, &w, false, &no_limits);
    probe.delay_ms = 20;
    dsp_fixture_write(&b, 300000);
    dsp_fixture_lose(&b, LOSS_OVERFLOW, 77);
    dsp_fixture_write(&b, 300000);
    dsp_fixture_lose(&b, LOSS_GAP, 55);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, false); /* not taken by the dsp thread yet */
    dsp_fixture_write(&b, 1000);
    dsp_fixture_lose(&b, LOSS_GAP, 5);
    dsp_fixture_end_epoch(&b);
    dsp_thread_stop(b.pipeline);
    dsp_fixture_take_lines(&b, true);
    dsp_thread_status(b.pipeline, &report);
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += report.ledger.lost[cause];
    assert_int_equal(report.ledger.produced, b.number);
    assert_int_equal(report.ledger.seen + lost, b.number);
    assert_int_equal(report.ledger.frames, b.frames); /* every frame is in a line */
    assert_int_equal(report.ledger.lost[LOSS_OVERFLOW], 77);
    assert_int_equal(report.ledger.lost[LOSS_GAP], 60);
    assert_true(report.ledger.lost[LOSS_TAIL] > 300000);
    dsp_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_belongs_to_the_sample_it_was_reported_for),
        cmocka_unit_test(lines_fold_across_a_loss_but_not_across_a_change_of_tuning),
        cmocka_unit_test(limits_end_at_the_exact_line_and_sample),
        cmocka_unit_test(a_loss_right_after_the_limit_is_not_counted),
        cmocka_unit_test(lines_after_marks_and_new_epochs_report_a_gap),
        cmocka_unit_test(the_status_counts_pending_samples),
        cmocka_unit_test(a_plan_too_large_for_the_ring_waits_for_the_next_ring),
        cmocka_unit_test(a_new_plan_loses_no_sample),
        cmocka_unit_test(a_plan_without_memory_leaves_the_old_one_active),
        cmocka_unit_test(a_plan_that_waits_for_a_reader_beats_and_can_be_stopped),
        cmocka_unit_test(a_stop_counts_the_samples_left_unanalysed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
