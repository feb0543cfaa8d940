/* workers.c - worker threads between three kinds of gates: pushed, met, done. */
#include "fft/cpu/threads/workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "fft/cpu/memory.h"
#include "fft/cpu/threads/affinity.h"
#include "fft/cpu/threads/event_count.h"

struct worker {
    struct gate done; /* items */
    struct crew *crew;
    pthread_t thread;
    uint32_t index;
    uint64_t meetings; /* its own count of those that it came to */
};

struct crew {
    struct gate pushed, met; /* items; arrivals of all workers at all meetings */
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

    while (gate_wait(&c->pushed, item + 1, -1) && !atomic_load(&c->pushed.closed)) {
        if (c->spread)
            place_leave(atomic_load_explicit(&c->caller, memory_order_relaxed));
        c->work(c->user, w->index, item++);
        gate_add(&w->done);
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
    const bool spins = workers <= place_count();
    struct crew *c = memory_take(sizeof *c + workers * sizeof c->worker[0]);
    *out = c;
    if (!c)
        return -ENOMEM;
    c->work = work;
    c->user = user;
    c->workers = workers;
    c->spread = spins;
    gate_init(&c->pushed, spins);
    gate_init(&c->met, spins);
    for (uint32_t i = 0; i < workers; i++) {
        c->worker[i].crew = c;
        c->worker[i].index = i;
        gate_init(&c->worker[i].done, spins);
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
    gate_close(&c->pushed);
    gate_close(&c->met);
    for (uint32_t i = 1; i <= c->threads; i++)
        pthread_join(c->worker[i].thread, NULL);
    for (uint32_t i = 0; i < c->workers; i++)
        gate_finish(&c->worker[i].done);
    gate_finish(&c->met);
    gate_finish(&c->pushed);
    memory_free(c);
}

void crew_push(struct crew *c)
{
    if (c->spread)
        atomic_store_explicit(&c->caller, place_here(), memory_order_relaxed);
    gate_add(&c->pushed);
}

bool crew_wait(struct crew *c, uint64_t item, int timeout_ms)
{
    const int64_t deadline = gate_now_ns() + (int64_t)timeout_ms * 1000000;
    int left_ms = timeout_ms;
    for (uint32_t i = 1; i < c->workers; i++) {
        if (!gate_wait(&c->worker[i].done, item + 1, left_ms))
            return false;
        if (timeout_ms > 0) {
            const int64_t left = (deadline - gate_now_ns()) / 1000000;
            left_ms = left > 0 ? (int)left : 0;
        }
    }
    return true;
}

bool crew_meet(struct crew *c, uint32_t worker)
{
    gate_add(&c->met);
    return gate_wait(&c->met, ++c->worker[worker].meetings * c->workers, -1);
}
