/* test_workers.c - threads that share items, meet, and are sent home; and what they may not change.
 */
#include "tests/support/cmocka_all.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cpu/threads/affinity.h"
#include "fft/cpu/threads/workers.h"
#include "tests/support/engine/transform_case.h"

enum { MOST = 5, ITEMS = 200, MEETINGS = 3 };

/* Each worker adds its own digit between two meetings; at every meeting all must have come. */
struct table {
    struct crew *crew;
    uint32_t workers;
    uint32_t at[ITEMS][MEETINGS][MOST]; /* what each wrote before a meeting */
    uint32_t wrong;                     /* written by the last worker */
};

static void sit_down(void *user, uint32_t worker, uint64_t item)
{
    struct table *t = user;
    for (uint32_t m = 0; m < MEETINGS; m++) {
        t->at[item][m][worker] = worker + 1;
        if (!crew_meet(t->crew, worker))
            return;
        for (uint32_t i = 0; worker + 1 == t->workers && i < t->workers; i++)
            t->wrong += t->at[item][m][i] != i + 1;
    }
}

static void all_have_come_when_a_meeting_ends(void **state)
{
    (void)state;
    for (uint32_t workers = 2; workers <= MOST; workers++) {
        struct table *t = calloc(1, sizeof *t);
        t->workers = workers;
        assert_int_equal(crew_create(&t->crew, workers, sit_down, t), 0);
        for (uint64_t item = 0; item < ITEMS; item++) {
            crew_push(t->crew);
            sit_down(t, 0, item);
            assert_true(crew_wait(t->crew, item, -1));
        }
        assert_int_equal(t->wrong, 0);
        crew_destroy(t->crew);
        free(t);
    }
}

static void who_waits_in_vain_is_sent_home(void **state)
{
    (void)state;
    for (uint32_t workers = 2; workers <= MOST; workers++) {
        struct table *t = calloc(1, sizeof *t);
        t->workers = workers;
        assert_int_equal(crew_create(&t->crew, workers, sit_down, t), 0);
        crew_push(t->crew); /* and worker 0 never comes */
        crew_push(t->crew);
        assert_false(crew_wait(t->crew, 0, 5));
        assert_false(crew_wait(t->crew, 0, 0));
        crew_destroy(t->crew);
        free(t);
    }
    crew_destroy(NULL);
}

static void a_thread_leaves_a_processor_and_may_use_the_same_as_before(void **state)
{
    enum { TRIES = 1000 };
    cpu_set_t all, after, one;
    int from = -1, to = -1;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int i = 0; to < 0 && i < TRIES; i++) /* it may be moved before it leaves */
        to = cpu_affinity_leave(from = cpu_affinity_current());
    assert_int_equal(to >= 0, cpu_affinity_count() > 1);
    assert_true(to < 0 || (to != from && CPU_ISSET((size_t)to, &all)));
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&all, &after));

    CPU_ZERO(&one);
    CPU_SET((size_t)from, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cpu_affinity_count(), 1);
    assert_int_equal(cpu_affinity_current(), from);
    assert_int_equal(cpu_affinity_leave(from), -1);     /* there is no other */
    assert_int_equal(cpu_affinity_leave(from + 1), -1); /* it is not there */
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&one, &after));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static const struct fft_transform_plan shapes[] = {
    {.rank = 1, .n = {4096}, .batch = 9},
    {.rank = 1, .n = {60}, .batch = 1001},
    {.rank = 1, .n = {32768}, .batch = 5},
    {.rank = 1, .n = {1000}, .batch = 100, .in = {{100}, 1}, .out = {{1}, 1000}},
    {.rank = 2, .n = {3, 65536}, .batch = 1},
    {.rank = 3, .n = {48, 50, 49}, .batch = 1},
    {.type = FFT_TRANSFORM_INVERSE, .rank = 2, .n = {300, 256}, .batch = 2},
    {.type = FFT_TRANSFORM_R2C, .rank = 2, .n = {200, 400}, .batch = 1},
    /* long rows, which all threads do together: fewer than threads, or left over */
    {.rank = 1, .n = {131072}, .batch = 1},
    {.rank = 2, .n = {2, 98304}, .batch = 1},
    {.type = FFT_TRANSFORM_INVERSE, .rank = 1, .n = {117649}, .batch = 1},
    {.rank = 1, .n = {78125}, .batch = 1, .in = {{2}, 1}, .out = {{2}, 1}},
    {.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {262144}, .batch = 1},
    {.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {78125}, .batch = 1},
    {.type = FFT_TRANSFORM_C2R, .rank = 1, .n = {150000}, .batch = 1},
    {.type = FFT_TRANSFORM_C2R,
     .rank = 1,
     .n = {78125},
     .batch = 1,
     .in = {{2}, 1},
     .out = {{3}, 1}},
    {.type = FFT_TRANSFORM_C2R, .rank = 1, .n = {1000}, .batch = 99},
};

static void run_with(uint32_t threads, const struct fft_transform_plan *plan,
                     const struct fft_iq *x, struct fft_iq *out)
{
    struct subject cpu = {.engine = "cpu", .threads = threads};
    void *subject = &cpu;
    struct fft_engine *e = subject_open(&subject);
    transform_run(e, plan, x, out);
    fft_engine_close(e);
}

static void a_transforms_bytes_do_not_depend_on_the_threads(void **state)
{
    enum { POINTS = 200000 };
    static const uint32_t threads[] = {2, 3, 4, 7};
    (void)state;
    struct fft_iq *x = test_noise(FFT_IQ_CF32, POINTS, 1);
    struct fft_iq *want = calloc(POINTS, sizeof *want), *got = calloc(POINTS, sizeof *got);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        memset(want, 0, POINTS * sizeof *want);
        run_with(1, &shapes[i], x, want);
        for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
            memset(got, 0, POINTS * sizeof *got);
            run_with(threads[t], &shapes[i], x, got);
            assert_memory_equal(got, want, POINTS * sizeof *want);
        }
    }
    free(got);
    free(want);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_have_come_when_a_meeting_ends),
        cmocka_unit_test(who_waits_in_vain_is_sent_home),
        cmocka_unit_test(a_thread_leaves_a_processor_and_may_use_the_same_as_before),
        cmocka_unit_test(a_transforms_bytes_do_not_depend_on_the_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
