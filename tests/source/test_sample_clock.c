/* test_sample_clock.c - the time of samples while clocks are set, drift, and reads come late. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/source/sample_clock.h"

enum { RATE = 1000000 };
#define MS ((int64_t)1000000)
static const int64_t start_ns = 1700000000000000000;

/* A radio of `rate` true samples a second, read every 20 ms by a host whose clock is `set_ns` off.
 */
struct world {
    struct sample_clock clock;
    double rate;
    uint64_t now_ns;
    int64_t set_ns, worst_ns; /* worst: the largest error of the newest sample's time */
    unsigned steps, drifts;
};

static void run(struct world *w, double seconds)
{
    w->worst_ns = 0;
    for (const uint64_t end = w->now_ns + (uint64_t)(seconds * 1e9); w->now_ns < end;) {
        w->now_ns += 20 * (uint64_t)MS;
        const uint64_t late_ns = (uint64_t)(rand() % 20 * MS); /* latency of driver and machine */
        const uint64_t sample = (uint64_t)((double)w->now_ns * 1e-9 * w->rate);
        int64_t by_ns;
        const enum sample_clock_change change =
            sample_clock_check(&w->clock, sample, RATE, w->now_ns + late_ns,
                               start_ns + (int64_t)(w->now_ns + late_ns) + w->set_ns, &by_ns);
        w->steps += change == SAMPLE_CLOCK_STEP;
        w->drifts += change == SAMPLE_CLOCK_DRIFT;
        const int64_t error_ns =
            sample_clock_at(&w->clock, sample, RATE) - start_ns - (int64_t)w->now_ns - w->set_ns;
        w->worst_ns = llabs(error_ns) > w->worst_ns ? llabs(error_ns) : w->worst_ns;
    }
}

static struct world begin(double ppm)
{
    struct world w = {.rate = RATE * (1 + ppm * 1e-6)};
    srand(1);
    sample_clock_set(&w.clock, start_ns, 0);
    return w;
}

static void latency_alone_corrects_nothing(void **state)
{
    (void)state;
    struct world w = begin(0);
    run(&w, 3600);
    assert_int_equal(w.steps + w.drifts, 0);
    assert_true(w.worst_ns < MS);
}

static void a_step_of_the_host_s_clock_is_followed_at_once(void **state)
{
    static const int64_t steps[] = {51 * MS, 3600 * 1000 * MS, -70 * MS,
                                    -365 * 86400 * 1000LL * MS};
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct world w = begin(0);
        run(&w, 25);
        w.set_ns = steps[i];
        run(&w, 100);
        assert_int_equal(w.steps, 1);
        assert_int_equal(w.drifts, 0);
        assert_true(w.worst_ns < MS);
    }
}

static void small_steps_are_followed_when_they_add_up(void **state)
{
    (void)state;
    struct world w = begin(0);
    for (int i = 0; i < 100; i++) {
        w.set_ns += 10 * MS;
        run(&w, 5);
        assert_true(w.worst_ns <= 61 * MS);
    }
    assert_in_range(w.steps + w.drifts, 10, 20);
}

/* 20 ppm are 72 ms an hour. */
static void the_ppm_of_a_radio_do_not_add_up(void **state)
{
    static const double ppm[] = {20, -20, 300};
    (void)state;
    for (size_t i = 0; i < sizeof ppm / sizeof ppm[0]; i++) {
        struct world w = begin(ppm[i]);
        run(&w, 86400);
        assert_int_equal(w.steps, 0);
        /* The bound, 20 s of drift until it is seen, and that of the first window. */
        assert_true(w.worst_ns < 60 * MS + (int64_t)(30e9 * 1e-6 * fabs(ppm[i])));
        assert_true(w.drifts >= 20);
    }
}

static void a_new_time_from_the_source_starts_again(void **state)
{
    (void)state;
    struct world w = begin(0);
    run(&w, 100);
    w.set_ns = 5 * 1000 * MS;
    run(&w, 1);
    sample_clock_set(&w.clock, start_ns + (int64_t)w.now_ns + w.set_ns,
                     (uint64_t)((double)w.now_ns * 1e-9 * RATE));
    run(&w, 100);
    assert_int_equal(w.steps, 1);
    assert_int_equal(w.drifts, 0);
    assert_true(w.worst_ns < MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_alone_corrects_nothing),
        cmocka_unit_test(a_step_of_the_host_s_clock_is_followed_at_once),
        cmocka_unit_test(small_steps_are_followed_when_they_add_up),
        cmocka_unit_test(the_ppm_of_a_radio_do_not_add_up),
        cmocka_unit_test(a_new_time_from_the_source_starts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
