/*
 * test_concurrent_plan.c - a live change of the FFT size in real time, whose plan takes its time.
 *
 * The engine under test makes the slow plan when the test allows it. Meanwhile more samples come
 * than the ring has room for: they are seen only if the plan before goes on.
 */
#include "tests/support/dsp/dsp_fixture.h"

enum { SHORT_N = 1024, LONG_N = 65536, SLACK = RATE / 8, RING = RATE };

static struct settings of_size(uint32_t n)
{
    struct settings w = dsp_fixture_settings();
    w.n = n;
    return w;
}

static void status_after(struct dsp_fixture *b, struct dsp_status *report)
{
    uv_sleep(1);
    dsp_fixture_take_lines(b, false);
    dsp_thread_status(b->pipeline, report);
}

/* As a device does that is slower than the dsp thread: the ring never fills while that runs. */
static void write_in_real_time(struct dsp_fixture *b, uint32_t count)
{
    for (uint32_t left = count; left > 0;) {
        const uint32_t now = left < b->block ? left : b->block;
        struct dsp_status report = {0};
        dsp_fixture_write(b, now);
        left -= now;
        for (int tries = 0; tries < 10000 && b->number - report.ledger.seen > SLACK; tries++)
            status_after(b, &report);
        assert_true(b->number - report.ledger.seen <= SLACK);
    }
}

static void request(struct dsp_fixture *b, uint32_t n)
{
    const struct settings w = of_size(n);
    exchange_request(b->exchange, &w);
}

static void wait_for_plan_of(struct dsp_fixture *b, uint32_t n)
{
    struct dsp_status report = {0};
    for (int tries = 0; tries < 10000 && report.n != n; tries++)
        status_after(b, &report);
    assert_int_equal(report.n, n);
}

static void wait_until_made(void)
{
    for (int tries = 0; tries < 10000 && !atomic_load(&probe.is_making); tries++)
        uv_sleep(1);
    assert_true(atomic_load(&probe.is_making));
}

static void start(struct dsp_fixture *b)
{
    const struct settings w = of_size(SHORT_N);
    dsp_fixture_start(b, &w, false, &no_limits);
    write_in_real_time(b, RATE / 4); /* the first plan is made */
    probe.slow_n = LONG_N;
}

/* The short plan is active, the slow one is being made. */
static void start_making(struct dsp_fixture *b)
{
    start(b);
    request(b, LONG_N);
    wait_until_made();
}

static void finish_without_loss(struct dsp_fixture *b)
{
    const struct ledger ledger = dsp_fixture_finish(b);
    dsp_fixture_conserves(b, &ledger);
    assert_int_equal(ledger.lost[LOSS_OVERRUN], 0);
    assert_true(ledger.lost[LOSS_TAIL] < LONG_N); /* after the last frame */
    dsp_fixture_clean_up(b);
}

static void the_plan_before_goes_on_until_a_slow_one_is_made(void **state)
{
    (void)state;
    struct dsp_fixture b;
    start_making(&b);
    write_in_real_time(&b, RING + RING / 2);
    assert_int_equal(b.last->n, SHORT_N);
    atomic_store(&probe.may_finish, true);
    wait_for_plan_of(&b, LONG_N);
    write_in_real_time(&b, 2 * LONG_N);
    finish_without_loss(&b);
}

static void the_newest_request_follows_a_plan_that_nobody_wants_any_more(void **state)
{
    (void)state;
    struct dsp_fixture b;
    start_making(&b);
    request(&b, 512);
    write_in_real_time(&b, RING + RING / 2);
    assert_int_equal(b.last->n, SHORT_N);
    atomic_store(&probe.may_finish, true);
    wait_for_plan_of(&b, 512);
    write_in_real_time(&b, RATE / 4);
    assert_int_equal(b.last->n, 512);
    finish_without_loss(&b);
}

static void a_stop_drops_a_plan_that_is_being_made(void **state)
{
    (void)state;
    struct dsp_fixture b;
    start_making(&b);
    write_in_real_time(&b, RATE / 4);
    atomic_store(&probe.may_finish, true);
    finish_without_loss(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_before_goes_on_until_a_slow_one_is_made),
        cmocka_unit_test(the_newest_request_follows_a_plan_that_nobody_wants_any_more),
        cmocka_unit_test(a_stop_drops_a_plan_that_is_being_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
