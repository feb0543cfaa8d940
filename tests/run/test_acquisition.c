/*
 * test_acquisition.c - source thread, ring and dsp thread together, on counter-coded samples.
 *
 * The simulated radio numbers its samples, including those of simulated losses. The probe engine
 * records the numbers that it saw. The ledger must agree exactly.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/dsp/dsp_thread.h"
#include "daemon/source/supervisor.h"
#include "daemon/source/watch.h"
#include "tests/support/dsp/probe_engine.h"

extern const struct source_ops source_sim;

enum { SIZE = 1 << 25 };

/* Sanitizers make every sample ten times as slow; fewer samples prove the same. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
static const double rate = 0.24e6;
#else
static const double rate = 2.4e6;
#endif

struct fixture {
    struct supervisor *receiver;
    struct dsp_thread *pipeline;
    struct line_ring *lines;
};

static struct supervisor_config config_of(const char *scene, double rate_hz, bool realtime)
{
    struct supervisor_config c = {
        .ops = &source_sim, .lossless = !realtime, .awaits_first_plan = true};
    c.source.source = "sim";
    c.source.device = scene;
    c.source.realtime = realtime;
    c.source.ring_bytes = 64 << 20; /* many seconds: no overrun on a busy machine */
    c.settings = (struct settings){.n = 1024, .overlap = 50, .line_rate_hz = 20};
    c.settings.tuning.rate_hz = rate_hz;
    c.settings.tuning.center_hz = 100e6;
    c.source.tuning = c.settings.tuning;
    return c;
}

static void start(struct fixture *b, const struct supervisor_config *config, double seconds)
{
    *b = (struct fixture){0};
    assert_int_equal(line_ring_create(&b->lines, NULL, NULL), 0);
    assert_int_equal(supervisor_start(&b->receiver, config), 0);
    const struct dsp_thread_config pipeline = {.engine = probe_open(SIZE),
                                               .threads = 1,
                                               .exchange = supervisor_exchange(b->receiver),
                                               .lines = b->lines,
                                               .lossless = config->lossless,
                                               .detectors = FFT_DETECTOR_MEAN,
                                               .max_seconds = seconds};
    assert_int_equal(dsp_thread_start(&b->pipeline, &pipeline), 0);
}

static bool sleep_until(struct fixture *b, uint64_t samples, bool tick)
{
    struct dsp_status report;
    for (int tries = 0; tries < 9000; tries++) {
        dsp_thread_status(b->pipeline, &report);
        if (report.ended || report.ledger.seen >= samples)
            return true;
        if (tick && !supervisor_tick(b->receiver))
            return false;
        uv_sleep(10);
    }
    return false;
}

static struct ledger finish(struct fixture *b, struct source_status *report)
{
    struct dsp_status pipeline;
    supervisor_status(b->receiver, report);
    supervisor_stop(b->receiver);
    struct line_reader reader; /* reads no line: the ring drops old lines */
    line_reader_join(&reader, b->lines, false);
    for (int tries = 0; tries < 6000; tries++) {
        dsp_thread_status(b->pipeline, &pipeline);
        if (pipeline.ended)
            break;
        uv_sleep(10);
    }
    assert_true(pipeline.ended);
    line_reader_leave(&reader);
    dsp_thread_stop(b->pipeline);
    return pipeline.ledger;
}

static void clean_up(struct fixture *b)
{
    dsp_thread_destroy(b->pipeline);
    supervisor_destroy(b->receiver);
    line_ring_destroy(b->lines);
    probe_free();
}

static uint64_t sum_lost(const struct ledger *l)
{
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += l->lost[cause];
    return lost;
}

static void conserves(const struct ledger *l)
{
    assert_int_equal(probe.jumps, 0);
    assert_int_equal(l->seen, probe_count());
    assert_int_equal(l->produced, l->seen + sum_lost(l));
}

static void real_time_at_2400_ks_per_s_loses_nothing(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    const struct supervisor_config config = config_of("scene=counter", rate, true);
    start(&b, &config, 0);
    assert_true(sleep_until(&b, (uint64_t)(3 * rate), false));
    const struct ledger l = finish(&b, &report);
    conserves(&l);
    assert_int_equal(sum_lost(&l), l.lost[LOSS_TAIL]);
    assert_true(l.lost[LOSS_TAIL] < 1024);
    /* Seen without a gap, from the first number to the last. */
    for (uint64_t i = 0; i < l.seen; i++)
        assert_true(probe.seen[i]);
    clean_up(&b);
}

static void a_replay_at_full_speed_loses_nothing(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    const struct supervisor_config config = config_of("scene=counter", 2.4e6, false);
    start(&b, &config, 10);
    assert_true(sleep_until(&b, UINT64_MAX, false));
    const struct ledger l = finish(&b, &report);
    conserves(&l);
    assert_int_equal(l.produced, 24000000);
    assert_int_equal(sum_lost(&l), l.lost[LOSS_TAIL]);
    clean_up(&b);
}

static void reported_overflows_are_exactly_the_missing_numbers(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    const struct supervisor_config config =
        config_of("scene=counter,overflow_every=0.05,overflow_lost=1234", rate, true);
    start(&b, &config, 0);
    assert_true(sleep_until(&b, (uint64_t)(2 * rate), false));
    const struct ledger l = finish(&b, &report);
    conserves(&l);
    assert_true(l.events[LOSS_OVERFLOW] >= 35);
    assert_int_equal(l.lost[LOSS_OVERFLOW], 1234 * l.events[LOSS_OVERFLOW]);
    assert_int_equal(l.lost[LOSS_OVERRUN] + l.lost[LOSS_GAP], 0);
    clean_up(&b);
}

static void a_vanished_device_is_reopened_and_its_absence_counted(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    const struct supervisor_config config = config_of("scene=counter,vanish_after=0.5", 1e6, true);
    start(&b, &config, 0);
    assert_true(sleep_until(&b, 1200000, true));
    const struct ledger l = finish(&b, &report);
    assert_true(report.counts.of[COUNT_REOPENED] >= 2);
    assert_int_equal(report.counts.of[COUNT_ABANDONED], 0);
    assert_int_equal(l.produced, l.seen + sum_lost(&l));
    assert_true(l.events[LOSS_GAP] >= 2);
    /* The first retry is after half a second; its samples at 1 MS/s are missing. */
    assert_true(l.lost[LOSS_GAP] >= 2 * 500000);
    clean_up(&b);
}

static void a_hung_device_is_abandoned_and_the_third_one_is_final(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    const struct supervisor_config config = config_of("scene=counter,hang_after=0.2", 1e6, true);
    start(&b, &config, 0);
    assert_false(sleep_until(&b, UINT64_MAX, true)); /* supervisor_tick returned false */
    supervisor_status(b.receiver, &report);
    assert_int_equal(report.counts.of[COUNT_ABANDONED], WATCH_MAX_ABANDONED);
    assert_int_equal(report.state, SOURCE_FAILED);
    assert_non_null(strstr(report.message, "hung"));
    const struct ledger l = finish(&b, &report);
    assert_int_equal(l.produced, l.seen + sum_lost(&l));
    assert_true(l.seen >= 3 * 190000);
    /* Two absences of 5 s were followed by samples again. */
    assert_int_equal(l.events[LOSS_GAP], 2);
    assert_true(l.lost[LOSS_GAP] >= 2 * 4900000);
    clean_up(&b);
}

static void an_fft_too_large_for_the_ring_starts_a_new_epoch(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    struct supervisor_config config = config_of("scene=counter", 1e6, true);
    config.source.ring_bytes = 0; /* the default: a second, or eight frames */
    start(&b, &config, 0);
    assert_true(sleep_until(&b, 300000, false));
    struct settings want = config.settings;
    want.n = 262144;
    supervisor_apply(b.receiver, &want);
    struct dsp_status pipeline;
    for (int tries = 0; tries < 6000; tries++) {
        dsp_thread_status(b.pipeline, &pipeline);
        if (pipeline.n == want.n && pipeline.ledger.lines > 10)
            break;
        uv_sleep(10);
    }
    assert_int_equal(pipeline.n, want.n);
    assert_int_equal(pipeline.epoch, 1);
    const struct ledger l = finish(&b, &report);
    assert_int_equal(l.seen, probe_count());
    assert_int_equal(l.produced, l.seen + sum_lost(&l));
    /* A busy machine may overrun a ring of a second, and counts it; the new epoch did not. */
    assert_int_equal(sum_lost(&l), l.lost[LOSS_TAIL] + l.lost[LOSS_OVERRUN]);
    clean_up(&b);
}

/* The ring of a second would overrun while the plan is made, if the one before did not go on. */
static void an_epoch_for_longer_frames_waits_for_their_plan(void **state)
{
    (void)state;
    struct fixture b;
    struct source_status report;
    struct dsp_status pipeline;
    struct supervisor_config config = config_of("scene=counter", 1e6, true);
    config.source.ring_bytes = 0;
    start(&b, &config, 0);
    assert_true(sleep_until(&b, 300000, false));
    struct settings want = config.settings;
    probe.slow_n = want.n = 262144;
    supervisor_apply(b.receiver, &want);
    for (int tries = 0; tries < 6000 && !atomic_load(&probe.is_making); tries++)
        uv_sleep(10);
    assert_true(atomic_load(&probe.is_making));
    dsp_thread_status(b.pipeline, &pipeline);
    assert_true(sleep_until(&b, pipeline.ledger.seen + 1500000, false));
    dsp_thread_status(b.pipeline, &pipeline);
    assert_int_equal(pipeline.n, 1024);
    assert_int_equal(pipeline.epoch, 0);
    atomic_store(&probe.may_finish, true);
    for (int tries = 0; tries < 6000 && pipeline.n != want.n; tries++) {
        uv_sleep(10);
        dsp_thread_status(b.pipeline, &pipeline);
    }
    assert_int_equal(pipeline.n, want.n);
    assert_int_equal(pipeline.epoch, 1);
    const struct ledger l = finish(&b, &report);
    assert_int_equal(l.seen, probe_count());
    assert_int_equal(l.produced, l.seen + sum_lost(&l));
    clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_time_at_2400_ks_per_s_loses_nothing),
        cmocka_unit_test(a_replay_at_full_speed_loses_nothing),
        cmocka_unit_test(reported_overflows_are_exactly_the_missing_numbers),
        cmocka_unit_test(a_vanished_device_is_reopened_and_its_absence_counted),
        cmocka_unit_test(an_fft_too_large_for_the_ring_starts_a_new_epoch),
        cmocka_unit_test(an_epoch_for_longer_frames_waits_for_their_plan),
        cmocka_unit_test(a_hung_device_is_abandoned_and_the_third_one_is_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
