/* workers.c - worker threads between three kinds of gates: pushed, met, done. */
#include "fft/cpu/threads/workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "fft/cpu/memory.h"
#include "fft/cpu/threads/affinity.h"
#include "fft/cpu/threads/event_count.h"

struct worker {
    struct cpu_event_count done; /* items */
    struct crew *crew;
    pthread_t thread;
    uint32_t index;
    uint64_t meetings; /* its own count of those that it came to */
};

struct crew {
    struct cpu_event_count pushed, met; /* items; arrivals of all workers at all meetings */
    crew_work *work;
    void *user;
    uint32_t workers;       /* with the caller */
    bool spread;            /* there is a processor for each of them */
    atomic_int caller;      /* the processor that the last item was pushed from */
    uint32_t threads;       /* that run */
    struct worker worker[]; /* [0] is the caller, and has no thread */
};

static void *run(void *argument)
{
    struct worker *w = argument;
    struct crew *c = w->crew;
    uint64_t item = 0;

    while (cpu_event_count_wait(&c->pushed, item + 1, -1) && !atomic_load(&c->pushed.closed)) {
        if (c->spread)
            cpu_affinity_leave(atomic_load_explicit(&c->caller, memory_order_relaxed));
        c->work(c->user, w->index, item++);
        cpu_event_count_add(&w->done);
    }
    return NULL;
}

/* Signals belong to the program's own threads: a worker takes none. */
static int start(struct worker *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int err = pthread_create(&w->thread, NULL, run, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -err;
}

int crew_create(struct crew **out, uint32_t workers, crew_work *work, void *user)
{
    const bool spins = workers <= cpu_affinity_count();
    struct crew *c = cpu_memory_take(sizeof *c + workers * sizeof c->worker[0]);
    *out = c;
    if (!c)
        return -ENOMEM;
    c->work = work;
    c->user = user;
    c->workers = workers;
    c->spread = spins;
    cpu_event_count_init(&c->pushed, spins);
    cpu_event_count_init(&c->met, spins);
    for (uint32_t i = 0; i < workers; i++) {
        c->worker[i].crew = c;
        c->worker[i].index = i;
        cpu_event_count_init(&c->worker[i].done, spins);
    }
    while (c->threads + 1 < workers) {
        const int err = start(&c->worker[c->threads + 1]);
        if (err < 0) {
            crew_destroy(c);
            *out = NULL;
            return err;
        }
        c->threads++;
    }
    return 0;
}

void crew_destroy(struct crew *c)
{
    if (!c)
        return;
    cpu_event_count_close(&c->pushed);
    cpu_event_count_close(&c->met);
    for (uint32_t i = 1; i <= c->threads; i++)
        pthread_join(c->worker[i].thread, NULL);
    for (uint32_t i = 0; i < c->workers; i++)
        cpu_event_count_finish(&c->worker[i].done);
    cpu_event_count_finish(&c->met);
    cpu_event_count_finish(&c->pushed);
    cpu_memory_free(c);
}

void crew_push(struct crew *c)
{
    if (c->spread)
        atomic_store_explicit(&c->caller, cpu_affinity_current(), memory_order_relaxed);
    cpu_event_count_add(&c->pushed);
}

bool crew_wait(struct crew *c, uint64_t item, int timeout_ms)
{
    const int64_t deadline = cpu_now_ns() + (int64_t)timeout_ms * 1000000;
    int left_ms = timeout_ms;
    for (uint32_t i = 1; i < c->workers; i++) {
        if (!cpu_event_count_wait(&c->worker[i].done, item + 1, left_ms))
            return false;
        if (timeout_ms > 0) {
            const int64_t left = (deadline - cpu_now_ns()) / 1000000;
            left_ms = left > 0 ? (int)left : 0;
        }
    }
    return true;
}

bool crew_meet(struct crew *c, uint32_t worker)
{
    cpu_event_count_add(&c->met);
    return cpu_event_count_wait(&c->met, ++c->worker[worker].meetings * c->workers, -1);
}
