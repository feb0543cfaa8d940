/* test_source_clock.c - the host's clock is set while a radio without a clock of its own runs. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/source/supervisor.h"

static const int64_t start_ns = 1000000000000000000, hour_ns = 3600000000000;
static _Atomic int64_t set_by_ns;
static bool has_clock; /* the radio */
static uint64_t rate_window_ns;

static int quiet_init(struct source *s)
{
    s->stream = (struct stream){.format = FFT_IQ_CS16,
                                .full_scale = 32768,
                                .tuning = s->config->tuning,
                                .about = "quiet",
                                .hardware_time = has_clock,
                                .start_ns = start_ns};
    return 0;
}

static int64_t quiet_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    (void)s;
    (void)timeout_ms;
    uv_sleep(1);
    memset(into, 0, (size_t)samples * 4);
    return samples;
}

static void quiet_finish(struct source *s)
{
    (void)s;
}

static const struct source_ops quiet_ops = {
    .name = "quiet", .live = true, .init = quiet_init, .read = quiet_read, .finish = quiet_finish};

static int64_t host_clock(void)
{
    return clock_unix_ns() + atomic_load(&set_by_ns);
}

static struct epoch *start(struct supervisor **r)
{
    struct supervisor_config config = {
        .ops = &quiet_ops, .unix_ns = host_clock, .rate_window_ns = rate_window_ns};
    bool ended = false;
    config.settings = (struct settings){.n = 64, .line_rate_hz = 20};
    config.settings.tuning.rate_hz = 1e6;
    config.source.tuning = config.settings.tuning;
    config.source.realtime = true;
    atomic_store(&set_by_ns, 0);
    assert_int_equal(supervisor_start(r, &config), 0);
    struct epoch *e = exchange_take_epoch(supervisor_exchange(*r), 60000, &ended);
    assert_non_null(e);
    return e;
}

static void finish(struct supervisor *r, struct epoch *e)
{
    assert_false(supervisor_stop(r));
    iq_reader_leave(&e->reader, e->ring);
    epoch_unref(e);
    supervisor_destroy(r);
}

static void wait_for_samples(struct epoch *e, uint64_t more)
{
    struct iq_ring_totals totals;
    iq_ring_totals(e->ring, &totals);
    const uint64_t until = totals.written + totals.lost[LOSS_OVERRUN] + more;
    for (int tries = 0; tries < 6000; tries++) {
        uv_sleep(10);
        iq_ring_totals(e->ring, &totals);
        if (totals.written + totals.lost[LOSS_OVERRUN] >= until)
            return;
    }
    fail_msg("no samples");
}

/* As on a Raspberry Pi, which learns the time after its start. */
static void a_step_reaches_the_samples_as_a_mark_that_only_has_a_time(void **state)
{
    (void)state;
    struct supervisor *r = NULL;
    struct iq_mark mark = {0};
    struct source_status report;
    has_clock = false;
    struct epoch *e = start(&r);
    wait_for_samples(e, 10000);
    assert_false(iq_ring_pop_mark(e->ring, &mark));
    atomic_store(&set_by_ns, hour_ns);
    for (int tries = 0; tries < 6000 && !iq_ring_pop_mark(e->ring, &mark); tries++)
        uv_sleep(10);
    assert_true(mark.continues && mark.has_time && !mark.tuning_changed);
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        assert_int_equal(mark.lost[cause] + mark.events[cause], 0);
    /* At 1 MS/s a sample takes 1000 ns. The correction is the step alone. */
    const int64_t counted = start_ns + 1000 * (int64_t)mark.time_number;
    assert_true(llabs(mark.time_ns - counted - hour_ns) < 1000000);
    supervisor_status(r, &report);
    assert_int_equal(report.counts.of[COUNT_CLOCK], 1);
    finish(r, e);
}

static void a_radio_with_a_clock_of_its_own_keeps_it(void **state)
{
    (void)state;
    struct supervisor *r = NULL;
    struct iq_mark mark;
    struct source_status report;
    has_clock = true;
    struct epoch *e = start(&r);
    wait_for_samples(e, 10000);
    atomic_store(&set_by_ns, hour_ns);
    wait_for_samples(e, 100000);
    assert_false(iq_ring_pop_mark(e->ring, &mark));
    supervisor_status(r, &report);
    assert_int_equal(report.counts.of[COUNT_CLOCK], 0);
    finish(r, e);
}

/* Whatever its true rate is, it is not 1 MS/s: no read waits for the time of its samples. */
static void a_radio_that_does_not_keep_its_rate_is_told_in_the_state(void **state)
{
    (void)state;
    for (int own_clock = 0; own_clock < 2; own_clock++) {
        struct supervisor *r = NULL;
        struct source_status report = {0};
        has_clock = own_clock;
        rate_window_ns = 20000000;
        struct epoch *e = start(&r);
        for (int tries = 0; tries < 6000 && !report.message[0]; tries++) {
            uv_sleep(10);
            supervisor_status(r, &report);
        }
        assert_int_equal(report.state, SOURCE_RUNNING);
        assert_non_null(strstr(report.message, "quiet delivers "));
        assert_non_null(strstr(report.message, " samples/s, not 1M ("));
        assert_non_null(strstr(report.message, "its rate is not what it says"));
        rate_window_ns = 0;
        finish(r, e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_reaches_the_samples_as_a_mark_that_only_has_a_time),
        cmocka_unit_test(a_radio_with_a_clock_of_its_own_keeps_it),
        cmocka_unit_test(a_radio_that_does_not_keep_its_rate_is_told_in_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
