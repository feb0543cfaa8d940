/* test_watch.c - stuck threads, stopped processes, and abandoned threads that are forgiven. */
#include "tests/support/cmocka_all.h"

#include "daemon/source/watch.h"

static const uint64_t second = 1000000000, patience = 5000000000;

/* Ticks every 250 ms. Returns the time of the first finding, or 0. */
static uint64_t tick(struct watch *w, uint64_t from, uint64_t to, uint64_t beat)
{
    for (uint64_t now = from; now <= to; now += second / 4) {
        if (watch_finds_stuck(w, now, beat, patience))
            return now;
    }
    return 0;
}

static void a_thread_without_a_beat_is_stuck_after_its_patience(void **state)
{
    (void)state;
    struct watch w = {0};
    assert_int_equal(tick(&w, 100 * second, 104 * second, 100 * second), 0);
    assert_int_equal(tick(&w, 104 * second, 200 * second, 100 * second), 105 * second);
}

/* SIGSTOP for an hour and SIGCONT: the source's beat is old, and so is the last tick. */
static void a_process_that_stood_still_gives_the_thread_its_patience_anew(void **state)
{
    (void)state;
    struct watch w = {0};
    assert_int_equal(tick(&w, 100 * second, 101 * second, 101 * second), 0);
    const uint64_t resumed = 3701 * second;
    assert_int_equal(tick(&w, resumed, resumed + second, 101 * second), 0);
    assert_int_equal(tick(&w, resumed + second, resumed + 60 * second, resumed + 60 * second), 0);
    /* A thread that was stuck before and stays stuck is found. */
    assert_int_equal(tick(&w, resumed + 61 * second, resumed + 99 * second, resumed + 60 * second),
                     resumed + 65 * second);
}

static void three_abandoned_threads_end_the_device_unless_an_hour_lies_between(void **state)
{
    static const struct {
        uint64_t minutes[4]; /* between one and the next; 0: no more */
        unsigned last;       /* the one that is the last of three; 0: none */
    } cases[] = {
        {{1, 1}, 3}, {{59, 59}, 3}, {{61, 61, 61}, 0}, {{1, 61, 1, 1}, 5}, {{61, 1, 1}, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct watch w = {0};
        uint64_t now = second;
        unsigned last = watch_abandon(&w, now) ? 1 : 0;
        for (unsigned k = 0; k < 4 && cases[i].minutes[k] && !last; k++) {
            now += cases[i].minutes[k] * 60 * second;
            last = watch_abandon(&w, now) ? k + 2 : 0;
        }
        assert_int_equal(last, cases[i].last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_without_a_beat_is_stuck_after_its_patience),
        cmocka_unit_test(a_process_that_stood_still_gives_the_thread_its_patience_anew),
        cmocka_unit_test(three_abandoned_threads_end_the_device_unless_an_hour_lies_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
