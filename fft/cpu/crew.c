/* crew.c - worker threads under one lock; each walks through the items at its own pace. */
#include "fft/cpu/crew.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct worker {
    struct crew *crew;
    pthread_t thread;
    uint32_t index;
    uint64_t done; /* under the crew's lock */
};

struct crew {
    crew_work *work;
    void *user;

    pthread_mutex_t lock;
    pthread_cond_t pushed, done;
    uint64_t items; /* under lock, as is stop */
    bool stop;

    uint32_t workers; /* threads that run */
    struct worker worker[];
};

static void *run(void *argument)
{
    struct worker *w = argument;
    struct crew *c = w->crew;

    pthread_mutex_lock(&c->lock);
    while (!c->stop) {
        if (w->done == c->items) {
            pthread_cond_wait(&c->pushed, &c->lock);
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        c->work(c->user, w->index, w->done);
        pthread_mutex_lock(&c->lock);
        w->done++;
        pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
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

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

int crew_create(struct crew **out, uint32_t workers, crew_work *work, void *user)
{
    struct crew *c = calloc(1, sizeof *c + workers * sizeof c->worker[0]);
    *out = c;
    if (!c)
        return -ENOMEM;
    c->work = work;
    c->user = user;
    pthread_mutex_init(&c->lock, NULL);
    init_condition(&c->pushed);
    init_condition(&c->done);

    for (uint32_t i = 0; i < workers; i++) {
        c->worker[i] = (struct worker){.crew = c, .index = i};
        const int err = start(&c->worker[i]);
        if (err < 0) {
            crew_destroy(c);
            *out = NULL;
            return err;
        }
        c->workers++;
    }
    return 0;
}

void crew_destroy(struct crew *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->pushed);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->workers; i++)
        pthread_join(c->worker[i].thread, NULL);
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->pushed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void crew_push(struct crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->items++;
    pthread_cond_broadcast(&c->pushed);
    pthread_mutex_unlock(&c->lock);
}

static bool all_did(const struct crew *c, uint64_t item)
{
    for (uint32_t i = 0; i < c->workers; i++)
        if (c->worker[i].done <= item)
            return false;
    return true;
}

static struct timespec deadline_in(int timeout_ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_ms / 1000;
    t.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

bool crew_wait(struct crew *c, uint64_t item, int timeout_ms)
{
    const struct timespec deadline = deadline_in(timeout_ms < 0 ? 0 : timeout_ms);

    pthread_mutex_lock(&c->lock);
    bool ready = all_did(c, item);
    for (int err = 0; !ready && err == 0 && timeout_ms != 0; ready = all_did(c, item))
        err = timeout_ms < 0 ? pthread_cond_wait(&c->done, &c->lock)
                             : pthread_cond_timedwait(&c->done, &c->lock, &deadline);
    pthread_mutex_unlock(&c->lock);
    return ready;
}
