/* link.c - the life of a connection: connect, serve, report, wait, again. */
#include "daemon/nats/link.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES_AT_ONCE = 256 };

bool link_is_over(const struct link *l)
{
    const struct link_ops *ops = l->config.ops;
    return atomic_load(&l->ends) && (!ops->is_done || ops->is_done(l->config.user));
}

static bool gives_up(void *user)
{
    return link_is_over(user);
}

/* ---- reading ----------------------------------------------------------------------------- */

static void note_refusal(struct link *l, const struct link_frame *f)
{
    const struct link_ops *ops = l->config.ops;
    char text[LINK_REASON];
    snprintf(text, sizeof text, "%.*s", (int)(f->size < sizeof text ? f->size : sizeof text - 1),
             (const char *)f->data);
    if (ops->bears && ops->bears(l->config.user, text))
        return;
    l->refused = true;
    memcpy(l->refusal, text, sizeof text);
}

static void take_frame(struct link *l, const struct link_frame *f)
{
    if (f->kind == LINK_FRAME_REFUSED)
        note_refusal(l, f);
    else
        l->config.ops->take(l->config.user, f);
}

bool link_read(struct link *l, int timeout_ms)
{
    struct link_frame f;
    int got = link_broker_next(l->broker, timeout_ms, &f);
    for (int count = 1; got > 0 && count <= FRAMES_AT_ONCE; count++) {
        take_frame(l, &f);
        got = count < FRAMES_AT_ONCE ? link_broker_next(l->broker, 0, &f) : 0;
    }
    const uint64_t dropped = link_broker_take_dropped(l->broker);
    if (dropped > 0 && l->config.ops->dropped)
        l->config.ops->dropped(l->config.user, dropped);
    return got >= 0 && !l->refused;
}

/* ---- the thread -------------------------------------------------------------------------- */

/* False: not from here. */
static bool serve(struct link *l)
{
    const struct link_ops *ops = l->config.ops;
    bool up = ops->opened(l->config.user);
    if (!up)
        return false;
    while (up && !link_is_over(l)) {
        up = ops->step(l->config.user);
        link_retry_holds(&l->retry);
    }
    if (ops->closed)
        ops->closed(l->config.user);
    return up;
}

static const char *why_it_ended(const struct link *l)
{
    const struct link_ops *ops = l->config.ops;
    const char *broker = link_broker_why(l->broker);
    if (l->refused)
        return l->refusal;
    return ops->why ? ops->why(l->config.user, broker) : broker;
}

static void try_once(struct link *l)
{
    l->refused = false;
    if (l->config.ops->prepare)
        l->config.ops->prepare(l->config.user);
    bool up = link_broker_connect(l->broker, gives_up, l);
    if (link_broker_accepted(l->broker))
        link_retry_opened(&l->retry);
    up = up && serve(l);
    link_broker_disconnect(l->broker);
    if (!up && !link_is_over(l))
        link_retry_report(&l->retry, why_it_ended(l));
    link_retry_wait(&l->retry, l->refused || link_broker_crashed(l->broker), &l->ends);
}

/* When it is to end, one more try is enough for the last messages. */
static void run(void *user)
{
    struct link *l = user;
    bool ends = false;
    pthread_setname_np(pthread_self(), l->config.thread);
    while (!ends && !link_is_over(l)) {
        try_once(l);
        ends = atomic_load(&l->ends);
    }
}

/* ---- start and end ----------------------------------------------------------------------- */

int link_start(struct link *l, const struct link_config *config, struct reason *why)
{
    l->config = *config;
    l->retry = (struct link_retry){
        .who = config->who, .url = config->broker.options->url, .then = config->then};
    int err = link_check(config->broker.options, why);
    if (err == 0)
        err = link_broker_create(&l->broker, &l->config.broker);
    if (err == 0)
        err = uv_thread_create(&l->thread, run, l);
    l->running = err == 0;
    return err;
}

void link_end(struct link *l)
{
    atomic_store(&l->ends, true);
}

void link_stop(struct link *l)
{
    if (!l->running)
        return;
    link_end(l);
    uv_thread_join(&l->thread);
    l->running = false;
}

void link_finish(struct link *l)
{
    link_stop(l);
    link_broker_destroy(l->broker);
    l->broker = NULL;
}
