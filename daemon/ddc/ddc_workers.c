/* ddc_workers.c - threads that sleep until their caller has work for them. */
#include "daemon/ddc/ddc_workers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

struct ddc_workers {
    struct worker {
        struct ddc_workers *all;
        unsigned part;
        uv_thread_t thread;
    } worker[DDC_WORKERS - 1];
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
    struct ddc_workers *w = me->all;
    unsigned round = 0;
    pthread_setname_np(pthread_self(), "ddc worker");
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

int ddc_workers_create(struct ddc_workers **out, unsigned workers)
{
    struct ddc_workers *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return -ENOMEM;
    assert(workers >= 1 && workers <= DDC_WORKERS);
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

void ddc_workers_destroy(struct ddc_workers *w)
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

unsigned ddc_workers_count(const struct ddc_workers *w)
{
    return w->threads + 1;
}

void ddc_workers_run(struct ddc_workers *w, void (*work)(void *arg, unsigned part), void *arg,
                     unsigned parts)
{
    assert(parts >= 1 && parts <= ddc_workers_count(w));
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
