/* test_measure_feed.c - results of measurements are kept for the trigger thread while it wants
 * them. */
#include "tests/support/cmocka_all.h"

#include "daemon/trigger/measure_feed.h"

static void push(struct measure_feed *feed, uint64_t line)
{
    struct line of = {.number = line};
    struct measure_snapshot *s = measure_snapshot_create(&of, 0, NULL);
    assert_non_null(s);
    measure_feed_push(feed, s);
    measure_feed_pass(feed, line);
    measure_snapshot_unref(s);
}

static enum feed_answer take(struct measure_feed *feed, uint64_t line)
{
    struct measure_snapshot *s = NULL;
    const enum feed_answer answer = measure_feed_take(feed, line, 0, &s);
    assert_true(answer != FEED_RESULT || s->line == line);
    measure_snapshot_unref(s);
    return answer;
}

static void results_are_kept_while_they_are_wanted(void **state)
{
    (void)state;
    struct measure_feed *feed;
    assert_int_equal(measure_feed_create(&feed), 0);
    push(feed, 1);
    assert_int_equal(take(feed, 1), FEED_NONE); /* passed, without a result */
    measure_feed_want(feed, true);
    push(feed, 2);
    push(feed, 3);
    assert_int_equal(take(feed, 2), FEED_RESULT);
    measure_feed_want(feed, false);
    assert_int_equal(take(feed, 3), FEED_NONE);
    assert_int_equal(take(feed, 4), FEED_LATER);
    measure_feed_destroy(feed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_kept_while_they_are_wanted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
