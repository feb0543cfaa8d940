/* answer_work.c - runs jobs of answers on the pool, one after another. */
#include "daemon/server/answer_work.h"

#include <assert.h>
#include <stdlib.h>

#include "daemon/server/internal.h"

struct answer_work {
    struct answer_work *next;
    struct server *server;
    struct answer_works *works;
    struct answer_job job;
    struct pending_answer *out; /* NULL: not yet, or nobody waits any more */
    bool waited;                /* somebody has */
};

struct answer_work *answer_work_create(struct server *s, struct answer_works *works,
                                       const struct answer_job *job)
{
    struct answer_work **at = &works->first;
    struct answer_work *w = works->count < ANSWER_WORKS_MAX ? calloc(1, sizeof *w) : NULL;
    if (!w) {
        job->destroy(job->job);
        return NULL;
    }
    *w = (struct answer_work){.server = s, .works = works, .job = *job};
    while (*at)
        at = &(*at)->next;
    *at = w;
    works->count++;
    return w;
}

static void remove_work(struct answer_work *w)
{
    struct answer_work **at = &w->works->first;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    w->works->count--;
    w->job.destroy(w->job.job);
    free(w);
}

static void on_pool(uv_work_t *work)
{
    struct answer_work *w = work->data;
    w->job.run(w->job.job);
}

static void start_next(struct answer_works *works);

static void on_done(uv_work_t *work, int status)
{
    (void)status; /* nobody cancels the work */
    struct answer_work *w = work->data;
    struct answer_works *works = w->works;
    struct pending_answer *out = w->out;
    works->running = NULL;
    if (out) {
        struct answer a = {0};
        w->job.finish(w->server, w->job.job, &a);
        out->work = NULL;
        pending_start(out, &a, "");
    }
    remove_work(w);
    start_next(works);
}

static void start_next(struct answer_works *works)
{
    struct answer_work *w = works->first;
    if (works->running || !w || !w->waited)
        return;
    works->running = w;
    works->work.data = w;
    const int err = uv_queue_work(w->server->hooks.loop, &works->work, on_pool, on_done);
    assert(err == 0); /* it fails without a function to call only */
    (void)err;
}

void answer_work_wait(struct answer_work *w, struct pending_answer *out)
{
    w->out = out;
    w->waited = true;
    out->work = w;
    start_next(w->works);
}

void answer_work_leave(struct answer_work *w)
{
    w->out = NULL;
    if (w->works->running != w)
        remove_work(w);
}
