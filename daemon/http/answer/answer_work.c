/* answer_work.c - runs jobs of answers on the pool, one after another. */
#include "daemon/http/answer/answer_work.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/http_server.h"

struct answer_work {
    struct answer_source source;
    struct answer_work *next;
    struct http_server *server;
    struct answer_works *works;
    struct answer_job job;
    struct pending_answer *out; /* NULL: not yet, or nobody waits any more */
    bool waited;                /* somebody has */
    struct address own, visitor;
};

/* An address leaves some to others. */
static bool has_share(const struct answer_works *works, const struct request *r)
{
    uint32_t own = 0, visitor = 0;
    for (const struct answer_work *w = works->first; w; w = w->next) {
        const bool same = address_same(&w->own, &r->own->address);
        own += same;
        visitor += same && address_same(&w->visitor, &r->visitor->address);
    }
    return share_allows_visitor(ANSWER_WORKS_MAX, works->count, own, r->visitor != r->own, visitor);
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
        pending_come(out, &a);
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
    const int err = uv_queue_work(w->server->loop, &works->work, on_pool, on_done);
    assert(err == 0); /* it fails without a function to call only */
    (void)err;
}

static struct answer_work *work_of(struct answer_source *source)
{
    return (struct answer_work *)(void *)((char *)source - offsetof(struct answer_work, source));
}

static void wait_for(struct answer_source *source, struct pending_answer *out)
{
    struct answer_work *w = work_of(source);
    w->out = out;
    w->waited = true;
    start_next(w->works);
}

static void leave(struct answer_source *source, struct pending_answer *out)
{
    (void)out;
    struct answer_work *w = work_of(source);
    w->out = NULL;
    if (w->works->running != w)
        remove_work(w);
}

struct answer_source *answer_work_create(const struct request *r, struct answer_works *works,
                                         const struct answer_job *job)
{
    struct answer_work **at = &works->first;
    struct answer_work *w = has_share(works, r) ? calloc(1, sizeof *w) : NULL;
    if (!w) {
        job->destroy(job->job);
        return NULL;
    }
    *w = (struct answer_work){.source = {.wait = wait_for, .leave = leave},
                              .server = r->server,
                              .works = works,
                              .job = *job,
                              .own = r->own->address,
                              .visitor = r->visitor->address};
    while (*at)
        at = &(*at)->next;
    *at = w;
    works->count++;
    return &w->source;
}
