/*
 * test_supervisor.c - the source thread with a scripted source.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/source/supervisor.h"

/* The behaviour of the source; set before the supervisor starts. */
static struct script {
    uint64_t samples;   /* ends after this many; UINT64_MAX: never */
    double refuse_rate; /* init fails with -EINVAL at this rate */
    atomic_bool busy;   /* init fails with -EBUSY */
    uint64_t lose;      /* samples lost before the first */
    unsigned breaks;    /* this many streams fail with -EIO after a block */
    unsigned mutes;     /* this many streams fall silent after a block */
    unsigned absurd;    /* the number of the stream that states a rate of 10^11 samples a second */
    atomic_uint opened; /* times that init was called */
    /* clock_now_ns of the last block of the first stream, and of the second call of init */
    _Atomic uint64_t last_block_ns, second_init_ns;
} script;

static const int64_t start_ns = 1000000000000000000;

struct scripted {
    uint64_t given;
    unsigned stream; /* number of the open stream; the first is 1 */
};

static int scripted_init(struct source *s)
{
    struct scripted *own = s->priv;
    own->stream = atomic_fetch_add(&script.opened, 1) + 1;
    if (own->stream == 2)
        atomic_store(&script.second_init_ns, clock_now_ns());
    if (atomic_load(&script.busy))
        return source_fail(s, -EBUSY, "scripted: busy");
    const double rate_hz = s->config->tuning.rate_hz;
    if (rate_hz - script.refuse_rate == 0)
        return source_fail(s, -EINVAL, "scripted: no rate of %g", rate_hz);
    s->stream = (struct stream){.format = FFT_IQ_CS16,
                                .full_scale = 32768,
                                .tuning = s->config->tuning,
                                .gain_db = 0,
                                .start_ns = start_ns};
    if (own->stream == script.absurd)
        s->stream.tuning.rate_hz = 1e11;
    return 0;
}

static int64_t scripted_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    struct scripted *own = s->priv;
    (void)timeout_ms;
    const uint64_t left = script.samples - own->given;
    if (left == 0)
        return -ENODATA;
    if (own->given > 0 && own->stream <= script.breaks) {
        if (own->stream == script.breaks)
            atomic_store(&script.busy, true); /* and cannot be reopened at once */
        return source_fail(s, -EIO, "scripted: broken");
    }
    uv_sleep(1);
    if (own->given > 0 && own->stream <= script.mutes)
        return 0;
    if (script.lose && own->given == 0)
        s->mark = (struct source_mark){.set = true, .cause = LOSS_OVERFLOW, .lost = script.lose};
    samples = samples < left ? samples : (uint32_t)left;
    memset(into, 0, (size_t)samples * 4);
    own->given += samples;
    if (own->stream == 1)
        atomic_store(&script.last_block_ns, clock_now_ns());
    return samples;
}

static int scripted_tune(struct source *s, const struct tuning *want)
{
    if (want->rate_hz - s->stream.tuning.rate_hz != 0)
        return -EAGAIN;
    if (want->center_hz < 0)
        return source_fail(s, -ENOTSUP, "scripted: no centre of %g", want->center_hz);
    s->stream.tuning = *want;
    return 0;
}

static void scripted_finish(struct source *s)
{
    (void)s;
}

static const struct source_ops radio_ops = {.name = "radio",
                                            .priv_size = sizeof(struct scripted),
                                            .live = true,
                                            .init = scripted_init,
                                            .read = scripted_read,
                                            .tune = scripted_tune,
                                            .finish = scripted_finish};
static const struct source_ops recording_ops = {.name = "recording",
                                                .priv_size = sizeof(struct scripted),
                                                .init = scripted_init,
                                                .read = scripted_read,
                                                .tune = scripted_tune,
                                                .finish = scripted_finish};

static void configure(const struct source_ops *ops, struct supervisor_config *config)
{
    *config = (struct supervisor_config){.ops = ops, .lossless = !ops->live};
    config->settings = (struct settings){.n = 64, .line_rate_hz = 20};
    config->settings.tuning.rate_hz = 1e6;
    config->source.tuning = config->settings.tuning;
    config->source.realtime =
        !ops->live; /* watched, but for the radio, whose clock would be checked */
}

static struct supervisor *start(const struct source_ops *ops, struct supervisor_config *config)
{
    struct supervisor *r = NULL;
    configure(ops, config);
    atomic_store(&script.opened, 0);
    assert_int_equal(supervisor_start(&r, config), 0);
    return r;
}

static struct source_status wait_for(struct supervisor *r, enum source_state state)
{
    struct source_status report = {0};
    for (int tries = 0; tries < 6000; tries++) {
        supervisor_status(r, &report);
        if (report.state == state)
            return report;
        uv_sleep(10);
    }
    fail_msg("state %d instead of %d: %s", (int)report.state, (int)state, report.message);
    return report;
}

static void wait_for_opening(unsigned opened)
{
    for (int tries = 0; tries < 6000 && atomic_load(&script.opened) < opened; tries++)
        uv_sleep(10);
    assert_true(atomic_load(&script.opened) >= opened);
}

static void the_first_sample_is_read_once_there_is_a_plan(void **state)
{
    (void)state;
    struct supervisor_config config;
    struct supervisor *r = NULL;
    script = (struct script){.samples = UINT64_MAX};
    configure(&radio_ops, &config);
    config.awaits_first_plan = true;
    assert_int_equal(supervisor_start(&r, &config), 0);
    wait_for(r, SOURCE_RUNNING);
    uv_sleep(300);
    assert_int_equal(atomic_load(&script.last_block_ns), 0);
    exchange_set_planned(supervisor_exchange(r));
    for (int tries = 0; tries < 6000 && atomic_load(&script.last_block_ns) == 0; tries++)
        uv_sleep(10);
    assert_true(atomic_load(&script.last_block_ns) > 0);
    const struct source_status report = wait_for(r, SOURCE_RUNNING);
    assert_int_equal(report.counts.of[COUNT_TIMEOUTS], 0); /* the device was not silent */
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

/* After its end, a recording waits for slow readers without limit. */
static void a_finished_recording_is_not_stuck(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = 1000};
    struct supervisor *r = start(&recording_ops, &config);
    for (int tries = 0; tries < 56; tries++) {
        assert_true(supervisor_tick(r));
        uv_sleep(100);
    }
    struct source_status report;
    supervisor_status(r, &report);
    assert_int_equal(report.counts.of[COUNT_ABANDONED], 0);
    assert_int_equal(atomic_load(&script.opened), 1);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

static void a_refused_rate_can_be_replaced(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = UINT64_MAX, .refuse_rate = 5e6};
    struct supervisor *r = start(&radio_ops, &config);
    wait_for(r, SOURCE_RUNNING);
    struct settings want = config.settings;
    want.tuning.rate_hz = 5e6;
    supervisor_apply(r, &want);
    wait_for(r, SOURCE_WAITING);
    want.tuning.rate_hz = 2e6;
    supervisor_apply(r, &want);
    const struct source_status report = wait_for(r, SOURCE_RUNNING);
    assert_near(report.stream.tuning.rate_hz, 2e6, 0);
    assert_string_equal(report.message, "");
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

static void a_refused_centre_is_reported_until_another_is_accepted(void **state)
{
    (void)state;
    struct supervisor_config config;
    struct source_status report;
    script = (struct script){.samples = UINT64_MAX};
    struct supervisor *r = start(&radio_ops, &config);
    wait_for(r, SOURCE_RUNNING);
    struct settings want = config.settings;
    for (int i = 0; i < 2; i++) {
        want.tuning.center_hz = i == 0 ? -1 : 7e6;
        supervisor_apply(r, &want);
        for (int tries = 0; tries < 6000; tries++) {
            supervisor_status(r, &report);
            if ((report.message[0] != '\0') == (i == 0))
                break;
            uv_sleep(10);
        }
        assert_true((strstr(report.message, "no centre of -1") != NULL) == (i == 0));
    }
    assert_near(report.stream.tuning.center_hz, 7e6, 0);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

static void a_temporarily_busy_device_is_opened_eventually(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = UINT64_MAX, .busy = true};
    struct supervisor *r = start(&radio_ops, &config);
    wait_for(r, SOURCE_WAITING);
    wait_for_opening(2);
    atomic_store(&script.busy, false);
    wait_for(r, SOURCE_RUNNING);
    assert_in_range(atomic_load(&script.opened), 3, 4); /* the fourth refusal would be the last */
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

/* No memory is large enough for its ring; at the start that would be final. */
static void a_device_that_comes_back_with_an_absurd_rate_is_tried_again(void **state)
{
    (void)state;
    script = (struct script){.samples = UINT64_MAX, .breaks = 1, .absurd = 2};
    struct supervisor_config config;
    struct supervisor *r = start(&radio_ops, &config);
    wait_for(r, SOURCE_WAITING);
    atomic_store(&script.busy, false);
    wait_for_opening(3);
    wait_for(r, SOURCE_RUNNING);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

static void a_device_that_stays_busy_is_given_up(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = UINT64_MAX, .busy = true};
    struct supervisor *r = start(&radio_ops, &config);
    wait_for(r, SOURCE_FAILED);
    assert_int_equal(atomic_load(&script.opened), 4);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

/* Four streams break. If their failures added up, the refusal after them would be final. */
static void a_device_that_delivered_samples_gets_all_its_tries_again(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = UINT64_MAX, .breaks = 4};
    struct supervisor *r = start(&radio_ops, &config);
    wait_for_opening(5);
    const struct source_status refused = wait_for(r, SOURCE_WAITING);
    assert_int_equal(refused.counts.of[COUNT_REOPENED], 3);
    atomic_store(&script.busy, false);
    const struct source_status report = wait_for(r, SOURCE_RUNNING);
    assert_int_equal(report.counts.of[COUNT_REOPENED], 4);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

static struct epoch *take_epoch(struct supervisor *r, uint64_t samples)
{
    bool ended = false;
    struct iq_ring_totals totals = {0};
    struct epoch *e = exchange_take_epoch(supervisor_exchange(r), 60000, &ended);
    assert_non_null(e);
    for (int tries = 0; tries < 6000 && totals.written < samples; tries++) {
        uv_sleep(10);
        iq_ring_totals(e->ring, &totals);
    }
    assert_true(totals.written >= samples);
    return e;
}

/* At 1 MS/s a sample takes 1000 ns, a lost one too. */
static void time_continues_from_epoch_to_epoch(void **state)
{
    (void)state;
    struct supervisor_config config;
    struct iq_ring_totals totals;
    script = (struct script){.samples = UINT64_MAX, .lose = 777777};
    struct supervisor *r = start(&radio_ops, &config);
    struct epoch *first = take_epoch(r, 10000);
    struct settings want = config.settings;
    want.n = 262144; /* 8 frames are more than the ring of a second */
    supervisor_apply(r, &want);
    struct epoch *second = take_epoch(r, 10000);
    iq_ring_totals(first->ring, &totals);
    const uint64_t before = totals.written + totals.lost[LOSS_OVERFLOW] + totals.lost[LOSS_OVERRUN];
    assert_int_equal(totals.lost[LOSS_OVERFLOW], 777777);
    assert_int_equal(first->stream.start_ns, start_ns);
    assert_int_equal(second->stream.start_ns, start_ns + 1000 * (int64_t)before);

    /* Samples lost while the device is reopened belong to the new epoch, before its first sample.
     */
    want.tuning.rate_hz = 2e6;
    supervisor_apply(r, &want);
    struct epoch *third = take_epoch(r, 1000);
    iq_ring_totals(third->ring, &totals);
    assert_int_equal(totals.events[LOSS_RETUNE], 1);
    assert_true(third->stream.start_ns < start_ns);
    assert_true(start_ns - third->stream.start_ns <= 500 * (int64_t)totals.lost[LOSS_RETUNE] + 500);
    struct epoch *all[] = {first, second, third};
    assert_false(supervisor_stop(r));
    for (int i = 0; i < 3; i++) {
        iq_reader_leave(&all[i]->reader, all[i]->ring);
        epoch_unref(all[i]);
    }
    supervisor_destroy(r);
}

/* It is not reopened early, and all samples of the silence are lost: one each 1000 ns at 1 MS/s.
 */
static void a_device_silent_for_five_seconds_is_reopened(void **state)
{
    (void)state;
    struct supervisor_config config;
    struct iq_ring_totals totals;
    script = (struct script){.samples = UINT64_MAX, .mutes = 1};
    struct supervisor *r = start(&radio_ops, &config);
    struct epoch *e = take_epoch(r, 1);
    const struct source_status stalled = wait_for(r, SOURCE_STALLED);
    assert_non_null(strstr(stalled.message, "no sample"));
    assert_int_equal(atomic_load(&script.opened), 1);
    wait_for_opening(2);
    wait_for(r, SOURCE_RUNNING);
    const uint64_t silent_ns =
        atomic_load(&script.second_init_ns) - atomic_load(&script.last_block_ns);
    assert_true(silent_ns >= 5500000000); /* and half a second before the first retry */
    do
        iq_ring_totals(e->ring, &totals);
    while (totals.events[LOSS_GAP] == 0);
    assert_int_equal(totals.events[LOSS_GAP], 1);
    /* Both times are taken beside the thread's own, which a busy machine delays. */
    assert_true(totals.lost[LOSS_GAP] >= silent_ns / 1000 * 95 / 100);
    assert_false(supervisor_stop(r));
    iq_reader_leave(&e->reader, e->ring);
    epoch_unref(e);
    supervisor_destroy(r);
}

/* Each rate has its own ring. Their number stays limited while the dsp thread is late. */
static void rapid_changes_of_rate_do_not_pile_up_epochs(void **state)
{
    (void)state;
    struct supervisor_config config;
    script = (struct script){.samples = UINT64_MAX};
    struct supervisor *r = start(&radio_ops, &config);
    struct settings want = config.settings;
    for (int i = 0; i < 10; i++) {
        uv_sleep(100);
        want.tuning.rate_hz += 1e5;
        supervisor_apply(r, &want);
    }
    assert_true(exchange_backlog(supervisor_exchange(r)) <= 2);
    bool ended = false;
    double rate_hz = 0;
    for (int i = 0; i < 20 && rate_hz < want.tuning.rate_hz; i++) {
        struct epoch *e = exchange_take_epoch(supervisor_exchange(r), 60000, &ended);
        assert_non_null(e);
        rate_hz = e->stream.tuning.rate_hz;
        iq_reader_leave(&e->reader, e->ring);
        epoch_unref(e);
    }
    assert_near(rate_hz, want.tuning.rate_hz, 0.001); /* the last request was applied */
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_sample_is_read_once_there_is_a_plan),
        cmocka_unit_test(a_refused_rate_can_be_replaced),
        cmocka_unit_test(a_refused_centre_is_reported_until_another_is_accepted),
        cmocka_unit_test(a_temporarily_busy_device_is_opened_eventually),
        cmocka_unit_test(a_device_that_stays_busy_is_given_up),
        cmocka_unit_test(a_device_that_comes_back_with_an_absurd_rate_is_tried_again),
        cmocka_unit_test(a_device_that_delivered_samples_gets_all_its_tries_again),
        cmocka_unit_test(a_device_silent_for_five_seconds_is_reopened),
        cmocka_unit_test(time_continues_from_epoch_to_epoch),
        cmocka_unit_test(rapid_changes_of_rate_do_not_pile_up_epochs),
        cmocka_unit_test(a_finished_recording_is_not_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
