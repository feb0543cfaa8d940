/* test_progress.c - the line of progress: part done, speed and time left. */
#include "tests/support/cmocka_all.h"

#include "daemon/status/progress.h"

/* 600 of 2400 MS in 12 s. */
static struct status example(void)
{
    return (struct status){
        .stream = {.tuning = {.rate_hz = 2e6}, .samples = 2400000000},
        .dsp = {.ledger = {.produced = 600000000, .lines = 100}},
        .seconds = 12,
    };
}

static void expect(const struct status *s, const struct progress_limits *limits, const char *text)
{
    char got[120];
    assert_string_equal(progress_text(s, limits, got, sizeof got), text);
}

static void the_end_is_that_of_the_recording_or_an_earlier_limit(void **state)
{
    (void)state;
    const struct status s = example();
    expect(&s, &(struct progress_limits){0}, "25 %, 600 MS of 2.4 GS, 50 MS/s, 36 s left");
    expect(&s, &(struct progress_limits){.seconds = 400},
           "75 %, 600 MS of 800 MS, 50 MS/s, 4 s left");
    expect(&s, &(struct progress_limits){.lines = 125},
           "80 %, 600 MS of 750 MS, 50 MS/s, 3 s left");
    expect(&s, &(struct progress_limits){.seconds = 5000},
           "25 %, 600 MS of 2.4 GS, 50 MS/s, 36 s left");
}

static void long_times_are_in_minutes_and_hours(void **state)
{
    (void)state;
    struct status s = example();
    s.seconds = 120;
    expect(&s, &(struct progress_limits){0}, "25 %, 600 MS of 2.4 GS, 5 MS/s, 6:00 min left");
    s.seconds = 3610;
    expect(&s, &(struct progress_limits){0}, "25 %, 600 MS of 2.4 GS, 166 kS/s, 3:00 h left");
}

static void a_pipe_has_no_known_end(void **state)
{
    (void)state;
    struct status s = example();
    s.stream.samples = 0;
    expect(&s, &(struct progress_limits){0}, "600 MS, 50 MS/s");
}

static void nothing_done_yet_promises_nothing(void **state)
{
    (void)state;
    struct status s = example();
    s.dsp.ledger.produced = 0;
    s.seconds = 0;
    expect(&s, &(struct progress_limits){0}, "0 S, 0 S/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_that_of_the_recording_or_an_earlier_limit),
        cmocka_unit_test(long_times_are_in_minutes_and_hours),
        cmocka_unit_test(a_pipe_has_no_known_end),
        cmocka_unit_test(nothing_done_yet_promises_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
