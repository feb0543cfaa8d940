/* cut_workers.c - threads that sleep until their caller has work for them. */
#include "daemon/record/cut_workers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

struct cut_workers {
    struct worker {
        struct cut_workers *all;
        unsigned part;
        uv_thread_t thread;
    } worker[CUT_WORKERS - 1];
    unsigned threads;
    uv_mutex_t lock;
    uv_cond_t wake, done;
    /* under lock */
    void (*work)(void *arg, unsigned part);
    void *arg;
    unsigned round, parts, left;
    bool stop;
};

static void run_worker(void *arg)
{
    const struct worker *me = arg;
    struct cut_workers *w = me->all;
    unsigned round = 0;
    pthread_setname_np(pthread_self(), "cut worker");
    uv_mutex_lock(&w->lock);
    while (!w->stop) {
        if (w->round == round) {
            uv_cond_wait(&w->wake, &w->lock);
            continue;
        }
        round = w->round;
        if (me->part >= w->parts)
            continue;
        uv_mutex_unlock(&w->lock);
        w->work(w->arg, me->part); /* both stay until the caller knows of its end */
        uv_mutex_lock(&w->lock);
        if (--w->left == 0)
            uv_cond_signal(&w->done);
    }
    uv_mutex_unlock(&w->lock);
}

int cut_workers_create(struct cut_workers **out, unsigned workers)
{
    struct cut_workers *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return -ENOMEM;
    assert(workers >= 1 && workers <= CUT_WORKERS);
    uv_mutex_init(&w->lock);
    uv_cond_init(&w->wake);
    uv_cond_init(&w->done);
    for (unsigned i = 0; i + 1 < workers; i++, w->threads++) {
        w->worker[i] = (struct worker){.all = w, .part = i + 1};
        if (uv_thread_create(&w->worker[i].thread, run_worker, &w->worker[i]) < 0)
            break;
    }
    return 0;
}

void cut_workers_destroy(struct cut_workers *w)
{
    if (!w)
        return;
    uv_mutex_lock(&w->lock);
    w->stop = true;
    uv_cond_broadcast(&w->wake);
    uv_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->threads; i++)
        uv_thread_join(&w->worker[i].thread);
    uv_cond_destroy(&w->done);
    uv_cond_destroy(&w->wake);
    uv_mutex_destroy(&w->lock);
    free(w);
}

unsigned cut_workers_count(const struct cut_workers *w)
{
    return w->threads + 1;
}

void cut_workers_run(struct cut_workers *w, void (*work)(void *arg, unsigned part), void *arg,
                     unsigned parts)
{
    assert(parts >= 1 && parts <= cut_workers_count(w));
    if (parts > 1) {
        uv_mutex_lock(&w->lock);
        w->work = work;
        w->arg = arg;
        w->parts = parts;
        w->left = parts - 1;
        w->round++;
        uv_cond_broadcast(&w->wake);
        uv_mutex_unlock(&w->lock);
    }
    work(arg, 0);
    uv_mutex_lock(&w->lock);
    while (parts > 1 && w->left > 0)
        uv_cond_wait(&w->done, &w->lock);
    uv_mutex_unlock(&w->lock);
}
