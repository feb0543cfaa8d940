/* cpu_workers.c - tasks whose parts are taken from atomic counters, and the threads that take them.
 */
#include "fft/cpu/threads/cpu_workers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "fft/cpu/base/cpu_memory.h"
#include "fft/cpu/threads/cpu_affinity.h"
#include "fft/cpu/threads/cpu_event_count.h"
#include "fft/monotonic.h"

/*
 * `open` is what a worker takes a part from: from the top, 24 bits of the task's number, 24 of a
 * count of steps, 16 of the parts left. So a late worker takes no part of a later task of the
 * index, and its exchange fails if the step has changed since it read `open`.
 */
enum { PARTS_BITS = 16, MAX_PARTS = (1 << PARTS_BITS) - 1, NUMBER_SHIFT = 40, TAG = 0xffffff };

struct task {
    _Alignas(64) atomic_uint_least64_t open;
    uint32_t parts;                 /* of the open step; constant while one of them is not done */
    atomic_uint_least32_t done;     /* parts of the open step */
    atomic_uint_least64_t finished; /* tasks that this index has had */
};

struct worker {
    struct cpu_workers *workers;
    pthread_t thread;
    uint32_t index;
};

struct cpu_workers {
    struct cpu_event_count changed; /* steps opened and tasks finished */
    struct cpu_event_count called;  /* lazy_workers: the threads have a step to take parts of */
    struct cpu_workers_config config;
    struct task *tasks;                      /* [max_tasks] */
    atomic_uint_least64_t started, finished; /* tasks; finished: without a gap before it */
    atomic_bool caller_works;                /* it is in cpu_workers_finish */
    bool spread;                             /* there is a processor for each worker */
    atomic_int caller;                       /* the processor that the last task came from */
    uint32_t threads;                        /* started */
    struct worker worker[];                  /* [workers]; [0] is the caller, and has no thread */
};

/* ---- tasks ------------------------------------------------------------------------------ */

static struct task *task_at(struct cpu_workers *w, uint64_t number)
{
    return &w->tasks[number % w->config.max_tasks];
}

static bool is_finished(struct cpu_workers *w, uint64_t number)
{
    return atomic_load(&task_at(w, number)->finished) > number / w->config.max_tasks;
}

static bool is_caller_behind(struct cpu_workers *w)
{
    return atomic_load(&w->started) - atomic_load(&w->finished) > 1;
}

/* A thread that was called goes on with the last task while the caller does other things. */
static bool may_help(struct cpu_workers *w)
{
    return !w->config.lazy_workers || is_caller_behind(w) || !atomic_load(&w->caller_works);
}

static struct cpu_event_count *what_threads_wait_for(struct cpu_workers *w)
{
    return w->config.lazy_workers ? &w->called : &w->changed;
}

static void open_step(struct cpu_workers *w, uint64_t number, uint32_t parts)
{
    struct task *t = task_at(w, number);
    const uint64_t step = (atomic_load(&t->open) >> PARTS_BITS) + 1;

    assert(parts > 0 && parts <= MAX_PARTS);
    t->parts = parts;
    atomic_store(&t->done, 0);
    atomic_store(&t->open, (number & TAG) << NUMBER_SHIFT | (step & TAG) << PARTS_BITS | parts);
    cpu_event_count_add(&w->changed);
    if (w->config.lazy_workers && is_caller_behind(w))
        cpu_event_count_add(&w->called);
}

static void finish_task(struct cpu_workers *w, struct task *t)
{
    uint64_t first = atomic_load(&w->finished);

    atomic_fetch_add(&t->finished, 1);
    while (first < atomic_load(&w->started) && is_finished(w, first))
        if (atomic_compare_exchange_strong(&w->finished, &first, first + 1))
            first++;
    cpu_event_count_add(&w->changed);
}

static bool take_part(struct cpu_workers *w, uint64_t number, uint32_t *part)
{
    struct task *t = task_at(w, number);
    uint64_t open = atomic_load(&t->open);
    do {
        if ((open & MAX_PARTS) == 0 || open >> NUMBER_SHIFT != (number & TAG))
            return false;
    } while (!atomic_compare_exchange_weak(&t->open, &open, open - 1));
    *part = t->parts - (uint32_t)(open & MAX_PARTS);
    return true;
}

/* This worker did `count` parts. The one whose parts complete the step opens the next one. */
static void settle(struct cpu_workers *w, uint32_t worker, uint64_t number, uint32_t count)
{
    const struct cpu_task_ops *ops = w->config.ops;
    const uint32_t index = (uint32_t)(number % w->config.max_tasks);
    struct task *t = &w->tasks[index];
    const uint32_t parts = t->parts; /* another worker may change it once these are counted */

    if (ops->leave)
        ops->leave(w->config.user, worker, index);
    if (atomic_fetch_add(&t->done, count) + count < parts)
        return;
    const uint32_t next = ops->next_step(w->config.user, worker, index);
    if (next > 0)
        open_step(w, number, next);
    else
        finish_task(w, t);
}

/* Does parts of one step, while some are left and until the deadline. false: there was none. */
static bool work_on(struct cpu_workers *w, uint32_t worker, uint64_t number, int64_t deadline)
{
    uint32_t count = 0, part;

    while (!cpu_event_count_is_closed(&w->changed) && take_part(w, number, &part)) {
        w->config.ops->run(w->config.user, worker, (uint32_t)(number % w->config.max_tasks), part);
        count++;
        if (deadline < INT64_MAX && fft_now_ns() >= deadline)
            break;
    }
    if (count > 0)
        settle(w, worker, number, count);
    return count > 0;
}

/* ---- threads ---------------------------------------------------------------------------- */

static bool work_on_any(struct cpu_workers *w, uint32_t worker)
{
    const uint64_t first = atomic_load(&w->finished), end = atomic_load(&w->started);
    if (!may_help(w))
        return false;
    const uint64_t last = w->config.in_order && first < end ? first + 1 : end;

    for (uint64_t number = first; number < last; number++)
        if (work_on(w, worker, number, INT64_MAX))
            return true;
    return false;
}

static void *run_thread(void *argument)
{
    const struct worker *self = argument;
    struct cpu_workers *w = self->workers;
    struct cpu_event_count *wake = what_threads_wait_for(w);

    pthread_setname_np(pthread_self(), "fft worker");
    cpu_event_count_wait(wake, 1, -1);
    while (!cpu_event_count_is_closed(&w->changed)) {
        const uint64_t seen = cpu_event_count_read(wake);
        if (work_on_any(w, self->index))
            continue;
        cpu_event_count_wait(wake, seen + 1, -1);
        if (w->spread)
            cpu_affinity_leave(atomic_load_explicit(&w->caller, memory_order_relaxed));
    }
    return NULL;
}

/* The workers take no signals: those belong to the program's own threads. */
static int start_thread(struct worker *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int err = pthread_create(&self->thread, NULL, run_thread, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -err;
}

/* Where the system starts no more threads, those that there are do all the work. */
static int start_threads(struct cpu_workers *w)
{
    int err = 0;
    while (err == 0 && w->threads + 1 < w->config.workers) {
        struct worker *self = &w->worker[w->threads + 1];
        *self = (struct worker){.workers = w, .index = w->threads + 1};
        err = start_thread(self);
        if (err == 0)
            w->threads++;
    }
    return err == -EAGAIN ? 0 : err;
}

/* ---- the owner's calls ------------------------------------------------------------------ */

int cpu_workers_create(struct cpu_workers **out, const struct cpu_workers_config *config)
{
    struct cpu_workers *w = cpu_memory_take(sizeof *w + config->workers * sizeof w->worker[0]);
    *out = NULL;
    if (!w)
        return -ENOMEM;
    w->config = *config;
    w->spread = config->workers <= cpu_affinity_count();
    cpu_event_count_init(&w->changed, w->spread);
    cpu_event_count_init(&w->called, w->spread);
    w->tasks = cpu_memory_take(config->max_tasks * sizeof *w->tasks);
    const int err = w->tasks ? start_threads(w) : -ENOMEM;
    if (err < 0)
        cpu_workers_destroy(w);
    else
        *out = w;
    return err;
}

void cpu_workers_destroy(struct cpu_workers *w)
{
    if (!w)
        return;
    cpu_event_count_close(&w->changed);
    cpu_event_count_close(&w->called);
    for (uint32_t i = 1; i <= w->threads; i++)
        pthread_join(w->worker[i].thread, NULL);
    cpu_event_count_finish(&w->changed);
    cpu_event_count_finish(&w->called);
    cpu_memory_free(w->tasks);
    cpu_memory_free(w);
}

void cpu_workers_start(struct cpu_workers *w, uint32_t parts)
{
    const uint64_t number = atomic_load(&w->started);

    if (w->spread)
        atomic_store_explicit(&w->caller, cpu_affinity_current(), memory_order_relaxed);
    atomic_store(&w->started, number + 1);
    open_step(w, number, parts);
}

bool cpu_workers_alone(struct cpu_workers *w)
{
    return w->threads == 0 || (w->config.lazy_workers && !is_caller_behind(w));
}

static int left_ms(int64_t deadline)
{
    const int64_t left = deadline - fft_now_ns();
    return left > 0 ? (int)(left / 1000000 + 1) : 0;
}

static bool work_until(struct cpu_workers *w, uint64_t number, int timeout_ms)
{
    const int64_t deadline =
        timeout_ms < 0 ? INT64_MAX : fft_now_ns() + (int64_t)timeout_ms * 1000000;

    for (;;) {
        const uint64_t seen = cpu_event_count_read(&w->changed);
        const bool worked = work_on(w, 0, number, deadline);
        const int left = timeout_ms < 0 ? -1 : left_ms(deadline);
        if (is_finished(w, number))
            return true;
        if (left == 0)
            return false;
        if (!worked)
            cpu_event_count_wait(&w->changed, seen + 1, left);
    }
}

bool cpu_workers_finish(struct cpu_workers *w, uint64_t number, int timeout_ms)
{
    atomic_store(&w->caller_works, true);
    const bool finished = work_until(w, number, timeout_ms);
    atomic_store(&w->caller_works, false);
    return finished;
}
