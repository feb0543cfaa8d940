/* test_workers.c - the workers' tasks, and the bytes of transforms, which workers do not change. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fft/cpu/threads/cpu_affinity.h"
#include "fft/cpu/threads/cpu_workers.h"
#include "tests/support/engine/transform_case.h"

enum { MAX_WORKERS = 5, TASKS = 200, STEPS = 3, PARTS = 7 };

/* In each step a part adds 1 to its number; next_step checks that all parts have done so. */
struct counts {
    uint32_t step;
    uint32_t parts[PARTS];
    uint32_t wrong;
};

static void count_part(void *user, uint32_t worker, uint32_t task, uint32_t part)
{
    struct counts *counts = (struct counts *)user + task;
    (void)worker;
    counts->parts[part]++;
}

static uint32_t check_step(void *user, uint32_t worker, uint32_t task)
{
    struct counts *counts = (struct counts *)user + task;
    (void)worker;
    counts->step++;
    for (uint32_t i = 0; i < PARTS; i++)
        counts->wrong += counts->parts[i] != counts->step;
    return counts->step % STEPS ? PARTS : 0;
}

static const struct cpu_task_ops counting = {.run = count_part, .next_step = check_step};

static void a_step_begins_after_all_parts_of_the_one_before(void **state)
{
    enum { MAX_TASKS = 3 };
    (void)state;
    for (uint32_t i = 0; i < 2 * MAX_WORKERS; i++) {
        const uint32_t workers = i / 2 + 1;
        const bool lazy_workers = i % 2;
        struct counts counts[MAX_TASKS] = {0};
        const struct cpu_workers_config config = {workers,      MAX_TASKS, workers % 2,
                                                  lazy_workers, &counting, counts};
        struct cpu_workers *w;
        assert_int_equal(cpu_workers_create(&w, &config), 0);
        for (uint64_t task = 0; task < TASKS; task++) {
            cpu_workers_start(w, PARTS);
            if (task + 1 >= MAX_TASKS)
                assert_true(cpu_workers_finish(w, task + 1 - MAX_TASKS, -1));
        }
        for (uint64_t task = TASKS + 1 - MAX_TASKS; task < TASKS; task++)
            assert_true(cpu_workers_finish(w, task, -1));
        for (uint32_t index = 0; index < MAX_TASKS; index++) {
            const uint32_t tasks = TASKS / MAX_TASKS + (index < TASKS % MAX_TASKS);
            assert_int_equal(counts[index].wrong, 0);
            assert_int_equal(counts[index].step, STEPS * tasks);
        }
        cpu_workers_destroy(w);
    }
}

/* Parts of task 0 are held until they are released; all others are done at once. */
struct held {
    atomic_uint entered, released, left;
};

static void hold_part(void *user, uint32_t worker, uint32_t task, uint32_t part)
{
    struct held *h = user;
    (void)worker;
    (void)part;
    if (task > 0)
        return;
    atomic_fetch_add(&h->entered, 1);
    while (!atomic_load(&h->released))
        sched_yield();
}

static void count_leave(void *user, uint32_t worker, uint32_t task)
{
    struct held *h = user;
    (void)worker;
    (void)task;
    atomic_fetch_add(&h->left, 1);
}

static uint32_t last_step(void *user, uint32_t worker, uint32_t task)
{
    (void)user;
    (void)worker;
    (void)task;
    return 0;
}

static const struct cpu_task_ops holding = {hold_part, count_leave, last_step};

/* Task 0 has one part, which another worker than the caller holds. */
static struct cpu_workers *start_held(struct held *h)
{
    const struct cpu_workers_config config = {2, 2, false, false, &holding, h};
    struct cpu_workers *w;
    assert_int_equal(cpu_workers_create(&w, &config), 0);
    cpu_workers_start(w, 1);
    while (!atomic_load(&h->entered))
        sched_yield();
    return w;
}

static void a_suspended_worker_delays_the_part_that_it_holds_alone(void **state)
{
    struct held h = {0};
    struct cpu_workers *w = start_held(&h);
    (void)state;
    assert_false(cpu_workers_finish(w, 0, 5));
    assert_false(cpu_workers_finish(w, 0, 0));
    cpu_workers_start(w, 100);
    assert_true(cpu_workers_finish(w, 1, -1)); /* by the caller: there is no other worker */
    assert_int_equal(atomic_load(&h.left), 1);
    atomic_store(&h.released, 1);
    assert_true(cpu_workers_finish(w, 0, -1));
    assert_int_equal(atomic_load(&h.left), 2);
    assert_int_equal(atomic_load(&h.entered), 1);
    cpu_workers_destroy(w);
}

static void workers_may_be_destroyed_with_tasks_unfinished(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
        struct counts counts[2] = {0};
        const struct cpu_workers_config config = {workers, 2, true, true, &counting, counts};
        struct cpu_workers *w;
        assert_int_equal(cpu_workers_create(&w, &config), 0);
        cpu_workers_start(w, PARTS);
        cpu_workers_start(w, PARTS);
        cpu_workers_destroy(w);
        assert_int_equal(counts[0].wrong + counts[1].wrong, 0);
    }
    cpu_workers_destroy(NULL);
}

/* Who did parts. The caller does none of task 1 before a thread has done one. */
struct shares {
    atomic_uint callers, others;
};

static void share_part(void *user, uint32_t worker, uint32_t task, uint32_t part)
{
    struct shares *s = user;
    (void)part;
    if (worker > 0)
        atomic_fetch_add(&s->others, 1);
    else
        atomic_fetch_add(&s->callers, 1);
    while (worker == 0 && task == 1 && !atomic_load(&s->others))
        sched_yield();
}

static const struct cpu_task_ops sharing = {share_part, NULL, last_step};

static void lazy_threads_help_a_caller_who_has_two_tasks_alone(void **state)
{
    enum { ALONE = 100, LONG = 1000 };
    struct shares shares = {0};
    const struct cpu_workers_config config = {MAX_WORKERS, 2, false, true, &sharing, &shares};
    struct cpu_workers *w;
    (void)state;
    assert_int_equal(cpu_workers_create(&w, &config), 0);
    for (uint64_t task = 0; task < ALONE; task += 2) {
        atomic_store(&shares.others, 1); /* so that nobody waits */
        cpu_workers_start(w, PARTS);
        assert_true(cpu_workers_finish(w, task, -1));
        cpu_workers_start(w, PARTS);
        assert_true(cpu_workers_finish(w, task + 1, -1));
    }
    assert_int_equal(atomic_load(&shares.others), 1);
    assert_int_equal(atomic_load(&shares.callers), ALONE * PARTS);
    atomic_store(&shares.others, 0);
    cpu_workers_start(w, LONG);
    cpu_workers_start(w, LONG);
    assert_true(cpu_workers_finish(w, ALONE + 1, -1)); /* it waits for a thread */
    assert_true(cpu_workers_finish(w, ALONE, -1));
    assert_true(atomic_load(&shares.others) > 0);
    cpu_workers_destroy(w);
}

static void lazy_threads_that_were_called_go_on_while_the_caller_is_away(void **state)
{
    struct shares shares = {0};
    const struct cpu_workers_config config = {2, 2, true, true, &sharing, &shares};
    struct cpu_workers *w;
    (void)state;
    assert_int_equal(cpu_workers_create(&w, &config), 0);
    cpu_workers_start(w, PARTS);
    cpu_workers_start(w, PARTS);
    for (int tries = 0; tries < 6000 && atomic_load(&shares.others) < 2 * PARTS; tries++)
        usleep(10000);
    assert_int_equal(atomic_load(&shares.others), 2 * PARTS);
    assert_true(cpu_workers_finish(w, 0, -1));
    assert_true(cpu_workers_finish(w, 1, -1));
    assert_int_equal(atomic_load(&shares.callers), 0);
    cpu_workers_destroy(w);
}

/* The system's limit of threads: pthread_create fails once so many were started. */
static uint32_t threads_allowed = UINT32_MAX;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    if (threads_allowed == 0)
        return EAGAIN;
    threads_allowed--;
    return __real_pthread_create(thread, attributes, run, argument);
}

static void threads_that_cannot_start_leave_the_work_to_the_others(void **state)
{
    (void)state;
    for (uint32_t allowed = 0; allowed < 3; allowed++) {
        struct counts counts = {0};
        const struct cpu_workers_config config = {4, 1, false, false, &counting, &counts};
        struct cpu_workers *w;
        threads_allowed = allowed;
        assert_int_equal(cpu_workers_create(&w, &config), 0);
        cpu_workers_start(w, PARTS);
        assert_true(cpu_workers_finish(w, 0, -1));
        assert_int_equal(counts.wrong, 0);
        assert_int_equal(counts.step, STEPS);
        cpu_workers_destroy(w);
    }
    threads_allowed = UINT32_MAX;
}

static void a_time_out_leaves_the_rest_of_a_task(void **state)
{
    struct counts counts = {0};
    const struct cpu_workers_config config = {1, 1, false, false, &counting, &counts};
    struct cpu_workers *w;
    uint32_t calls = 1;
    (void)state;
    assert_int_equal(cpu_workers_create(&w, &config), 0);
    cpu_workers_start(w, PARTS);
    while (!cpu_workers_finish(w, 0, 0))
        calls++;
    assert_int_equal(calls, STEPS * PARTS); /* one part a call */
    assert_int_equal(counts.wrong, 0);
    cpu_workers_destroy(w);
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

static const struct fft_transform_config shapes[] = {
    {.rank = 1, .n = {4096}, .batch = 9},
    {.rank = 1, .n = {60}, .batch = 1001},
    {.rank = 1, .n = {32768}, .batch = 5},
    {.rank = 1, .n = {1000}, .batch = 100, .in = {{100}, 1}, .out = {{1}, 1000}},
    {.rank = 2, .n = {3, 65536}, .batch = 1},
    {.rank = 3, .n = {48, 50, 49}, .batch = 1},
    {.type = FFT_TRANSFORM_INVERSE, .rank = 2, .n = {300, 256}, .batch = 2},
    {.type = FFT_TRANSFORM_R2C, .rank = 2, .n = {200, 400}, .batch = 1},
    /* long rows that threads divide: fewer than threads, or left over */
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

static void run_with(uint32_t threads, const struct fft_transform_config *plan,
                     const struct fft_iq *x, struct fft_iq *out)
{
    struct test_engine cpu = {.engine = "cpu", .threads = threads};
    void *tested = &cpu;
    struct fft_engine *e = test_engine_open(&tested);
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
        cmocka_unit_test(a_step_begins_after_all_parts_of_the_one_before),
        cmocka_unit_test(a_suspended_worker_delays_the_part_that_it_holds_alone),
        cmocka_unit_test(workers_may_be_destroyed_with_tasks_unfinished),
        cmocka_unit_test(lazy_threads_help_a_caller_who_has_two_tasks_alone),
        cmocka_unit_test(lazy_threads_that_were_called_go_on_while_the_caller_is_away),
        cmocka_unit_test(threads_that_cannot_start_leave_the_work_to_the_others),
        cmocka_unit_test(a_time_out_leaves_the_rest_of_a_task),
        cmocka_unit_test(a_thread_leaves_a_processor_and_may_use_the_same_as_before),
        cmocka_unit_test(a_transforms_bytes_do_not_depend_on_the_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
