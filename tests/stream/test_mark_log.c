/* test_mark_log.c - what the log of a ring knows at a position. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/stream/ring/mark_log.h"

static struct mark_log fill(unsigned count)
{
    struct mark_log log = {0};
    for (unsigned i = 1; i <= count; i++) {
        struct iq_mark mark = {.position = 100 * i, .sample_number = 110 * i};
        mark.lost[LOSS_OVERFLOW] = 10;
        mark.events[LOSS_OVERFLOW] = 1;
        mark_log_add(&log, &mark);
    }
    return log;
}

static void an_entry_has_all_losses_before_it(void **state)
{
    (void)state;
    struct iq_mark before;
    uint64_t since;
    const struct mark_log log = fill(5);
    assert_int_equal(mark_log_find(&log, 399, &before, &since), 3);
    assert_int_equal(since, 0);
    assert_int_equal(before.position, 300);
    assert_int_equal(before.lost[LOSS_OVERFLOW], 30);
    assert_int_equal(before.events[LOSS_OVERFLOW], 3);
}

static void before_the_first_mark_nothing_is_lost(void **state)
{
    (void)state;
    struct iq_mark before;
    uint64_t since;
    const struct mark_log log = fill(5);
    assert_int_equal(mark_log_find(&log, 99, &before, &since), 0);
    assert_int_equal(since, 0);
    assert_int_equal(before.sample_number, 0);
}

static void it_says_from_where_on_it_knows(void **state)
{
    (void)state;
    struct iq_mark before, mark;
    uint64_t since, number = 0;
    const struct mark_log log = fill(MARK_LOG + 8);
    mark_log_find(&log, 150, &before, &since);
    assert_int_equal(since, 900); /* marks 1 to 8 are gone */
    assert_true(mark_log_read(&log, &number, &mark));
    assert_int_equal(number, 8);
    assert_int_equal(mark.lost[LOSS_OVERFLOW], 90);
    number = MARK_LOG + 8;
    assert_false(mark_log_read(&log, &number, &mark));
}

static void a_tuning_stays_until_the_next(void **state)
{
    (void)state;
    struct iq_mark before;
    uint64_t since;
    struct mark_log log = {0};
    const struct iq_mark tuned = {
        .position = 10, .tuning_changed = true, .tuning.center_hz = 1e8, .gain_db = 3};
    const struct iq_mark timed = {.position = 20, .has_time = true, .time_ns = 77};
    mark_log_add(&log, &tuned);
    mark_log_add(&log, &timed);
    mark_log_find(&log, 20, &before, &since);
    assert_true(before.tuning_changed);
    assert_true(fabs(before.tuning.center_hz - 1e8) < 1e-3);
    assert_true(fabs(before.gain_db - 3) < 1e-3);
    assert_int_equal(before.time_ns, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_has_all_losses_before_it),
        cmocka_unit_test(before_the_first_mark_nothing_is_lost),
        cmocka_unit_test(it_says_from_where_on_it_knows),
        cmocka_unit_test(a_tuning_stays_until_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
